"""Figures with two numeric axes: scores, precision, cost, kappa against prevalence, gain, and sizes of pools."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.plots import gain_curve, growth, pr_curves, prevalence_curve, score_scatter, size_by_depth
from agreement.plots.gain_curve import _figure as gain_figure
from agreement.plots.growth import _ticks_and_limits, slope
from agreement.plots.pr_curves import _figure as pr_figure
from agreement.plots.prevalence_curve import _figure as prevalence_figure
from agreement.plots.score_scatter import _figure as scatter_figure
from agreement.plots.score_scatter import spread_heights
from agreement.plots.size_by_depth import _figure as size_figure
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
KAPPAS = pd.DataFrame({"prevalence": [0.5, 0.1, 0.05], "kappa": [0.6, -0.11, None]})  # P(A) 0.8; impossible at 0.05
SIZES = pd.DataFrame({"depth": [2, 1, 3], "mean": [4, 2.5, 4.5], "smallest": [3, 2, 3], "largest": [5, 3, 6]})
GAIN = pd.DataFrame({"n_judged": [0, 1, 2, 3, 4], "found": [0, 1, 1, 2, 2]})


def scattered(x=X, y=Y, named=8, corner="", note=""):
    return scatter_figure(x, y, "under x", "under y", None, corner, named, note)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(
    "draw",
    [
        lambda kind: score_scatter(X, Y, "x", "y", kind=kind),
        lambda kind: pr_curves(CURVES, kind=kind),
        lambda kind: growth(POINTS, kind=kind),
        lambda kind: prevalence_curve(KAPPAS, (0.3, 0.52), kind=kind),
        lambda kind: gain_curve(GAIN, kind=kind),
        lambda kind: size_by_depth(SIZES, kind=kind, pool=4, depth=2),
    ],
    ids=["scatter", "pr", "growth", "prevalence", "gain", "sizes"],
)
def test_same_input_gives_the_same_bytes(draw, kind, begin):
    chart = draw(kind)

    assert chart == draw(kind)
    assert chart.startswith(begin)


def test_every_system_is_a_point_on_equal_axes():
    axes = scattered().axes[0]
    points = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.get_lines() if line.get_marker() == "o"]

    assert points == [(0.1, 0.2), (0.2, 0.3), (0.3, 0.4), (0.4, 0.1)]
    assert axes.get_xlim() == axes.get_ylim()
    assert axes.bbox.width == pytest.approx(axes.bbox.height)


def test_only_systems_that_deviate_from_the_median_difference_are_named():
    drawn = texts(score_scatter(X, Y, "under x", "under y", corner="tau_b -0.333", note="9 topics"))

    assert "d" in drawn
    assert not {"a", "b", "c"} & set(drawn)
    assert {"4 systems: under y against under x", "under x", "under y", "tau_b -0.333"} <= set(drawn)
    assert "Solid: equal scores; dashed: the median difference, +0.100. 9 topics" in drawn


def test_number_of_named_systems_is_limited():
    y = pd.Series({"a": 0.1, "b": 0.25, "c": 0.5, "d": 0.1})
    # y - x: 0, 0.05, 0.2, -0.3; their median 0.025; distances from it 0.025, 0.025, 0.175, 0.325

    def named(number):
        return [text.get_text() for text in scattered(y=y, named=number).axes[0].texts[1:]]

    assert named(0) == []
    assert named(2) == ["c", "d"]  # the higher point first
    assert named(3) == [
        "c",
        "d",
        "a",
    ]  # a and b deviate equally, a is first by name; d and a have the same height, the one at the right is first


def test_systems_with_one_score_are_left_out_and_counted():
    figure = scattered(x=X.drop("a"), y=Y.where(Y.index != "b"))

    assert any("2 systems without both scores left out" in text.get_text() for text in figure.texts)


def test_one_system_makes_a_scatter():
    assert "1 system: y against x" in texts(score_scatter(X[:1], X[:1], "x", "y"))


@given(
    heights=st.lists(st.floats(0, 1), max_size=10).map(lambda values: sorted(values, reverse=True)),
    step=st.floats(0.001, 0.1),
)
def test_names_keep_their_order_and_do_not_overlap(heights, step):
    placed = spread_heights(heights, step, 0, 1)

    assert all(above - below >= step - 1e-9 for above, below in itertools.pairwise(placed))
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in placed)


def test_names_with_enough_space_are_not_moved():
    assert spread_heights([0.9, 0.5, 0.1], 0.1, 0, 1) == [0.9, 0.5, 0.1]


def test_best_six_curves_are_highlighted_and_the_others_grey():
    figure = pr_figure(CURVES, None, None, "")
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    lines = figure.axes[0].get_lines()

    assert legend == ["s0", "s1", "s2", "s3", "s4", "s5", "2 more"]
    assert len(lines) == 8
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines[2:]}) == 6
    assert lines[2].get_ydata().tolist() == pytest.approx([0.8, 0.4, 0.0])


def test_chosen_curves_are_highlighted_and_labelled():
    drawn = texts(pr_curves(CURVES, highlight=["s7", "s0"]))

    assert {"s7", "s0", "6 more", "recall", "precision", "Precision and recall of 8 systems"} <= set(drawn)
    assert "s1" not in drawn


def test_empty_highlight_draws_all_curves_grey():
    figure = pr_figure(CURVES, None, [], "")

    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["8 systems"]


def test_points_are_joined_in_order_of_recall():
    figure = pr_figure(CURVES.iloc[::-1], None, ["s0"], "")

    assert figure.axes[0].get_lines()[-1].get_xdata().tolist() == [0.0, 0.5, 1.0]


def test_slopes_by_hand_are_in_the_legend():
    # fast: 100 times the size, 100 times the time; slow: 10000 times the time, so log 10^4 / log 10^2
    drawn = texts(growth(POINTS, x_label="judgements"))

    assert {"fast: slope 1.00", "slow: slope 2.00", "linear (slope 1)"} <= set(drawn)
    assert {"judgements", "CPU seconds", "CPU seconds against judgements", "10", "100", "1,000", "0.01"} <= set(drawn)


def test_slope_equals_the_least_squares_line():
    rng = np.random.default_rng(5)
    size, cpu = rng.uniform(1, 1e6, 50), rng.uniform(0.01, 9, 50)

    assert slope(size, cpu) == pytest.approx(np.polyfit(np.log(size), np.log(cpu), 1)[0])


@given(power=st.floats(-3, 3), factor=st.floats(0.001, 1000))
def test_slope_of_a_power_function_is_its_exponent(power, factor):
    size = np.array([10.0, 20.0, 700.0])

    assert slope(size, factor * size**power) == pytest.approx(power, abs=1e-9)


def test_series_with_one_size_has_no_slope():
    assert slope([7, 7], [1, 2]) is None
    assert "fast: slope undefined (one size)" in texts(growth(POINTS.iloc[:1]))


@given(lowest=st.floats(1e-6, 1e6), times=st.floats(1, 1e6))
def test_axis_of_growth_has_at_least_two_ticks_and_contains_all_points(lowest, times):
    ticks, (low, high) = _ticks_and_limits(lowest, lowest * times)

    assert low < lowest <= lowest * times < high
    assert all(low <= tick <= high for tick in ticks)
    assert 2 <= len(ticks) <= 13


def test_names_are_displayed_literally():
    hostile = ["$x^2$", "<b>&", "שלום"]
    curves = pd.DataFrame({"system": hostile, "recall": 0.5, "precision": 0.5})
    points = pd.DataFrame({"series": hostile, "size": 1, "cpu": 2})
    x = pd.Series([0.1, 0.2, 0.6], hostile)

    assert set(hostile) <= set(texts(pr_curves(curves)))
    assert "$x^2$: slope undefined (one size)" in texts(growth(points))
    assert {"<b>&", "$y$"} <= set(texts(score_scatter(x, x[::-1] ** 2, "<b>&", "$y$")))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: score_scatter(X, Y[:0], "x", "y"), "needs at least one system with both scores, but there is none"),
        (
            lambda: score_scatter(pd.concat([X, X]), Y, "x", "y"),
            "Each system must occur once, but 'a' occurs more than once",
        ),
        (lambda: score_scatter(X, Y, "x", "y", named=-1), "named must be at least 0, not -1"),
        (lambda: pr_curves(CURVES.iloc[:0]), "A precision-recall figure needs at least one row"),
        (lambda: pr_curves(CURVES.drop(columns="recall")), "recall is missing"),
        (lambda: pr_curves(CURVES.assign(recall=1.5)), "Recall and precision must be from 0 to 1"),
        (lambda: pr_curves(CURVES.assign(precision=np.nan)), "Recall and precision must be from 0 to 1"),
        (lambda: pr_curves(CURVES, highlight=["s9"]), "Cannot highlight 's9'"),
        (
            lambda: pr_curves(CURVES, highlight=[f"s{i}" for i in range(7)]),
            "At most 6 systems can be highlighted, not 7",
        ),
        (lambda: growth(POINTS.iloc[:0]), "A figure of growth needs at least one row"),
        (lambda: growth(POINTS.assign(cpu=0)), "above 0"),
        (
            lambda: growth(pd.DataFrame({"series": range(7), "size": 1, "cpu": 1})),
            "At most 6 series can be drawn, not 7",
        ),
    ],
    ids=range(12),
)
def test_invalid_input_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_prevalence_curve_is_ordered_by_prevalence_and_has_the_dot_of_the_judges():
    line, dot = prevalence_figure(KAPPAS, (0.3, 0.52), "", "").axes[0].get_lines()

    assert line.get_xdata().tolist() == [0.05, 0.1, 0.5]
    np.testing.assert_array_equal(line.get_ydata(), [np.nan, -0.11, 0.6])
    assert (dot.get_xdata(), dot.get_ydata()) == ([0.3], [0.52])


@pytest.mark.parametrize(("kappa", "lowest"), [(0.2, 0), (0, 0), (-0.11, -0.25), (-0.25, -0.25), (-1, -1), (None, 0)])
def test_kappa_axis_ends_at_zero_or_at_the_tick_below_the_lowest_kappa(kappa, lowest):
    points = pd.DataFrame({"prevalence": [0.1, 0.5], "kappa": [kappa, 0.6 if kappa is not None else None]})

    assert prevalence_figure(points, None, "", "").axes[0].get_ylim() == (lowest, 1)


@pytest.mark.parametrize(
    ("prevalence", "kappa", "problem"),
    [
        (1.2, 0.5, "Prevalence must be between 0 and 1, not 1.2."),
        (0.5, -1.5, "Kappa must be between -1 and 1, not -1.5."),
        (0.5, "high", "kappa must contain only numbers, not 'high'."),
    ],
)
def test_prevalence_curve_refuses_values_outside_their_range(prevalence, kappa, problem):
    with pytest.raises(ValueError, match=problem.replace(".", r"\.")):
        prevalence_curve(pd.DataFrame({"prevalence": [prevalence], "kappa": [kappa]}))


def test_a_phone_has_a_narrow_prevalence_curve_with_the_same_text():
    narrow = prevalence_curve(KAPPAS, width=2.95)

    assert b'width="212.4pt"' in narrow
    assert b"font-size: 7" not in narrow
    with pytest.raises(ValueError, match=r"The width must be at least 2 inches, not 1\."):
        prevalence_curve(KAPPAS, width=1)


def test_gain_curve_rises_where_a_judged_document_is_relevant():
    axes = gain_figure(GAIN, "", "").axes[0]
    (line,) = axes.get_lines()

    assert line.get_drawstyle() == "steps-post"
    assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)]
    assert axes.get_xlim() == (0, 4)


@pytest.mark.parametrize(
    ("n_judged", "found", "message"),
    [
        ([0, 1], [0, 2], "whole numbers with 0 <= found <= n_judged"),
        ([0, 1.5], [0, 1], "whole numbers"),
        ([0, 1, 2], [0, 1, 0], "must not decrease"),
        ([], [], "at least one row"),
        ([0, 1], [0, None], "whole numbers"),
    ],
)
def test_gain_curve_with_impossible_numbers_is_an_error(n_judged, found, message):
    with pytest.raises(ValueError, match=message):
        gain_curve(pd.DataFrame({"n_judged": n_judged, "found": found}))


def test_gain_curve_of_a_topic_without_judgements_is_drawn():
    assert gain_curve(pd.DataFrame({"n_judged": [0], "found": [0]})).startswith(b"<?xml")


def test_sizes_are_ordered_by_depth_and_the_pool_is_marked():
    axes = size_figure(SIZES, "", 4, 2, "").axes[0]
    mean, pool, depth = axes.get_lines()
    (band,) = axes.collections

    assert list(zip(mean.get_xdata(), mean.get_ydata(), strict=True)) == [(1, 2.5), (2, 4), (3, 4.5)]
    assert (list(pool.get_ydata()), list(depth.get_xdata())) == ([4, 4], [2, 2])
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert corners == {(1, 2), (2, 3), (3, 3), (1, 3), (2, 5), (3, 6)}
    assert axes.get_xlim() == (1, 3)
    assert axes.get_ylim() == pytest.approx((0, 6.3))  # the largest topic, 6, and 5 %


def test_depth_beyond_the_figure_is_not_marked():
    assert len(size_figure(SIZES, "", 4, 9, "").axes[0].get_lines()) == 2
    assert len(size_figure(SIZES, "", None, None, "").axes[0].get_lines()) == 1
    assert "this pool" not in texts(size_by_depth(SIZES))
    assert "this pool" in texts(size_by_depth(SIZES, pool=30))


def test_size_at_one_depth_is_a_dot():
    (mean,) = size_figure(SIZES.iloc[:1], "", None, None, "").axes[0].get_lines()
    assert mean.get_marker() == "o"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"depth": [1, 2, 2]}, "Each depth must occur once"),
        ({"depth": [0, 1, 2]}, "Depths must be at least 1, not 0"),
        ({"mean": [4, 2.5, 7]}, "Each mean must be from the smallest to the largest"),
        ({"largest": [5, None, 6]}, "must not be missing"),
        ({"mean": "many"}, "mean must contain only numbers"),
    ],
)
def test_impossible_sizes_are_an_error(changed, message):
    with pytest.raises(ValueError, match=message):
        size_by_depth(SIZES.assign(**changed))
