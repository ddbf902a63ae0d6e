"""Figures with two scales: one gold's scores against another's, precision against recall, cost against size."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.plots import growth, pr_curves, score_scatter
from agreement.plots.growth import _scale, slope
from agreement.plots.pr_curves import _figure as pr_figure
from agreement.plots.score_scatter import _figure as scatter_figure
from agreement.plots.score_scatter import spread
from tests.agreement.plots.test_slope_chart import KINDS, texts

X = pd.Series({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4})
Y = pd.Series({"a": 0.2, "b": 0.3, "c": 0.4, "d": 0.1})  # all 0.1 higher but d, 0.3 lower
CURVES = pd.DataFrame(
    [(f"s{i}", recall, (8 - i) / 10 * (1 - recall)) for i in range(8) for recall in (0.0, 0.5, 1.0)],
    columns=["system", "recall", "precision"],
)
POINTS = pd.DataFrame(
    {"series": ["fast"] * 3 + ["slow"] * 3, "size": [10, 100, 1000] * 2, "cpu": [0.01, 0.1, 1, 0.02, 2, 200]}
)


def scattered(x=X, y=Y, named=8, corner="", note=""):
    return scatter_figure(x, y, "under x", "under y", None, corner, named, note)


@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(
    "draw",
    [
        lambda kind: score_scatter(X, Y, "x", "y", kind=kind),
        lambda kind: pr_curves(CURVES, kind=kind),
        lambda kind: growth(POINTS, kind=kind),
    ],
    ids=["scatter", "pr", "growth"],
)
def test_the_same_input_gives_the_same_bytes(draw, kind, begin):
    chart = draw(kind)

    assert chart == draw(kind)
    assert chart.startswith(begin)


def test_every_system_is_a_point_between_equal_axes():
    axes = scattered().axes[0]
    points = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.get_lines() if line.get_marker() == "o"]

    assert points == [(0.1, 0.2), (0.2, 0.3), (0.3, 0.4), (0.4, 0.1)]
    assert axes.get_xlim() == axes.get_ylim()
    assert axes.bbox.width == pytest.approx(axes.bbox.height)


def test_a_gold_that_is_stricter_with_all_names_only_who_deviates_from_that():
    said = texts(score_scatter(X, Y, "under x", "under y", corner="tau_b -0.333", note="9 topics"))

    assert "d" in said
    assert not {"a", "b", "c"} & set(said)
    assert {"4 systems: under y against under x", "under x", "under y", "tau_b -0.333"} <= set(said)
    assert "Solid: equal scores; dashed: the median difference, +0.100. 9 topics" in said


def test_as_many_are_named_as_asked():
    y = pd.Series({"a": 0.1, "b": 0.25, "c": 0.5, "d": 0.1})
    # y - x: 0, 0.05, 0.2, -0.3; their median 0.025; away from it 0.025, 0.025, 0.175, 0.325

    def named(number):
        return [text.get_text() for text in scattered(y=y, named=number).axes[0].texts[1:]]

    assert named(0) == []
    assert named(2) == ["c", "d"]  # the higher point first
    assert named(3) == [
        "c",
        "d",
        "a",
    ]  # a and b deviate alike: a is first by name; d and a are as high: the right one first


def test_systems_with_one_score_are_counted_and_left_out():
    figure = scattered(x=X.drop("a"), y=Y.where(Y.index != "b"))

    assert any("2 systems without both scores left out" in text.get_text() for text in figure.texts)


def test_one_system_makes_a_scatter():
    assert "1 system: y against x" in texts(score_scatter(X[:1], X[:1], "x", "y"))


@given(
    heights=st.lists(st.floats(0, 1), max_size=10).map(lambda values: sorted(values, reverse=True)),
    step=st.floats(0.001, 0.1),
)
def test_names_keep_their_order_and_do_not_overlap(heights, step):
    placed = spread(heights, step, 0, 1)

    assert all(above - below >= step - 1e-9 for above, below in itertools.pairwise(placed))
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in placed)


def test_names_with_room_stay_at_their_points():
    assert spread([0.9, 0.5, 0.1], 0.1, 0, 1) == [0.9, 0.5, 0.1]


def test_the_best_six_curves_are_told_apart_and_the_others_grey():
    figure = pr_figure(CURVES, None, None, "")
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    lines = figure.axes[0].get_lines()

    assert legend == ["s0", "s1", "s2", "s3", "s4", "s5", "2 more"]
    assert len(lines) == 8
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines[2:]}) == 6
    assert lines[2].get_ydata().tolist() == pytest.approx([0.8, 0.4, 0.0])


def test_curves_can_be_highlighted_and_say_what_they_show():
    said = texts(pr_curves(CURVES, highlight=["s7", "s0"]))

    assert {"s7", "s0", "6 more", "recall", "precision", "Precision and recall of 8 systems"} <= set(said)
    assert "s1" not in said


def test_no_highlight_at_all_leaves_all_grey():
    figure = pr_figure(CURVES, None, [], "")

    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["8 systems"]


def test_points_are_joined_by_recall_whatever_their_order():
    figure = pr_figure(CURVES.iloc[::-1], None, ["s0"], "")

    assert figure.axes[0].get_lines()[-1].get_xdata().tolist() == [0.0, 0.5, 1.0]


def test_slopes_by_hand_are_in_the_legend():
    # fast: 100 times the size, 100 times the time; slow: 10000 times the time, so log 10^4 / log 10^2
    said = texts(growth(POINTS, x_label="judgements"))

    assert {"fast: slope 1.00", "slow: slope 2.00", "linear (slope 1)"} <= set(said)
    assert {"judgements", "CPU seconds", "CPU seconds against judgements", "10", "100", "1,000", "0.01"} <= set(said)


def test_slope_is_that_of_the_least_squares_line():
    rng = np.random.default_rng(5)
    size, cpu = rng.uniform(1, 1e6, 50), rng.uniform(0.01, 9, 50)

    assert slope(size, cpu) == pytest.approx(np.polyfit(np.log(size), np.log(cpu), 1)[0])


@given(power=st.floats(-3, 3), factor=st.floats(0.001, 1000))
def test_slope_of_a_power_is_the_power(power, factor):
    size = np.array([10.0, 20.0, 700.0])

    assert slope(size, factor * size**power) == pytest.approx(power, abs=1e-9)


def test_a_series_of_one_size_has_no_slope():
    assert slope([7, 7], [1, 2]) is None
    assert "fast: slope undefined (one size)" in texts(growth(POINTS.iloc[:1]))


@given(least=st.floats(1e-6, 1e6), times=st.floats(1, 1e6))
def test_the_axis_of_growth_has_two_numbers_at_least_and_holds_all_points(least, times):
    ticks, (low, high) = _scale(least, least * times)

    assert low < least <= least * times < high
    assert all(low <= tick <= high for tick in ticks)
    assert 2 <= len(ticks) <= 13


def test_names_are_inert():
    hostile = ["$x^2$", "<b>&", "שלום"]
    curves = pd.DataFrame({"system": hostile, "recall": 0.5, "precision": 0.5})
    points = pd.DataFrame({"series": hostile, "size": 1, "cpu": 2})
    x = pd.Series([0.1, 0.2, 0.6], hostile)

    assert set(hostile) <= set(texts(pr_curves(curves)))
    assert "$x^2$: slope undefined (one size)" in texts(growth(points))
    assert {"<b>&", "$y$"} <= set(texts(score_scatter(x, x[::-1] ** 2, "<b>&", "$y$")))


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda: score_scatter(X, Y[:0], "x", "y"), "needs a system that has both; there is none"),
        (lambda: score_scatter(pd.concat([X, X]), Y, "x", "y"), "each system is there once; 'a' is not"),
        (lambda: score_scatter(X, Y, "x", "y", named=-1), "0 or more systems are named; got -1"),
        (lambda: pr_curves(CURVES.iloc[:0]), "a precision-recall figure needs a row"),
        (lambda: pr_curves(CURVES.drop(columns="recall")), "recall lacks"),
        (lambda: pr_curves(CURVES.assign(recall=1.5)), "recall and precision are from 0 to 1"),
        (lambda: pr_curves(CURVES.assign(precision=np.nan)), "recall and precision are from 0 to 1"),
        (lambda: pr_curves(CURVES, highlight=["s9"]), "'s9' is none of the systems"),
        (lambda: pr_curves(CURVES, highlight=[f"s{i}" for i in range(7)]), "at most 6 systems are highlighted; got 7"),
        (lambda: growth(POINTS.iloc[:0]), "a figure of growth needs a row"),
        (lambda: growth(POINTS.assign(cpu=0)), "above 0"),
        (lambda: growth(pd.DataFrame({"series": range(7), "size": 1, "cpu": 1})), "at most 6 series are drawn; got 7"),
    ],
    ids=range(12),
)
def test_what_cannot_be_drawn_is_refused(draw, sentence):
    with pytest.raises(ValueError, match=sentence):
        draw()
