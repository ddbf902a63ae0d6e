"""The heat map of tau_b: every pair of golds, undefined values, and readable numbers on every shade."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from agreement.estimate import Estimate
from agreement.plots import tau_heat_map
from agreement.plots.shades import contrast
from agreement.plots.tau_heat_map import _figure
from tests.agreement.plots.test_slope_chart import KINDS, shift_of, texts
from tests.agreement.shift.test_shift import by_hand, gold_of


def cell_texts(figure):
    """Return the first text of each cell, by row and column."""
    return {(int(text.get_position()[1]), int(text.get_position()[0])): text for text in reversed(figure.axes[0].texts)}


def with_tau(value):
    shift = by_hand().only("z")
    pair = replace(shift.pairs[0], tau_b=Estimate(value, "tau_b"))
    return replace(shift, pairs=(pair,))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "begin"), KINDS)
def test_same_input_gives_the_same_bytes(kind, begin):
    chart = tau_heat_map(by_hand(), kind=kind)

    assert chart == tau_heat_map(by_hand(), kind=kind)
    assert chart.startswith(begin)


def test_both_cells_of_a_pair_contain_its_tau():
    cells = {place: text.get_text() for place, text in cell_texts(_figure(by_hand(), None)).items()}

    # x and z: -2 / sqrt(6), as test_shift has it; x and y: pairs ac tied under y, ab turned, bc not: 0
    assert cells[0, 2] == cells[2, 0] == "-0.816"
    assert cells[0, 1] == cells[1, 0] == "0.000"
    assert cells[0, 0] == cells[1, 1] == "–"


@pytest.mark.parametrize("coefficient", ["tau_b", "tau", "tau_ap_b", "rbo"])
def test_cells_contain_the_chosen_coefficient(coefficient):
    shift = shift_of(x=gold_of("x"), z=gold_of("z"))
    value = getattr(shift.pairs[0], coefficient)

    cells = cell_texts(_figure(shift, None, coefficient))

    assert cells[0, 1].get_text() == ("undefined" if value is None else value.shown())


def test_tau_is_undefined_if_systems_are_tied():
    drawn = texts(tau_heat_map(by_hand(), coefficient="tau"))  # y ties two systems

    assert "undefined" in drawn
    assert any("tied systems" in text for text in drawn)


def test_unknown_coefficient_is_refused():
    with pytest.raises(ValueError, match="must be one of tau_b, tau, tau_ap_b, rbo, not 'kappa'"):
        tau_heat_map(by_hand(), coefficient="kappa")


def test_the_reference_comes_first():
    shift = replace(by_hand(), reference="z")

    labels = [label.get_text() for label in _figure(shift, None).axes[0].get_yticklabels()]

    assert labels == ["z", "x", "y"]


def test_figure_has_title_labels_and_number_of_topics():
    drawn = texts(tau_heat_map(by_hand()))

    assert {"tau_b between golds, 3 systems by AP", "1 topic. Stronger is more similar."} <= set(drawn)
    assert drawn.count("gold") == 2


def test_undefined_tau_is_hatched_and_explained():
    shift = shift_of(topics=("1", "2"), x=gold_of("x", "1"), y=gold_of("y", "2"))
    figure = _figure(shift, None)

    assert [text.get_text() for text in figure.axes[0].texts].count("undefined") == 2
    assert [patch.get_hatch() for patch in figure.axes[0].patches] == ["////", "////"]
    assert "0 topics. Stronger is more similar. Undefined: no topic in common." in texts(tau_heat_map(shift))


def test_different_numbers_of_topics_are_in_the_cells():
    shift = shift_of(topics=("1", "2"), x=gold_of("x", "12"), y=gold_of("y", "12"), z=gold_of("z", "2"))
    drawn = texts(tau_heat_map(shift))

    assert drawn.count("2 topics") == 2
    assert drawn.count("1 topic") == 4


@pytest.mark.in_ci
def test_higher_tau_is_darker():
    def brightness(value):
        (cell, _) = _figure(with_tau(value), None).axes[0].patches
        return sum(to_rgb(cell.get_facecolor()))

    brightnesses = [brightness(value) for value in (0.5, 0.7, 0.8, 0.9, 1.0)]

    assert brightnesses == sorted(brightnesses, reverse=True)
    assert len(set(brightnesses)) == 5


@pytest.mark.in_ci
@pytest.mark.parametrize("value", np.linspace(-1, 1, 9).tolist())
def test_numbers_have_enough_contrast_on_every_shade(value):
    axes = _figure(with_tau(value), None).axes[0]

    ink, shade = cell_texts(axes.figure)[0, 1].get_color(), axes.patches[0].get_facecolor()

    assert contrast(to_rgb(ink), shade[:3]) >= 4


def test_contrast_by_hand():
    assert contrast("white", "black") == pytest.approx(21)  # (1 + 0.05) / (0 + 0.05)
    assert contrast("#777777", "#777777") == 1


def test_single_gold_asks_for_a_second_one():
    drawn = texts(tau_heat_map(by_hand().only()))

    assert "x is the only gold. Add a second one to compare." in drawn


def test_names_of_golds_are_displayed_literally_and_vertically_if_long():
    shift = shift_of(**{"$x^2$": gold_of("x"), "<i>" + "w" * 40: gold_of("z")})
    figure = _figure(shift, None)

    assert {"$x^2$", "<i>" + "w" * 40} <= set(texts(tau_heat_map(shift)))
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {90}
