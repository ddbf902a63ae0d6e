"""The slope chart: well-formed, the same bytes each time, readable names, whatever they are."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from agreement import ranking_shift
from agreement.plots import slope_chart
from tests.agreement.test_shift import SYSTEMS, gold_of, runs_of


def shift_of(systems=SYSTEMS, topics=("1",), **golds):
    golds = golds or {"x": gold_of("x"), "z": gold_of("z")}
    return ranking_shift(runs_of(systems, topics), golds, "AP")


def texts(svg):
    return ["".join(node.itertext()).strip() for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_same_input_gives_the_same_bytes(kind, begin):
    chart = slope_chart(shift_of(), kind=kind)

    assert chart == slope_chart(shift_of(), kind=kind)
    assert chart.startswith(begin)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="a figure is one of svg, pdf; got 'gif'"):
        slope_chart(shift_of(), kind="gif")


def test_every_system_and_gold_is_named():
    said = texts(slope_chart(shift_of()))

    assert {"a 1", "b 2", "c 3", "1 c", "2 a", "2 b"} <= {" ".join(text.split()) for text in said}
    assert {"x, 1 topic", "z", "rises against x", "falls", "keeps its rank", "3 systems ranked by AP"} <= set(said)


def test_the_kinds_of_line_differ_without_colour():
    svg = slope_chart(shift_of()).decode()

    assert svg.count("stroke-dasharray") >= 2  # a falls; and in the legend
    assert "stroke-width: 1.8" in svg
    assert "stroke-width: 0.8" in svg


@pytest.mark.parametrize("name", ["$x^2$", "<b>&", "a_{b}", "ü$", "x" * 60])
def test_names_are_shown_as_they_are(name):
    said = texts(slope_chart(shift_of({name: "xyz", "b": "zyx"}), title=name))

    assert name in said
    assert any(text.startswith(name) and text.endswith("1") for text in said)


def test_golds_with_other_topics_have_a_panel_of_their_own():
    x = gold_of("x", "12").replace({"relevance": {0: 0}})
    x.loc[x["query_id"] == "2", "relevance"] = [0, 0, 1]  # topic 2 prefers z
    shift = shift_of(topics=("1", "2"), ref=x, same=gold_of("y", "12"), other=gold_of("y", "2"))

    said = texts(slope_chart(shift))

    assert "ref, 2 topics" in said
    assert "ref, 1 topic" in said


def test_golds_without_a_common_topic_are_left_out():
    said = texts(slope_chart(shift_of(topics=("1", "2"), x=gold_of("x", "1"), y=gold_of("y", "2"))))

    assert "y" not in said


def test_importing_the_package_does_not_import_matplotlib_or_django():
    code = "import sys, agreement; sys.exit(bool({'matplotlib', 'django', 'scipy'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
