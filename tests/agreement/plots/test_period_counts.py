"""Counts by period: bars, and names that have space."""

import itertools

import pandas as pd
import pytest

from agreement.plots import period_counts
from agreement.plots.page import axes_size, max_text_width
from agreement.plots.period_counts import GAP, LABEL, _figure
from tests.agreement.plots.test_slope_chart import KINDS, texts

DAYS = pd.DataFrame({"period": ["2026-03-01", "2026-03-02", "2026-03-03"], "n": [12, 0, 30]})
HOURS = pd.DataFrame({"period": [f"2026-03-0{1 + h // 24} {h % 24:02}" for h in range(48)], "n": range(48)})


@pytest.mark.parametrize(("kind", "begin"), KINDS)
def test_same_input_gives_the_same_bytes(kind, begin):
    chart = period_counts(DAYS, kind=kind)

    assert chart == period_counts(DAYS.copy(), kind=kind)
    assert chart.startswith(begin)


def test_each_period_has_a_bar_from_zero():
    axes = _figure(DAYS, "", "day", "judgements", "").axes[0]

    assert [(bar.get_y(), bar.get_height()) for bar in axes.patches] == [(0, 12), (0, 0), (0, 30)]
    assert axes.get_ylim() == (0, 31.5)  # 30 and 5 %
    assert [tick.get_text() for tick in axes.get_xticklabels()] == list(DAYS["period"])


def test_labels_title_and_note_are_shown():
    drawn = texts(period_counts(DAYS, "Judgements of <news>", unit="day (UTC)", note="$x$"))
    assert {"Judgements of <news>", "day (UTC)", "judgements", "$x$"} <= set(drawn)


@pytest.mark.parametrize("width", [6.05, 2.95])
@pytest.mark.parametrize("number", [1, 2, 5, 6, 7, 30, 48])
def test_names_do_not_overlap(number, width):
    rows = HOURS.iloc[:number]
    axes = _figure(rows, "", "hour", "judgements", "", width).axes[0]
    ticks = [float(tick) for tick in axes.get_xticks()]
    low, high = axes.get_xlim()
    widest = max_text_width(rows["period"], LABEL)

    assert ticks[0] == 0
    for one, other in itertools.pairwise(ticks):
        assert (other - one) * axes_size(axes)[0] / (high - low) >= widest + 0.8 * GAP


def test_width_is_that_of_the_figure():
    wide, narrow = (_figure(DAYS, "", "day", "judgements", "", width) for width in (6.05, 2.95))
    assert wide.get_size_inches()[0] - narrow.get_size_inches()[0] == pytest.approx(3.1)
    assert wide.get_size_inches()[0] == pytest.approx(6.05)


def test_hours_without_a_judgement_are_drawn():
    assert period_counts(DAYS.assign(n=0)).startswith(b"<?xml")


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (DAYS.iloc[:0], "A figure of counts needs at least one row"),
        (DAYS.drop(columns="n"), "n is missing"),
        (DAYS.assign(n=[1, -1, 2]), "whole numbers from 0"),
        (DAYS.assign(n=[1, 1.5, 2]), "whole numbers from 0"),
        (DAYS.assign(n=[1, None, 2]), "whole numbers from 0"),
        (DAYS.assign(period="today"), "Each period must occur once"),
    ],
)
def test_impossible_counts_are_an_error(counts, message):
    with pytest.raises(ValueError, match=message):
        period_counts(counts)
