"""The map of pairs of systems that differ significantly, or swap."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from agreement.plots import system_pairs
from agreement.plots.systems.system_pairs import _figure
from pooling.palette import DEEP, PALE
from tests.agreement.plots.test_marks import marks
from tests.agreement.plots.test_rows import names
from tests.agreement.plots.test_slope_chart import KINDS, texts

SYSTEMS = ["bm25", "$lsa$", "<random>"]
PAIRS = pd.DataFrame(
    {"a": ["bm25", "<random>"], "b": ["<random>", "$lsa$"], "value": [0.301, -0.02], "is_strong": [True, False]}
)

LABELS = ("", "not significant", "significant")


def every_pair(number):
    systems = [f"s{i}" for i in range(number)]
    rows = [(a, b, 0.1, i == 0) for i, a in enumerate(systems) for b in systems[i + 1 :]]
    return pd.DataFrame(rows, columns=["a", "b", "value", "is_strong"]), systems


@pytest.mark.parametrize(("kind", "begin"), KINDS)
def test_same_input_gives_the_same_bytes(kind, begin):
    chart = system_pairs(PAIRS, SYSTEMS, kind=kind)

    assert chart == system_pairs(PAIRS, SYSTEMS, kind=kind)
    assert chart.startswith(begin)


def test_the_earlier_system_of_a_pair_is_the_row():
    figure = _figure(PAIRS, SYSTEMS, None, "difference", LABELS, "")
    colours = {cell.get_xy(): to_hex(cell.get_facecolor()) for cell in figure.axes[0].patches if cell.get_gid()}

    assert names(figure) == ["bm25", "$lsa$"]
    assert colours == {(1, 0): DEEP, (1, 1): PALE}


def test_cells_have_numbers_and_name_both_systems():
    chart = system_pairs(PAIRS, SYSTEMS)

    assert {"2 pairs of 3 systems: difference", ".30", "−.02", "significant", "not significant"} <= set(texts(chart))
    assert marks(chart) == [
        ("bm25 and <random>: difference 0.301, significant", {"systems": "bm25\n<random>"}),
        ("<random> and $lsa$: difference −0.020, not significant", {"systems": "<random>\n$lsa$"}),
    ]


def test_a_map_without_pairs_has_its_names():
    assert {"bm25", "<random>"} <= set(texts(system_pairs(PAIRS.iloc[:0], SYSTEMS)))


def test_more_than_41_systems_are_one_picture_whose_rows_answer():
    chart = system_pairs(*every_pair(42))

    assert chart.count(b"<image") == 1
    assert ("s0 and the systems below it: 41 of 41 significant", {"system": "s0"}) in marks(chart)
    assert ("s1 and the systems below it: 0 of 40 significant", {"system": "s1"}) in marks(chart)
    assert "s1" not in texts(chart)


@pytest.mark.parametrize(("number", "width", "are_named"), [(6, 2.95, True), (25, 2.95, False), (37, 6.05, True)])
def test_columns_are_as_narrow_as_the_place_and_lose_their_names_on_a_phone(number, width, are_named):
    pairs, systems = every_pair(number)
    figure = _figure(pairs, systems, "", "difference", LABELS, "", width)

    assert figure.get_figwidth() <= width
    assert (systems[-1] in {text.get_text() for text in figure.axes[0].texts}) is are_named


@pytest.mark.parametrize(
    ("pairs", "systems", "message"),
    [
        (PAIRS, ["bm25"], "at least two systems, not 1"),
        (PAIRS, ["bm25", "bm25"], "Each system must occur once"),
        (PAIRS, ["bm25", "<random>"], "the pair of '\\$lsa\\$' cannot be drawn"),
        (PAIRS.assign(b=PAIRS["a"]), SYSTEMS, "of two systems, not of one"),
        (PAIRS.assign(value=["x", "y"]), SYSTEMS, "value must contain only numbers"),
        (PAIRS.drop(columns="value"), SYSTEMS, "value is missing"),
    ],
    ids=["one", "twice", "unknown", "itself", "text", "column"],
)
def test_invalid_input_is_refused(pairs, systems, message):
    with pytest.raises(ValueError, match=f"(?i){message}"):
        system_pairs(pairs, systems)


def test_a_missing_value_is_drawn_as_missing():
    chart = system_pairs(PAIRS.assign(value=[np.nan, 0.1]), SYSTEMS)

    assert marks(chart)[0][0] == "bm25 and <random>: difference missing, significant"
    assert "nan" not in texts(chart)


def test_cells_without_a_pair_may_have_a_meaning():
    swaps = texts(system_pairs(PAIRS.iloc[:1], SYSTEMS, none="same order", weak="swap"))

    assert {"same order", "significant"} <= set(swaps)
    assert "swap" not in swaps  # the legend has only what is drawn
    assert "same order" not in texts(system_pairs(every_pair(3)[0], ["s0", "s1", "s2"], none="same order"))


def test_many_systems_are_one_picture_on_a_phone():
    pairs, systems = every_pair(25)

    assert b"<image" not in system_pairs(pairs, systems, width=6.05)
    assert b"<image" in system_pairs(pairs, systems, width=2.95)
