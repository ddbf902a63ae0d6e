"""Figures with a row for each system or topic: score ranges, rank intervals, per-topic scores."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from agreement.plots import rank_interval_chart, score_ranges, topic_scores, value_intervals
from agreement.plots.page import display_name, max_text_width, shorten
from agreement.plots.rank_interval_chart import _figure as ranks_figure
from agreement.plots.score_ranges import _figure as ranges_figure
from agreement.plots.topic_scores import _figure as topics_figure
from tests.agreement.plots.test_slope_chart import KINDS, texts

SYSTEMS = pd.DataFrame(
    {
        "system": ["low", "$x_1$", "<high>"],
        "mean": [0.1, 0.3, 0.5],
        "least": [0.0, 0.2, 0.4],
        "greatest": [0.2, 0.6, 0.7],
    }
)
RANKS = pd.DataFrame({"system": ["c", "a", "b"], "rank": [3, 1, 1], "low": [2, 1, 1], "high": [3, 2, 1]})
TABLE = pd.DataFrame(
    [[0.1, 0.9, 0.5], [0.2, 0.8, 0.5], [0.6, 1.0, 0.5]], ["s1", "s2", "s3"], pd.Index(["7", "8", "9"], name="query_id")
)


MANY = [f"{'a' * (number % 40)}-run-{number:02}" for number in range(37)]  # up to 45 letters
WIDTH = 2.95
TEXT = re.compile(r'<text style="font-size: 8px[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>([\d.]+)</text>')


def many(name, *columns):
    numbers = [[number, number, number + 5] for number in range(1, 38)]
    return pd.DataFrame(numbers, columns=list(columns)).assign(**{name: MANY})


MANY_VALUES = many("name", "low", "value", "high")
MANY_VALUES[["low", "value", "high"]] /= 42
FOR_PHONE = [
    (score_ranges, many("system", "least", "mean", "greatest")),
    (rank_interval_chart, many("system", "low", "rank", "high")),
    (value_intervals, MANY_VALUES),
]


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def bars(figure, number=0):
    """Return the horizontal bars from the top, as (from, to)."""
    return [(segment[0][0], segment[1][0]) for segment in figure.axes[0].collections[number].get_segments()]


def dots(figure, number=0):
    line = figure.axes[0].get_lines()[number]
    return list(zip(line.get_xdata(), line.get_ydata(), strict=True))


def ranged(systems=SYSTEMS, title=None, measure="AP", draws=100, marks=None, note=""):
    return ranges_figure(systems, title, measure, draws, marks, note)


@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(
    ("draw", "data"),
    [(score_ranges, SYSTEMS), (rank_interval_chart, RANKS), (topic_scores, TABLE)],
    ids=["s", "r", "t"],
)
def test_same_input_gives_the_same_bytes(draw, data, kind, begin):
    chart = draw(data, kind=kind)

    assert chart == draw(data.copy(), kind=kind)
    assert chart.startswith(begin)


def test_score_ranges_are_drawn_best_first():
    figure = ranged()

    assert names(figure) == ["<high>", "$x_1$", "low"]
    assert bars(figure) == [(0.4, 0.7), (0.2, 0.6), (0.0, 0.2)]
    assert dots(figure) == [(0.5, 0), (0.3, 1), (0.1, 2)]
    assert figure.axes[0].get_ylim() == (2.5, -0.5)  # the first row at the top


def test_score_ranges_are_labelled():
    drawn = texts(score_ranges(SYSTEMS, measure="AP(rel=2)", draws=100, note="seed 1"))

    assert {"3 systems by AP(rel=2), over 100 mixed golds", "AP(rel=2)", "system", "mean", "minimum to maximum"} <= set(
        drawn
    )
    assert {"<high>", "$x_1$", "low", "seed 1"} <= set(drawn)


def test_marks_are_drawn_in_the_rows_of_their_systems():
    figure = ranged(marks=pd.Series({"low": 0.15, "<high>": 0.45}, name="nist"))

    x, y = np.array(dots(figure, 1)).T
    assert y.tolist() == [0, 1, 2]
    assert x[0] == 0.45
    assert np.isnan(x[1])  # no mark for this system
    assert x[2] == 0.15
    assert "nist" in [text.get_text() for text in figure.legends[0].get_texts()]


def test_system_without_a_score_is_undefined_at_the_bottom():
    figure = ranged(SYSTEMS.assign(mean=pd.array([0.1, None, 0.5], dtype="Float64")))

    assert names(figure) == ["<high>", "low", "$x_1$"]
    assert [(text.get_text(), text.get_position()[1]) for text in figure.axes[0].texts] == [("undefined", 2)]


@pytest.mark.slow
def test_many_rows_have_numbers_at_the_top_too():
    many = pd.DataFrame({"system": [f"s{i:02}" for i in range(60)], "mean": 0.5, "least": 0.4, "greatest": 0.6})
    figure = ranged(many)

    assert names(figure) == list(many["system"])  # ties by name
    assert texts(score_ranges(many)).count("0.500") == 2


def test_rank_intervals_are_drawn_best_first_from_rank_one():
    figure = ranks_figure(RANKS, None, 0.95, "")

    assert names(figure) == ["b", "a", "c"]  # a and b share rank 1; b's interval ends earlier
    assert bars(figure) == [(1, 1), (1, 2), (2, 3)]
    assert dots(figure) == [(1, 0), (1, 1), (3, 2)]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["1", "2", "3"]


def test_rank_intervals_are_labelled():
    drawn = texts(rank_interval_chart(RANKS, confidence=0.9, note="43 topics"))

    assert {"Ranks of 3 systems, with 90% interval", "90% interval", "rank (1 is the best)", "43 topics"} <= set(drawn)


def test_undefined_interval_is_labelled():
    figure = ranks_figure(RANKS.assign(low=pd.NA), None, None, "")

    assert [text.get_text() for text in figure.axes[0].texts] == ["undefined"] * 3


def test_topics_are_drawn_easiest_first():
    figure = topics_figure(TABLE, None, "AP", ["s3"], "")

    assert names(figure) == ["8", "9", "7"]
    assert bars(figure, 0) == [(0.8, 1.0), (0.5, 0.5), (0.1, 0.6)]
    assert np.allclose(bars(figure, 1), [(0.85, 0.95), (0.5, 0.5), (0.15, 0.4)])  # halfway between scores
    assert dots(figure, 0) == [(0.9, 0), (0.5, 1), (0.2, 2)]
    assert dots(figure, 1) == [(1.0, 0), (0.5, 1), (0.6, 2)]


def test_topics_are_labelled():
    drawn = texts(topic_scores(TABLE, measure="nDCG@10", highlight=["s1", "s2"]))

    assert {"nDCG@10 of 3 systems on 3 topics", "nDCG@10", "topic, by median", "median of the systems"} <= set(drawn)
    assert {"s1", "s2", "7", "8", "9", "middle half", "range"} <= set(drawn)


def test_topic_without_a_score_is_labelled_at_the_bottom():
    figure = topics_figure(TABLE.assign(**{"8": np.nan}), None, "AP", [], "")

    assert names(figure) == ["9", "7", "8"]
    assert [(text.get_text(), text.get_position()[1]) for text in figure.axes[0].texts] == [("no score", 2)]


def test_one_system_and_one_topic_make_figures():
    assert "1 system by score" in texts(score_ranges(SYSTEMS.iloc[:1]))
    assert "Ranks of 1 system, with interval" in texts(rank_interval_chart(RANKS.iloc[1:2]))
    assert "score of 1 system on 1 topic" in texts(topic_scores(TABLE.iloc[:1, :1]))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda: score_ranges(SYSTEMS.iloc[:0]),
            "A chart of score ranges needs at least one row, but the table is empty",
        ),
        (lambda: score_ranges(SYSTEMS[["system", "mean"]]), "greatest, but least, greatest is missing"),
        (lambda: score_ranges(SYSTEMS.assign(system="a")), "Each system must occur once, but 'a' occurs"),
        (lambda: score_ranges(SYSTEMS.assign(mean="much")), "mean must contain only numbers, not 'much'"),
        (lambda: rank_interval_chart(RANKS.iloc[:0]), "A chart of rank intervals needs at least one row"),
        (lambda: score_ranges(SYSTEMS, marks=pd.Series([1, 2], ["a", "a"])), "Each marked system must occur once"),
        (lambda: topic_scores(pd.concat([TABLE, TABLE])), "Each system must occur once, but 's1' occurs"),
        (lambda: topic_scores(TABLE.iloc[:0]), "at least one system and one topic, not 0 systems and 3 topics"),
        (lambda: topic_scores(TABLE, highlight=["s9"]), "Cannot highlight 's9'"),
        (lambda: topic_scores(TABLE, highlight=["s1"] * 5), "At most 4 systems can be highlighted, not 5"),
    ],
    ids=range(10),
)
def test_invalid_input_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize(("draw", "data"), FOR_PHONE, ids=["scores", "ranks", "values"])
def test_a_width_for_phones_keeps_the_size_of_text_and_the_ends_of_long_names(draw, data):
    narrow = draw(data, width=WIDTH)

    assert b'width="212.4pt"' in narrow
    assert b"font-size: 7" not in narrow
    shown = [text for text in texts(narrow) if text[-3:] in {f"-{number:02}" for number in range(37)}]
    assert len(shown) == len(set(shown)) == 37
    assert max_text_width(shown) < WIDTH - 1.4  # the rest is for the axes
    assert "…" in "".join(shown)
    assert "…" not in "".join(texts(draw(data)))


@pytest.mark.parametrize(("draw", "data"), FOR_PHONE, ids=["scores", "ranks", "values"])
def test_the_numbers_of_a_narrow_axis_touch_nothing(draw, data):
    lines = {}
    for x, y, text in TEXT.findall(draw(data, width=WIDTH).decode()):
        width = max_text_width([text], 8)
        lines.setdefault(y, []).append((float(x) / 72 - width / 2, float(x) / 72 + width / 2))
    numbers = [sorted(line) for line in lines.values() if len(line) > 1]

    assert len(numbers) == 2  # above and below the rows
    for line in numbers:
        assert all(right + 0.04 < left for (_, right), (left, _) in pairwise(line))


@pytest.mark.parametrize(("draw", "data"), FOR_PHONE[:2], ids=["scores", "ranks"])
def test_an_empty_title_is_no_title(draw, data):
    assert any("37 systems" in text for text in texts(draw(data)))
    assert not any("37 systems" in text for text in texts(draw(data, title="")))


def test_a_long_name_is_shortened_once():
    name = display_name("a" * 50 + "b" * 50)

    assert shorten(name, 2.0).count("…") == 1
    assert shorten(name, None) == name
