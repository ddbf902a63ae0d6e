"""The slope chart, and properties of all figures: the same bytes each time, and names that are displayed safely."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from agreement import plots, ranking_shift
from agreement.plots import slope_chart
from agreement.plots.page import display_name, display_text, legend_columns, text_width, wrap
from agreement.plots.slope_chart import _figure, _legend
from agreement.plots.style import SETTINGS
from tests.agreement.shift.test_shift import SYSTEMS, gold_of, runs_of
from tests.slow_cases import slow_cases

EVERY_KIND = [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
KINDS = [*EVERY_KIND[:1], *slow_cases(EVERY_KIND[1:])]  # of other figures, which are saved as the slope chart is


def shift_of(systems=SYSTEMS, topics=("1",), **golds):
    golds = golds or {"x": gold_of("x"), "z": gold_of("z")}
    return ranking_shift(runs_of(systems, topics), golds, "AP")


def texts(svg):
    return ["".join(node.itertext()).strip() for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def lines_of(axes):
    """Return the lines of a panel, as (from, to, width)."""
    return sorted((*map(int, line.get_ydata()), line.get_linewidth()) for line in axes.get_lines())


@pytest.mark.in_ci
@pytest.mark.parametrize(("kind", "begin"), EVERY_KIND)
def test_same_input_gives_the_same_bytes(kind, begin):
    chart = slope_chart(shift_of(), kind=kind)

    assert chart == slope_chart(shift_of(), kind=kind)
    assert chart.startswith(begin)


@pytest.mark.soak
@pytest.mark.slow
def test_another_process_gives_the_same_bytes():
    code = (
        "import sys; from agreement import plots; from tests.agreement.plots.test_slope_chart import shift_of;"
        "sys.stdout.buffer.write(plots.slope_chart(shift_of()) + plots.tau_heat_map(shift_of()))"
    )
    settings = {"PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=os.environ | settings)

    assert result.stdout == slope_chart(shift_of()) + plots.tau_heat_map(shift_of())


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_user_settings_are_ignored_and_kept(kind):
    usual = slope_chart(shift_of(), kind=kind)
    with mpl.rc_context({"font.size": 20, "axes.grid": True, "svg.fonttype": "path", "figure.facecolor": "red"}):
        assert slope_chart(shift_of(), kind=kind) == usual
        assert mpl.rcParams["font.size"] == 20
        assert mpl.rcParams["svg.fonttype"] == "path"


def test_threads_can_draw_at_the_same_time():
    shift = shift_of()
    usual = slope_chart(shift)

    with ThreadPoolExecutor(4) as pool:
        charts = list(pool.map(lambda _: slope_chart(shift), range(8)))

    assert set(charts) == {usual}


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_files_contain_no_date_and_no_software(kind):
    chart = slope_chart(shift_of(), kind=kind)

    for word in (b"Date", b"Creator", b"Producer", b"Software", b"dc:date"):
        assert word not in chart


def test_svg_contains_its_title_for_screen_readers():
    svg = ET.fromstring(slope_chart(shift_of(), title="Ranks & more"))

    assert svg.findtext("{http://www.w3.org/2000/svg}title") == "Ranks & more"


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="A figure must be one of svg, pdf, png, not 'gif'"):
        slope_chart(shift_of(), kind="gif")


def test_package_exports_only_figures():
    assert {name for name in dir(plots) if callable(getattr(plots, name))} == set(plots.__all__)


def test_every_system_and_gold_is_named():
    drawn = texts(slope_chart(shift_of()))

    assert {"x, 1 topic", "z", "rises against x", "falls", "keeps its rank", "3 systems ranked by AP"} <= set(drawn)
    assert [sum(text == system for text in drawn) for system in "abc"] == [2, 2, 2]
    assert sorted(text for text in drawn if text.isdigit()) == ["1", "1", "2", "2", "2", "3"]


def test_lines_join_the_ranks():
    # under x: a 1, b 2, c 3; under z: c 1, a and b tied at 2, one below the other
    axes = _figure(shift_of(), None).axes[0]

    assert lines_of(axes) == [(1, 2, 1.4), (2, 3, 0.8), (3, 1, 1.8)]


def test_lines_differ_without_colour():
    svg = slope_chart(shift_of()).decode()

    assert svg.count("stroke-dasharray") >= 2  # a falls; and in the legend
    assert "stroke-width: 1.8" in svg
    assert "stroke-width: 0.8" in svg


@pytest.mark.parametrize("name", ["$x^2$", "<b>&", "a_{b}", "ü$", "x" * 60, "שלום"])
def test_names_are_displayed_literally(name):
    drawn = texts(slope_chart(shift_of({name: "xyz", "b": "zyx"}), title=name))

    assert drawn.count(name) == 3  # title, left and right; ranks are separate texts


def test_control_characters_in_names_are_replaced():
    assert display_name("a\u202eb\x00c\nd\ud800") == "a\ufffdb\ufffdc\ufffdd\ufffd"
    assert display_name("می\u200cخواهم") == "می\u200cخواهم"  # joiners are part of the spelling
    assert display_text("two\n lines\x07") == "two lines\ufffd"


def test_hostile_names_give_a_well_formed_file():
    drawn = texts(slope_chart(shift_of({"a\x01b": "xyz", "c\u202ed": "zyx"}, q=gold_of("x"), r=gold_of("z"))))

    assert {"a\ufffdb", "c\ufffdd"} <= set(drawn)


def test_long_name_loses_its_middle():
    name = "begin" + "x" * 100 + "end"

    assert len(display_name(name)) == 60
    assert display_name(name).startswith("begin")
    assert display_name(name).endswith("end")


def test_text_is_wrapped_between_words_and_within_long_words():
    lines = wrap("one two " + "x" * 40, 1.0)

    assert "".join(lines) == "one two" + "x" * 40
    assert all(text_width(line) <= 1.0 for line in lines)


def test_empty_text_has_no_lines():
    assert wrap("", 1.0) == []


def test_letters_missing_in_the_font_count_as_wide():
    assert text_width("日本") == text_width("——") > text_width("ab")


def test_legend_has_as_many_columns_as_fit():
    lines = _legend("x")

    assert [legend_columns(lines, inches) for inches in (0.1, 4.0, 20.0)] == [1, 2, 3]


def outside(figure):
    """Return the texts and legends that extend beyond the page."""
    inner = [text for axes in figure.axes for text in axes.texts] + figure.texts + figure.legends
    boxes = [(artist, artist.get_window_extent()) for artist in inner]
    return [artist for artist, box in boxes if not all(figure.bbox.contains(*corner) for corner in box.corners())]


@pytest.mark.in_ci
def test_all_text_is_within_the_page():
    shift = shift_of({"x" * 60: "xyz", "W" * 70: "zyx"}, **{"g" * 60: gold_of("x"), "h" * 50: gold_of("z")})

    with mpl.rc_context(SETTINGS):
        assert outside(_figure(shift, "title " * 40)) == []
        assert outside(_figure(shift_of({"a": "xyz"}), None)) == []


def test_golds_with_other_topics_have_a_separate_panel():
    x = gold_of("x", "12").replace({"relevance": {0: 0}})
    x.loc[x["query_id"] == "2", "relevance"] = [0, 0, 1]  # topic 2 prefers z
    shift = shift_of(topics=("1", "2"), ref=x, same=gold_of("y", "12"), other=gold_of("y", "2"))

    drawn = texts(slope_chart(shift))

    assert "ref, 2 topics" in drawn
    assert "ref, 1 topic" in drawn


def test_golds_without_a_common_topic_are_left_out():
    drawn = texts(slope_chart(shift_of(topics=("1", "2"), x=gold_of("x", "1"), y=gold_of("y", "2"))))

    assert "y" not in drawn


def test_one_gold_and_one_system_make_a_chart():
    drawn = texts(slope_chart(shift_of({"only": "xyz"}, x=gold_of("x"))))

    assert "only" in drawn
    assert "1 system ranked by AP" in drawn


def test_no_system_is_refused():
    shift = shift_of()

    with pytest.raises(ValueError, match="A slope chart needs at least one system, but there is none"):
        slope_chart(replace(shift, systems=(), ranks=shift.ranks.iloc[:0]))


def test_importing_the_package_does_not_import_matplotlib_or_django():
    code = "import sys, agreement; sys.exit(bool({'matplotlib', 'django', 'scipy'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_wide_chart_has_its_golds_farther_apart():
    narrow, wide = _figure(shift_of(), None), _figure(shift_of(), None, 11.5)

    assert narrow.get_figwidth() < 5
    assert wide.get_figwidth() == pytest.approx(11.5)
    assert lines_of(wide.axes[0]) == lines_of(narrow.axes[0])
    assert _figure(shift_of(), None, 1).get_figwidth() == narrow.get_figwidth()
