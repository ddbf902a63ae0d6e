"""Figures of judges: values with intervals, the matrix of kappas, and pace against agreement."""

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from agreement.plots import kappa_matrix, pace_scatter, value_intervals
from agreement.plots.kappa_matrix import _figure as matrix_figure
from agreement.plots.value_intervals import _figure as values_figure
from pooling.palette import DEEP, SHADES
from tests.agreement.plots.test_slope_chart import KINDS, texts

VALUES = pd.DataFrame(
    {"name": ["a and b", "<a> and $c$", "b and c"], "value": [0.5, None, -0.25], "low": [0.2, None, None]}
).assign(high=[0.8, None, None])
PAIRS = pd.DataFrame({"judge_a": ["a", "b", "c"], "judge_b": ["b", "c", "a"], "kappa": [1, None, -0.2], "n": [9, 0, 4]})
PACE = pd.DataFrame({"judge": ["ann", "$ben$"], "seconds": [8, 21.5], "kappa": [0.4, -0.1]})


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(
    "draw",
    [
        lambda kind: value_intervals(VALUES, kind=kind),
        lambda kind: kappa_matrix(PAIRS, "abc", kind=kind),
        lambda kind: pace_scatter(PACE, kind=kind),
    ],
    ids=["values", "matrix", "pace"],
)
def test_same_input_gives_the_same_bytes(draw, kind, begin):
    chart = draw(kind)

    assert chart == draw(kind)
    assert chart.startswith(begin)


def test_each_value_has_a_dot_and_an_interval_if_it_is_known():
    axes = values_figure(VALUES, "", ("kappa", "judges"), "95% interval", "").axes[0]
    dots, _ = axes.get_lines()  # the second one is at 0
    (intervals,) = axes.collections

    assert dots.get_xdata().tolist() == pytest.approx([0.5, float("nan"), -0.25], nan_ok=True)
    assert dots.get_ydata().tolist() == [0, 1, 2]
    assert [segment.tolist() for segment in intervals.get_segments()] == [[[0.2, 0], [0.8, 0]]]
    assert axes.get_xlim() == pytest.approx((-0.28, 1.03))
    assert [text.get_text() for text in axes.texts] == ["undefined"]


def test_values_without_intervals_have_no_legend_of_intervals():
    drawn = texts(value_intervals(VALUES[["name", "value"]], "Kappas", value="kappa", method="How."))

    assert {"Kappas", "kappa", "judges", "<a> and $c$"} <= set(drawn)
    assert not {"95% interval", "How."} & set(drawn)
    assert {"95% interval", "How."} <= set(texts(value_intervals(VALUES, method="How.")))


def test_a_reason_is_in_its_row_if_it_fits_and_always_in_the_mark():
    values = VALUES.assign(reason=["", "too few of them have a value", ""])
    for width, shown in ((6.0, "undefined (too few of them have a value)"), (2.95, "undefined")):
        axes = values_figure(values, "", ("kappa", "judges"), "95% interval", "", width=width).axes[0]
        assert [text.get_text() for text in axes.texts] == [shown]
        assert "b: undefined (too few" in value_intervals(values.assign(name="b"), width=width).decode()


def test_more_rows_than_are_named_are_thin_and_count_those_without_a_value():
    options = {"value": "kappa", "rows": "judges", "method": "How."}
    drawn = texts(value_intervals(VALUES, **options, most_named=1))

    assert "How. 1 judge without a value." in drawn
    assert not {"a and b", "b and c", "undefined"} & set(drawn)
    assert {"a and b", "b and c", "undefined"} <= set(texts(value_intervals(VALUES, **options, most_named=3)))


def test_undefined_values_alone_are_drawn_from_zero_to_one():
    axes = values_figure(VALUES.assign(value=None, low=None, high=None), "", ("x", "y"), "", "").axes[0]
    assert axes.get_xlim() == pytest.approx((-0.03, 1.03))


def test_cells_of_the_matrix_are_below_the_diagonal():
    axes = matrix_figure(PAIRS, ["c", "a", "b"], "", "").axes[0]
    cells = {cell.get_xy(): to_hex(cell.get_facecolor()) for cell in axes.patches}

    # c is first, a second, b third: a and b are in row 2, column 1.
    assert cells == {(1, 2): SHADES[-1], (0, 2): "#ffffff", (0, 1): SHADES[0]}
    assert cells[1, 2] == DEEP
    shown = {text.get_position(): text.get_text() for text in axes.texts[3:]}
    assert shown == {(1.5, 2.5): "100", (0.5, 2.5): "", (0.5, 1.5): "-20"}
    assert [text.get_text() for text in axes.texts[:3]] == ["c", "a", "b"]


def test_undefined_kappa_of_a_pair_with_common_items_is_a_question_mark():
    assert "?" in texts(kappa_matrix(PAIRS.assign(n=1), "abc"))
    assert "?" not in texts(kappa_matrix(PAIRS, "abc"))


def test_points_have_the_names_of_the_judges():
    assert {"ann", "$ben$", "2 judges"} <= set(texts(pace_scatter(PACE, note="2 judges")))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: value_intervals(VALUES.iloc[:0]), "A figure of values needs at least one row"),
        (lambda: value_intervals(VALUES.drop(columns="value")), "value is missing"),
        (lambda: value_intervals(VALUES.assign(low="x")), "low must contain only numbers"),
        (lambda: value_intervals(VALUES.assign(value=None), most_named=2), "needs at least one that is known"),
        (lambda: kappa_matrix(PAIRS.iloc[:0], "abc"), "A matrix of kappas needs at least one row"),
        (lambda: kappa_matrix(PAIRS, "ab"), "'c' is not one of the judges"),
        (lambda: kappa_matrix(PAIRS, "abca"), "Each judge must occur once"),
        (lambda: kappa_matrix(PAIRS.assign(judge_b="a"), "abc"), "A pair needs two judges, not 'a' twice"),
        (lambda: kappa_matrix(PAIRS.assign(kappa=1.5), "abc"), "A kappa must be at most 1, not 1.5"),
        (lambda: pace_scatter(PACE.iloc[:0]), "A figure of pace and agreement needs at least one row"),
        (lambda: pace_scatter(PACE.assign(seconds=[1, None])), "none may be missing"),
        (lambda: pace_scatter(PACE.assign(seconds=-1)), "Seconds must be at least 0"),
        (lambda: pace_scatter(PACE.assign(judge="ann")), "Each judge must occur once"),
    ],
    ids=range(13),
)
def test_invalid_input_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
