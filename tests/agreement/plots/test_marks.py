"""Marks of figures: titles and names in SVG files."""

import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from matplotlib.lines import Line2D

from agreement import plots
from agreement.plots.marks import mark

SVG = "{http://www.w3.org/2000/svg}"


def marks(file: bytes) -> list[tuple[str, dict[str, str]]]:
    """Return the title of each mark, and its names."""
    groups = [group for group in ET.fromstring(file).iter(f"{SVG}g") if "mark" in group.get("class", "").split()]
    return [
        (group.find(f"{SVG}title").text, {name[5:]: value for name, value in group.items() if name.startswith("data-")})
        for group in groups
    ]


def test_a_row_says_its_numbers_and_whose_they_are():
    ranks = pd.DataFrame({"system": ["a", "b"], "rank": [1, 2], "low": [1, 1], "high": [2, None]})
    assert marks(plots.rank_interval_chart(ranks)) == [("a: rank 1, interval 1 to 2", {"system": "a"})]


def test_a_cell_names_both_judges():
    pairs = pd.DataFrame({"judge_a": ["ada", "ada", "ben"], "judge_b": ["ben", "cleo", "cleo"]})
    file = plots.kappa_matrix(pairs.assign(kappa=[0.7, -0.2, None], n=[20, 1, 3]), ["cleo", "ada", "ben"])
    assert marks(file) == [
        ("ada and ben: 0.700, 20 common items", {"judges": "ada\nben"}),
        ("ada and cleo: −0.200, 1 common item", {"judges": "ada\ncleo"}),
        ("ben and cleo: undefined, 3 common items", {"judges": "ben\ncleo"}),
    ]


@pytest.mark.parametrize("name", ['"><script>alert(1)</script>', "a\x00b", "‮abc", '<g id="mark:{}">', "{'a'}", "&amp;"])
def test_hostile_names_are_text(name):
    systems = pd.DataFrame({"system": [name], "mean": [0.4], "least": [0.3], "greatest": [0.5]})
    ((title, names),) = marks(plots.score_ranges(systems))
    assert title.endswith(": mean 0.400, 0.300 to 0.500")
    assert list(names) == ["system"]
    assert names["system"].replace("�", "") == name.replace("\x00", "").replace("‮", "")


@pytest.mark.in_ci
@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_other_files_have_no_marks(kind):
    systems = pd.DataFrame({"system": ["alpha"], "mean": [0.4], "least": [0.3], "greatest": [0.5]})
    assert b"mark:" not in plots.score_ranges(systems, kind=kind)


def test_only_known_kinds_are_named():
    with pytest.raises(ValueError, match="not 'colour'"):
        mark(Line2D([], []), "x", colour="red")
