"""Figures of judges over the bands of kappa, of their grades, and of their judgements over time."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.dates import num2date

from agreement.diagnostics.judgement_counts import judgement_counts
from agreement.plots import forest_plot, grade_shares, judgements_over_time, topic_dots
from agreement.plots.judges.forest_plot import _figure as forest_figure
from agreement.plots.judges.grade_shares import _figure as shares_figure
from agreement.plots.judges.judgements_over_time import _figure as time_figure
from agreement.plots.judges.topic_dots import _figure as topics_figure
from pooling.palette import BANDS, SHADES
from tests.agreement.plots.test_marks import marks
from tests.agreement.plots.test_rows import names
from tests.agreement.plots.test_slope_chart import KINDS, texts

PAIRS = pd.DataFrame(
    {
        "name": ["a and b", "<a> and $c$", "b and c"],
        "value": [0.5, None, 0.9],
        "low": [0.3, 0.1, None],
        "high": [0.7, 0.2, None],
        "judge_a": ["a", "<a>", "b"],
        "judge_b": ["b", "$c$", "c"],
    }
)
COUNTS = pd.DataFrame([[8, 2, 0], [0, 0, 0], [1, 1, 98]], ["strict", "idle", "$lenient$"], [0, 1, 2])
TOPICS = pd.DataFrame({"query_id": ["7", "8", "9"], "title": ["open", "", "sort"], "value": [0.8, None, 0.1]}).assign(
    n=[25, 3, 100]
)
TIMES = pd.DataFrame(
    {
        "assessor": ["ann", "ben", "ann"],
        "judged_at": ["2026-03-02 10:00", "2026-03-02 11:00", "2026-03-02 12:00"],
    }
)
FIGURES = [(forest_plot, PAIRS), (grade_shares, COUNTS), (topic_dots, TOPICS), (judgements_over_time, TIMES)]


def many(number, value=0.5):
    return pd.DataFrame({"name": [f"pair {i}" for i in range(number)], "value": value, "low": 0.4, "high": 0.6})


@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(("draw", "data"), FIGURES, ids=["forest", "grades", "topics", "time"])
def test_same_input_gives_the_same_bytes(draw, data, kind, begin):
    chart = draw(data, kind=kind)

    assert chart == draw(data.copy(), kind=kind)
    assert chart.startswith(begin)


@pytest.mark.parametrize(("draw", "data"), FIGURES, ids=["forest", "grades", "topics", "time"])
def test_a_width_for_phones_keeps_the_size_of_text(draw, data):
    narrow = draw(data, width=2.95)

    assert b'width="212.4pt"' in narrow
    assert b"font-size: 7" not in narrow


def test_a_forest_plot_is_sorted_and_its_intervals_are_drawn():
    axes = forest_figure(PAIRS, "", ("kappa", "judges"), "95% interval", "").axes[0]
    (interval,) = axes.collections

    assert [label.get_text() for label in axes.get_yticklabels()] == ["b and c", "a and b", "<a> and $c$"]
    assert interval.get_segments()[0].tolist() == [[0.3, 1], [0.7, 1]]
    assert "undefined" in [text.get_text() for text in axes.texts]


def test_a_forest_plot_has_the_bands_and_the_numbers():
    drawn = texts(forest_plot(PAIRS))
    axes = forest_figure(PAIRS, "", ("kappa", "judges"), "", "").axes[0]
    bands = {to_hex(patch.get_facecolor()): patch.get_x() for patch in axes.patches if patch.get_height() == 1}

    assert {"dubious", "fair", "good", "0.50 [0.30, 0.70]", "0.90"} <= set(drawn)
    assert [bands[colour] for colour in BANDS.values()] == pytest.approx([0.2, 0.67, 0.8])


def test_low_kappas_are_inside_the_axis():
    axes = forest_figure(PAIRS.assign(low=-0.24), "", ("kappa", "judges"), "", "").axes[0]

    assert axes.get_xlim() == pytest.approx((-0.3, 1.01))


def test_rows_of_pairs_name_both_judges():
    assert marks(forest_plot(PAIRS)) == [
        ("b and c: 0.900", {"judges": "b\nc"}),
        ("a and b: 0.500, 0.300 to 0.700", {"judges": "a\nb"}),
        ("<a> and $c$: undefined", {"judges": "<a>\n$c$"}),
    ]
    assert marks(forest_plot(PAIRS[["name", "value"]]))[0] == ("b and c: 0.900", {"judge": "b and c"})


def test_a_narrow_forest_plot_writes_no_limits():
    assert "0.50" in texts(forest_plot(PAIRS, width=2.95))


@pytest.mark.slow
def test_many_rows_give_up_names_before_they_shrink_the_text():
    drawn, thin = texts(forest_plot(many(60))), forest_plot(many(61))

    assert {"pair 0", "pair 59", "0.50 [0.40, 0.60]"} <= set(drawn)
    assert not {"pair 0", "0.50 [0.40, 0.60]"} & set(texts(thin))
    assert len(marks(thin)) == 61
    assert marks(thin)[60][0] == "pair 60: 0.500, 0.400 to 0.600"


def test_shares_are_stacked_from_pale_to_dark_the_most_lenient_judge_at_the_top():
    figure = shares_figure(COUNTS, "", "judge", "")
    bars = {
        (bar.get_y() + bar.get_height() / 2, bar.get_x()): (bar.get_width(), to_hex(bar.get_facecolor()))
        for bar in figure.axes[0].patches
    }

    assert names(figure) == ["$lenient$", "strict", "idle"]
    assert bars[1, 0.0] == (0.8, SHADES[0])
    assert bars[1, 0.8] == (pytest.approx(0.2), SHADES[4])
    assert bars[0, 0.02] == (0.98, SHADES[-1])
    assert len(bars) == 5  # no part for a grade that a judge never gave


def test_wide_parts_contain_their_grade_and_rows_their_number():
    axes = shares_figure(COUNTS, "", "judge", "").axes[0]
    shown = [text.get_text() for text in axes.texts]

    assert shown == ["judged", "100", "2", "10", "0", "1", "0", "no judgement"]


def test_parts_of_bars_say_their_count():
    assert marks(grade_shares(COUNTS))[-1] == ("strict: grade 1, 2 of 10 (20.0%)", {"judge": "strict"})


def test_topics_are_sorted_and_their_dots_grow_with_n():
    figure = topics_figure(TOPICS, "", "kappa", "")
    dots = [line for line in figure.axes[0].get_lines() if line.get_marker() == "o"]

    assert names(figure) == ["9 sort", "7 open", "8"]
    assert [float(dot.get_xdata()[0]) for dot in dots] == [0.1, 0.8]
    assert dots[0].get_markersize() == 9
    assert dots[1].get_markersize() == pytest.approx(3.5 + 5.5 / 2)  # a quarter of the documents
    assert {"n = 100", "n = 25", "n = 3", "undefined"} <= {text.get_text() for text in figure.axes[0].texts}


def test_rows_of_topics_say_their_numbers():
    assert marks(topic_dots(TOPICS)) == [
        ("9 sort: 0.100, n = 100", {"topic": "9"}),
        ("7 open: 0.800, n = 25", {"topic": "7"}),
        ("8: undefined, n = 3", {"topic": "8"}),
    ]


def test_titles_of_topics_may_be_missing_and_are_shortened():
    assert {"7", "8", "9"} <= set(texts(topic_dots(TOPICS.drop(columns="title"))))
    assert "7 " + 33 * "x" + "…" in texts(topic_dots(TOPICS.assign(title=50 * "x")))
    assert {"7", "8", "9"} <= set(texts(topic_dots(TOPICS, width=2.95)))


@pytest.mark.slow
def test_many_topics_have_thin_rows_without_names_and_say_their_title():
    topics = pd.DataFrame({"query_id": [str(i) for i in range(250)], "title": "t", "value": 0.5, "n": 9})
    topics.loc[7, "value"] = None
    chart = topic_dots(topics)

    assert "1 t" not in texts(chart)
    assert "A larger dot has more documents. 1 topic without a value." in texts(chart)
    assert len(marks(chart)) == 249
    assert marks(chart)[0] == ("0 t: 0.500, n = 9", {"topic": "0"})


def test_lines_rise_with_each_judgement_and_end_at_the_last_time():
    figure = time_figure(TIMES, "", "")
    ann, ben = figure.axes[0].get_lines()

    assert ann.get_ydata().tolist() == [0, 1, 2, 2]
    assert ben.get_ydata().tolist() == [0, 1, 1]
    assert [f"{time:%H:%M}" for time in num2date(ann.get_xdata()[:3])] == ["10:00", "10:00", "12:00"]
    assert ann.get_xdata()[-1] == ben.get_xdata()[-1] == figure.axes[0].get_xlim()[1]
    assert ann.get_linestyle() != ben.get_linestyle()


def test_lines_and_their_names_say_how_much_was_judged():
    titles = [("ann: 2 judgements", {"judge": "ann"}), ("ben: 1 judgement", {"judge": "ben"})]

    assert marks(judgements_over_time(TIMES)) == titles + titles


def test_counts_are_drawn_as_they_are():
    counts = TIMES.assign(n=[5, 3, 9])

    assert marks(judgements_over_time(counts))[0] == ("ann: 9 judgements", {"judge": "ann"})


def test_judgements_at_one_time_are_drawn_in_ten_minutes():
    low, high = time_figure(TIMES.assign(judged_at="2026-03-02 10:00"), "", "").axes[0].get_xlim()

    assert (high - low) * 24 * 60 == pytest.approx(10)


@pytest.mark.slow
def test_only_the_busiest_of_many_judges_are_named():
    rows = [(f"judge {i:02}", "2026-03-02 10:00") for i in range(40) for _ in range(i + 1)]
    shown = texts(judgements_over_time(pd.DataFrame(rows, columns=["assessor", "judged_at"])))

    assert {"judge 39", "judge 15"} <= set(shown)
    assert not {"judge 14", "judge 00"} & set(shown)


def test_long_lines_keep_evenly_spaced_points():
    times = pd.to_datetime("2026-03-02") + pd.to_timedelta(np.arange(1000), "s")
    counts = judgement_counts(pd.DataFrame({"assessor": "ann", "judged_at": times}), most=4)

    assert counts["n"].tolist() == [1, 334, 667, 1000]
    assert counts["judged_at"].iloc[-1] == times[-1]
    assert judgement_counts(TIMES.iloc[:0]).empty


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: forest_plot(PAIRS.iloc[:0]), "A forest plot needs at least one row"),
        (lambda: forest_plot(PAIRS.drop(columns="value")), "value is missing"),
        (lambda: forest_plot(PAIRS.assign(value=1.2)), "A kappa must be at most 1, not 1.2"),
        (lambda: forest_plot(PAIRS, kind="gif"), "not 'gif'"),
        (lambda: grade_shares(COUNTS.iloc[:0]), "not 0 judges and 3 grades"),
        (lambda: grade_shares(pd.concat([COUNTS, COUNTS])), "Each judge must occur once"),
        (lambda: grade_shares(COUNTS.assign(**{"3": -1})), "The counts must be whole numbers from 0"),
        (lambda: grade_shares(COUNTS.astype(float) + 0.5), "The counts must be whole numbers from 0"),
        (lambda: topic_dots(TOPICS.iloc[:0]), "A figure of topics needs at least one row"),
        (lambda: topic_dots(TOPICS.assign(query_id="1")), "Each topic must occur once"),
        (lambda: topic_dots(TOPICS.assign(value=2)), "A kappa must be at most 1"),
        (lambda: topic_dots(TOPICS.assign(n=None)), "n must be a number from 0"),
        (lambda: judgements_over_time(TIMES.iloc[:0]), "needs at least one row"),
        (lambda: judgements_over_time(TIMES[["assessor"]]), "judged_at is missing"),
        (lambda: judgements_over_time(TIMES.assign(judged_at=True)), "must contain only times"),
        (lambda: judgements_over_time(TIMES.assign(judged_at=None)), "none may be missing"),
    ],
    ids=range(16),
)
def test_invalid_input_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
