"""The heat map of tau_b by gold and measure."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from agreement.plots import tau_by_measure
from agreement.plots.tau_by_measure import _figure
from pooling.palette import SHADES
from tests.agreement.plots.test_marks import marks
from tests.agreement.plots.test_rows import names
from tests.agreement.plots.test_slope_chart import KINDS, texts

TAUS = pd.DataFrame({"AP": [1.0, 0.5], "$nDCG$": [None, -0.4]}, ["judge:ann", "<union>"]).astype("Float64")


@pytest.mark.parametrize(("kind", "begin"), KINDS)
def test_same_input_gives_the_same_bytes(kind, begin):
    chart = tau_by_measure(TAUS, kind=kind)

    assert chart == tau_by_measure(TAUS, kind=kind)
    assert chart.startswith(begin)


def test_golds_are_rows_and_the_darkest_cell_is_one():
    figure = _figure(TAUS, None, "nist", "")
    cells = {cell.get_xy(): cell for cell in figure.axes[0].patches}

    assert names(figure) == ["judge:ann", "<union>"]
    assert to_hex(cells[0, 0].get_facecolor()) == SHADES[-1]
    assert to_hex(cells[1, 1].get_facecolor()) == SHADES[0]
    assert cells[1, 0].get_hatch() == "////"


def test_cells_have_numbers_and_name_the_two_golds():
    chart = tau_by_measure(TAUS, reference="nist")

    assert {"tau_b with nist: 2 golds, 2 measures", "1.00", ".50", "−.40", "tau_b −0.4"} <= set(texts(chart))
    assert ("judge:ann by $nDCG$: tau_b undefined", {"gold": "nist\njudge:ann"}) in marks(chart)
    assert ("<union> by AP: tau_b 0.500", {"gold": "nist\n<union>"}) in marks(chart)


def test_all_values_may_be_undefined():
    assert "tau_b 0.5" in texts(tau_by_measure(TAUS * np.nan))


@pytest.mark.parametrize(
    ("taus", "message"),
    [
        (TAUS.iloc[:0], "not 0 golds and 2 measures"),
        (pd.concat([TAUS, TAUS]), "Each gold must occur once"),
        (pd.concat([TAUS, TAUS], axis=1), "Each measure must occur once"),
        (TAUS.astype(object).replace(1.0, "x"), "must contain only numbers"),
    ],
    ids=["empty", "golds", "measures", "text"],
)
def test_invalid_input_is_refused(taus, message):
    with pytest.raises(ValueError, match=message):
        tau_by_measure(taus)


def test_many_golds_have_names():
    golds = [f"g{i}" for i in range(70)]

    assert {"g0", "g69"} <= set(texts(tau_by_measure(pd.DataFrame({"AP": 0.5}, golds))))
