"""Every colour of a grade is visible in the light theme and in the dark one."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.collections.colours import CONTRAST, DARK_SHEET, LIGHT_SHEET, PALETTE, colour_pair, contrast
from assess.collections.scale import SCALE_TEMPLATES

CSS = Path("assess/static/assess/assay.css")


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21),  # (1 + 0.05) / (0 + 0.05)
        ("#808080", "#808080", 1),
        ("#ff0000", "#ffffff", 3.998),  # 1.05 / (0.2126 + 0.05)
    ],
)
def test_contrast_by_hand(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=0.001)
    assert contrast(other, one) == contrast(one, other)


@given(st.integers(0, 0xFFFFFF).map("#{:06x}".format))
def test_both_variants_are_visible(colour):
    light, dark = colour_pair(colour)
    assert contrast(light, LIGHT_SHEET) >= CONTRAST
    assert contrast(dark, DARK_SHEET) >= CONTRAST


def test_colour_that_is_visible_stays():
    assert colour_pair("#777777") == ("#777777", "#777777")


def test_palette_is_visible_in_the_light_theme_as_it_is():
    assert all(colour_pair(colour)[0] == colour for colour in PALETTE)
    used = {grade.colour for template in SCALE_TEMPLATES.values() for grade in template.grades}
    assert used <= set(PALETTE)


def test_backgrounds_are_those_of_the_stylesheet():
    sheet = re.search(r"--sheet: light-dark\((\S+), (\S+)\);", CSS.read_text(encoding="utf-8"))
    assert sheet.groups() == (LIGHT_SHEET, DARK_SHEET)
