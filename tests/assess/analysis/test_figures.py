"""Figures as part of a page."""

import re
from math import ceil

import pandas as pd
import pytest

from agreement import plots
from assess.analysis.figures import inline_svg

POINTS = pd.DataFrame({"prevalence": [0.2, 0.5, 0.8], "kappa": [0.5, 0.6, 0.5]})


def test_figure_has_the_colours_of_the_page_and_no_size():
    element = inline_svg(plots.prevalence_curve(POINTS, (0.5, 0.6)), "Kappa <at> prevalences")

    assert element.startswith("<svg ")
    assert 'aria-label="Kappa &lt;at&gt; prevalences"' in element
    assert "var(--accent)" in element
    assert "#" not in element.replace("url(#", "").replace('href="#', "")
    assert " width=" not in element.partition(">")[0]


def test_the_background_of_a_hatch_has_a_colour_of_the_page():
    scores = pd.DataFrame([[0.5, None], [0.2, 0.4]], index=["a", "b"], columns=["1", "2"])
    element = inline_svg(plots.score_map(scores), "")

    assert "<pattern" in element
    assert "#ffffff" not in element
    assert ' style="fill: var(--' in element


def test_a_figure_says_how_wide_it_must_be_for_readable_text():
    element = inline_svg(plots.prevalence_curve(POINTS), "")
    width = float(re.search(r'viewBox="0 0 ([\d.]+) ', element)[1])
    smallest = min(float(size) for size in re.findall(r'"font-size: ([\d.]+)px', element))
    assert smallest == 8
    assert f'style="--readable: {ceil(width * 12 / 8)}px"' in element


def test_a_name_cannot_change_the_width():
    wanted = inline_svg(plots.prevalence_curve(POINTS, title="x"), "")
    element = inline_svg(plots.prevalence_curve(POINTS, title='style="font-size: 0px"'), "")
    assert element.partition(">")[0] == wanted.partition(">")[0]


def test_names_in_a_figure_stay_escaped_and_keep_their_text():
    element = inline_svg(plots.prevalence_curve(POINTS, title="<script>#1f4f7a</script>"), "")

    assert "<script" not in element
    assert "#1f4f7a" in element


def test_two_figures_share_no_id_and_refer_to_their_own():
    file = plots.prevalence_curve(POINTS)
    elements = [inline_svg(file, label) for label in ("on a desk", "on a phone")]
    ids = [re.findall(r'<[^>]* id="([^"]*)"', element) for element in elements]
    assert len(set(ids[0] + ids[1])) == 2 * len(ids[0])
    for element, own in zip(elements, ids, strict=True):
        used = re.findall(r'(?:url\(|href=")#([^)"]+)', element)
        assert used
        assert set(used) <= set(own)


def test_other_files_are_refused():
    with pytest.raises(ValueError, match="not an SVG file"):
        inline_svg(b"<svg/>", "")


RANGES = pd.DataFrame({"system": ['a&"b', "c"], "mean": [0.4, 0.3], "least": 0.1, "greatest": 0.5})


def test_marks_can_be_reached_and_lead_to_their_source():
    element = inline_svg(plots.score_ranges(RANGES), "", lambda names: f"/x?a=1&s={names['system']}")
    assert element.count('class="mark band" role="img" tabindex="-1"') == 2
    assert 'data-href="/x?a=1&amp;s=a&amp;&quot;b"' in element
    assert 'role="group"' in element.partition(">")[0]  # its marks are read, unlike those of an image


def test_marks_without_a_source_have_no_address():
    assert "data-href" not in inline_svg(plots.score_ranges(RANGES), "", lambda _names: "")
    assert 'role="img"' in inline_svg(plots.prevalence_curve(POINTS), "").partition(">")[0]
