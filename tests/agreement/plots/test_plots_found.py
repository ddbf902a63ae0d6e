"""The figure of relevant documents found against judgements spent."""

import pandas as pd
import pytest

from agreement.plots import found_curves as found
from agreement.plots.found_curves import found_curves
from tests.agreement.plots.test_plots import texts

SPENT = range(0, 101, 10)


def points_of(**rates):
    rows = [(name, spent, rate * spent) for name, rate in rates.items() for spent in SPENT]
    return pd.DataFrame(rows, columns=["strategy", "spent", "found"])


def axes_of(points, highlight=None, total=None):
    return found._figure(points, None, highlight, total, "").axes[0]


@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_the_same_input_gives_the_same_bytes(kind, begin):
    chart = found_curves(points_of(depth=0.2), kind=kind)

    assert chart == found_curves(points_of(depth=0.2), kind=kind)
    assert chart.startswith(begin)


def test_every_strategy_that_is_told_apart_is_in_the_legend_and_the_others_are_counted():
    said = texts(found_curves(points_of(depth=0.2, rrf=0.3, random=0.1), highlight=["depth", "rrf"]))

    assert {"depth", "rrf", "1 more", "judgements spent", "relevant documents found"} <= set(said)
    assert "random" not in said


def test_without_a_choice_the_six_that_found_most_are_told_apart():
    rates = {f"s{number}": number / 10 for number in range(1, 9)}

    said = texts(found_curves(points_of(**rates)))

    assert {f"s{number}" for number in range(3, 9)} | {"2 more"} <= set(said)
    assert "s2" not in said


def test_the_points_are_drawn_where_they_are_in_order_of_what_was_spent():
    (line,) = axes_of(points_of(depth=0.5).iloc[::-1]).get_lines()

    assert list(line.get_xdata()) == list(SPENT)
    assert list(line.get_ydata()) == [spent / 2 for spent in SPENT]


def test_the_most_that_can_be_is_one_with_each_judgement_until_all_are_found():
    _, most = axes_of(points_of(depth=0.2), total=30).get_lines()

    assert list(zip(most.get_xdata(), most.get_ydata(), strict=True)) == [(0, 0), (30, 30), (100, 30)]


def test_the_most_that_can_be_does_not_go_beyond_what_was_spent():
    _, most = axes_of(points_of(depth=0.2), total=500).get_lines()

    assert max(most.get_xdata()) == 100


def test_strategies_are_told_apart_without_colour():
    lines = axes_of(points_of(a=0.1, b=0.2, c=0.3, d=0.4, e=0.5, f=0.6)).get_lines()

    assert len({(line.get_marker(), str(line._unscaled_dash_pattern)) for line in lines}) == 6
    assert len({line.get_marker() for line in lines}) == 6


def test_nothing_spent_and_nothing_found_can_be_drawn():
    assert found_curves(pd.DataFrame({"strategy": ["depth"], "spent": [0], "found": [0]})).startswith(b"<?xml")


@pytest.mark.parametrize(
    ("change", "options", "sentence"),
    [
        ({"found": 200.0}, {}, "what is found is from 0 to what is spent"),
        ({"found": -1.0}, {}, "what is found is from 0 to what is spent"),
        ({"found": None}, {}, "what is found is from 0 to what is spent"),
        ({}, {"total": 5}, "there are 5 relevant documents; 20 were found"),
        ({}, {"highlight": ["borda"]}, "'borda' is none of the strategies"),
        ({}, {"highlight": ["depth"] * 7}, "at most 6 strategies are highlighted; got 7"),
        ({}, {"kind": "gif"}, "a figure is one of svg, pdf, png"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(change, options, sentence):
    points = points_of(depth=0.2).astype({"found": "Float64"})
    for column, value in change.items():
        points.loc[5, column] = value

    with pytest.raises(ValueError, match=sentence):
        found_curves(points, **options)


def test_a_table_without_a_column_or_row_is_refused():
    with pytest.raises(ValueError, match="found lacks"):
        found_curves(points_of(depth=0.2).drop(columns="found"))
    with pytest.raises(ValueError, match="the table is empty"):
        found_curves(points_of(depth=0.2).iloc[:0])
