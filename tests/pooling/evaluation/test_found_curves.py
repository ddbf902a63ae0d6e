"""The figure of relevant documents found against judgements spent."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest

from pooling.evaluation import found_curves as curves
from pooling.evaluation.found_curves import found_curves

SPENT = np.arange(0, 101, 10)


def points_for(**rates):
    return {name: np.column_stack([SPENT, rate * SPENT]) for name, rate in rates.items()}


def texts(svg):
    return ["".join(node.itertext()).strip() for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def lines_drawn(points, chosen, total):
    figure = curves._figure(points, chosen, total, "", "")
    return figure.axes[0].get_lines()


@pytest.mark.in_ci
def test_same_input_gives_the_same_bytes():
    chart = found_curves(points_for(depth=0.2), 30, title="Found")

    assert chart == found_curves(points_for(depth=0.2), 30, title="Found")
    assert chart.startswith(b"<?xml")


def test_figure_does_not_depend_on_user_settings_or_date():
    chart = found_curves(points_for(depth=0.2), 30)

    with mpl.rc_context({"font.size": 20, "svg.fonttype": "path", "axes.grid": True}):
        assert found_curves(points_for(depth=0.2), 30) == chart
    for word in (b"Date", b"dc:date", b"Creator"):
        assert word not in chart


def test_title_and_note_are_shown():
    chart = found_curves(points_for(depth=0.2), 30, title="Found & spent", note="12 topics")

    assert {"Found & spent", "12 topics", "judgements spent", "relevant documents found"} <= set(texts(chart))
    assert ET.fromstring(chart).findtext("{http://www.w3.org/2000/svg}title") == "Found & spent"


def test_legend_names_highlighted_strategies_and_counts_the_others():
    drawn = texts(found_curves(points_for(depth=0.2, rrf=0.3, random=0.1), 30, highlight=["depth", "rrf"]))

    assert {"depth", "rrf", "1 more", "ideal (30 relevant in all)"} <= set(drawn)
    assert "random" not in drawn


def test_six_strategies_that_found_most_are_highlighted_by_default():
    rates = {f"s{number}": number / 10 for number in range(1, 9)}

    drawn = texts(found_curves(points_for(**rates), 80))

    assert {f"s{number}" for number in range(3, 9)} | {"2 more"} <= set(drawn)
    assert "s2" not in drawn


def test_curves_are_drawn_through_their_points():
    line, _ = lines_drawn(points_for(depth=0.5), ["depth"], 50)

    assert list(line.get_xdata()) == list(SPENT)
    assert list(line.get_ydata()) == [spent / 2 for spent in SPENT]


def test_ideal_rises_by_one_per_judgement_until_all_are_found():
    _, ideal = lines_drawn(points_for(depth=0.2), ["depth"], 30)

    assert list(zip(ideal.get_xdata(), ideal.get_ydata(), strict=True)) == [(0, 0), (30, 30), (100, 30)]


def test_ideal_ends_where_the_budget_is_spent():
    _, ideal = lines_drawn(points_for(depth=0.2), ["depth"], 500)

    assert max(ideal.get_xdata()) == 100


def test_curves_differ_without_colour():
    points = points_for(a=0.1, b=0.2, c=0.3, d=0.4, e=0.5, f=0.6)
    lines = lines_drawn(points, list(points), 60)[:6]

    assert len({(line.get_marker(), str(line._unscaled_dash_pattern)) for line in lines}) == 6
    assert len({line.get_marker() for line in lines}) == 6


def test_nothing_spent_and_nothing_found_can_be_drawn():
    assert found_curves({"depth": [(0, 0)]}, 0).startswith(b"<?xml")


@pytest.mark.parametrize(
    ("points", "total", "options", "message"),
    [
        ({}, 0, {}, "A figure needs at least one strategy"),
        ({"depth": [(0, 0), (10, 11)]}, 50, {}, "'depth' must find between 0 and as many documents"),
        ({"depth": [(0, 0), (10, -1)]}, 50, {}, "'depth' must find between 0 and as many documents"),
        ({"depth": [(0, 0), (10, np.nan)]}, 50, {}, "'depth' must find between 0 and as many documents"),
        ({"depth": [(0, 0), (50, 20)]}, 5, {}, "'depth' found 20 relevant documents, but there are 5"),
        ({"depth": [(0, 0)]}, 5, {"highlight": ["borda"]}, "Cannot highlight strategy 'borda'"),
        ({"depth": [(0, 0)]}, 5, {"highlight": ["depth"] * 7}, "At most 6 strategies can be highlighted, not 7"),
    ],
)
def test_invalid_points_and_options_are_refused(points, total, options, message):
    with pytest.raises(ValueError, match=message):
        found_curves(points, total, **options)


@pytest.mark.slow
def test_command_imports_matplotlib_only_for_a_figure():
    code = "import sys, pooling.__main__; sys.exit('matplotlib' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
