"""Figures of systems: shared documents, differences on topics, and all scores as a heat map."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from agreement.plots import pool_overlap, score_differences, score_map
from agreement.plots.systems.cells import MOST_CELLS
from agreement.plots.systems.pool_overlap import _figure as overlap_figure
from agreement.plots.systems.score_differences import _figure as differences_figure
from agreement.plots.systems.score_map import _figure as map_figure
from pooling.palette import ACCENT, DEEP, SHADES
from tests.agreement.plots.test_marks import marks
from tests.agreement.plots.test_rows import names
from tests.agreement.plots.test_slope_chart import KINDS, texts

RUNS = ["a", "$b$", "<c>"]
SHARES = pd.DataFrame([[1.0, 0.2, 0.1], [0.8, 1.0, 0.6], [0.4, 0.5, 1.0]], RUNS, RUNS)
SCORES = pd.DataFrame([[0.1, 0.9], [0.3, None], [0.0, 0.5]], ["low", "$x$", "none"], ["7", "8"])
DIFFERENCES = pd.Series({"7": -0.1, "8": 0.4, "9": None, "10": 0.0}, name="nist")
FIGURES = [
    (pool_overlap, (SHARES,)),
    (score_map, (SCORES,)),
    (score_differences, (DIFFERENCES, "bm25", "lsa")),
]


def scores_of(n_systems, n_topics):
    values = np.linspace(0, 1, n_systems * n_topics).reshape(n_systems, n_topics)
    return pd.DataFrame(values, [f"s{i}" for i in range(n_systems)], [f"t{i}" for i in range(n_topics)])


@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(("draw", "data"), FIGURES, ids=["overlap", "map", "differences"])
def test_same_input_gives_the_same_bytes(draw, data, kind, begin):
    chart = draw(*data, kind=kind)

    assert chart == draw(*data, kind=kind)
    assert chart.startswith(begin)


def test_runs_with_the_most_shared_documents_come_first():
    figure = overlap_figure(SHARES, None, "")
    cells = {cell.get_xy(): to_hex(cell.get_facecolor()) for cell in figure.axes[0].patches}

    assert names(figure) == ["$b$", "<c>", "a"]
    assert cells[0, 0] == DEEP
    assert cells[1, 2] == SHADES[0]  # 0.1 of the documents of a are in <c>
    assert cells[2, 0] == SHADES[6]  # 0.8 of the documents of $b$ are in a


def test_cells_of_runs_have_percentages():
    drawn = texts(pool_overlap(SHARES, note="10 ranks"))

    assert {"Pooled documents that 3 runs share", "100", "80", "10", "0%", "100%", "10 ranks"} <= set(drawn)
    title, runs = marks(pool_overlap(SHARES))[2]
    assert (title, runs) == ("80% of the documents of $b$ are also in a", {"systems": "$b$\na"})


def test_the_order_of_the_columns_does_not_matter():
    assert pool_overlap(SHARES) == pool_overlap(SHARES[["<c>", "a", "$b$"]])


def test_missing_shares_are_hatched_and_explained():
    shares = SHARES.astype("Float64")
    shares.loc["a"] = None
    figure = overlap_figure(shares, None, "")

    assert [cell.get_hatch() for cell in figure.axes[0].patches].count("////") == 3
    assert "100%; missing: hatched" in texts(pool_overlap(shares))


def test_the_best_system_and_the_easiest_topic_come_first():
    figure = map_figure(SCORES, None, "AP", ["low"], "")
    axes = figure.axes[0]

    assert names(figure) == ["8", "7"]
    assert [text.get_text() for text in axes.texts if text.get_text() in SCORES.index] == ["low", "$x$", "none"]
    assert [cell.get_hatch() for cell in axes.patches].count("////") == 1
    assert [cell.get_xy() for cell in axes.patches if to_hex(cell.get_edgecolor()) == ACCENT] == [(0, 0)]


def test_cells_of_scores_name_system_and_topic():
    chart = score_map(SCORES, measure="AP")

    assert {"AP of 3 systems on 2 topics", ".90", ".10", "AP 0", "1; missing: hatched"} <= set(texts(chart))
    assert marks(chart)[0] == ("low on topic 8: AP 0.900", {"system": "low", "topic": "8"})
    assert ("$x$ on topic 8: AP missing", {"system": "$x$", "topic": "8"}) in marks(chart)


def test_shades_reach_scores_above_one():
    assert {"score -2.5", "3.2; missing: hatched"} <= set(texts(score_map(SCORES.assign(**{"9": [3.14, -2.5, 1.0]}))))


@pytest.mark.slow
def test_many_columns_give_up_numbers_and_then_names():
    some, more = texts(score_map(scores_of(21, 5))), texts(score_map(scores_of(41, 5), highlight=["s7"]))

    assert {"s0", "s20", "t4"} <= set(some)
    assert not any(text.startswith(".") for text in some)
    assert {"s7", "41 systems", "t4"} <= set(more)
    assert "s8" not in more


@pytest.mark.slow
def test_a_map_of_129_systems_and_250_topics_is_small_and_answers():
    chart = score_map(scores_of(129, 250), measure="AP", highlight=["s1", "s2"])
    titles = dict(marks(chart))

    assert MOST_CELLS < 129 * 250
    assert len(chart) < 2_000_000
    assert chart.count(b"<image") == 1
    assert {"129 systems", "250 topics", "s1", "s2"} <= set(texts(chart))
    assert len(titles) == 129 + 250
    assert titles["s128: mean AP 0.996"] == {"system": "s128"}
    assert {"topic": "t0"} in titles.values()


def test_names_of_topics_are_left_of_the_means_beside_a_picture():
    figure = map_figure(scores_of(40, 50), None, "AP", [], "")
    figure.draw_without_rendering()
    axes = figure.axes[0]
    strip = min(part.get_window_extent().x0 for part in axes.patches)

    assert MOST_CELLS < 40 * 50
    assert max(label.get_window_extent().x1 for label in axes.get_yticklabels()) < strip
    assert min(label.get_window_extent().x0 for label in axes.get_yticklabels()) >= 0


@pytest.mark.slow
def test_overlap_of_129_runs_is_one_picture_with_marks():
    runs = [f"r{i}" for i in range(129)]
    chart = pool_overlap(pd.DataFrame(np.eye(129), runs, runs))

    assert len(chart) < 1_000_000
    assert chart.count(b"<image") == 1
    assert ("r0: another run has 0% of its documents, mean", {"system": "r0"}) in marks(chart)
    assert ("r0: has 0% of the documents of another run, mean", {"system": "r0"}) in marks(chart)


def test_bars_are_sorted_and_their_side_says_who_is_ahead():
    figure = differences_figure(DIFFERENCES, "bm25", "lsa", None, "AP", None, "")
    bars = [(bar.get_width(), to_hex(bar.get_facecolor())) for bar in figure.axes[0].patches if bar.get_width() != 1]

    assert names(figure) == ["8", "10", "7"]
    assert bars == [(0.4, DEEP), (0.0, ACCENT), (-0.1, ACCENT)]


def test_differences_are_labelled():
    other = pd.Series({"7": 0.2, "8": None}, name="judge:ann")
    chart = score_differences(DIFFERENCES, "bm25", "lsa", measure="AP", other=other)

    assert {"bm25 minus lsa: AP on 3 topics", "bm25 ahead under nist", "lsa ahead under nist"} <= set(texts(chart))
    assert {"under judge:ann", "1 topic without a difference left out.", "AP, difference"} <= set(texts(chart))
    assert marks(chart) == [
        ("8: +0.400 under nist", {"topic": "8"}),
        ("10: +0.000 under nist", {"topic": "10"}),
        ("7: −0.100 under nist, +0.200 under judge:ann", {"topic": "7"}),
    ]


@pytest.mark.slow
def test_many_topics_have_thin_bars_without_names():
    differences = pd.Series(np.linspace(-1, 1, 250), [f"t{i}" for i in range(250)])
    chart = score_differences(differences, "a", "b")

    assert "t249" not in texts(chart)
    assert marks(chart)[0] == ("t249: +1.000", {"topic": "t249"})


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: pool_overlap(SHARES.iloc[:0, :0]), "at least one run"),
        (lambda: pool_overlap(SHARES[["a", "$b$"]]), "The columns of the shares must be the runs"),
        (lambda: pool_overlap(SHARES * 2), "A share must be from 0 to 1"),
        (lambda: pool_overlap(SHARES.rename(index={"a": "$b$"})), "Each run must occur once"),
        (lambda: score_map(SCORES.iloc[:0]), "0 systems on 2 topics have none"),
        (lambda: score_map(SCORES * np.nan), "A map needs at least one score"),
        (lambda: score_map(pd.concat([SCORES, SCORES])), "Each system must occur once"),
        (lambda: score_map(SCORES, highlight=["x"]), "Cannot highlight 'x'"),
        (lambda: score_map(SCORES, highlight=["low"] * 7), "At most 6 systems"),
        (lambda: score_differences(DIFFERENCES * np.nan, "a", "b"), "at least one topic with a difference"),
        (lambda: score_differences(pd.Series([1, 2], ["7", "7"]), "a", "b"), "Each topic must occur once"),
        (lambda: score_differences(DIFFERENCES, "a", "b", kind="gif"), "not 'gif'"),
    ],
    ids=range(12),
)
def test_invalid_input_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
