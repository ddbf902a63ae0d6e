"""The script of `benchmarks.screens` finds what is wrong with a page, and its sheets show all pictures."""

import pytest
from PIL import Image
from playwright.sync_api import Page

from benchmarks.contact_sheets import HIGHEST, WIDEST, write_sheets
from benchmarks.screens import LEAST_TEXT, PROBLEMS

pytestmark = pytest.mark.slow
FIGURE = '<svg width="100" viewBox="0 0 200 50"><text y="40" style="font-size: 20px">half</text></svg>'


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>Good", []),
        ("<p style='font-size: 11px'>tiny", ["text of 11.0 px: tiny"]),
        ("<p style='font-size: 11px; visibility: hidden'>hidden", []),
        (FIGURE, ["text of 10.0 px: half"]),
        ("<div style='width: 450px'>wide", ["scrolls sideways by 60 px"]),
    ],
)
def test_problems_of_a_page(page: Page, body, found):
    page.set_viewport_size({"width": 390, "height": 800})
    page.set_content(f"<!doctype html><body style='margin: 0'>{body}")
    assert page.evaluate(PROBLEMS, LEAST_TEXT) == found


def test_sheets_show_every_picture_and_replace_earlier_ones(tmp_path):
    names = [f"page-{number}" for number in range(5)]
    for name in names:
        Image.new("RGB", (390, 2_400), "white").save(tmp_path / f"{name}.png")
    (tmp_path / "sheet-09.png").touch()
    write_sheets(tmp_path, names, 390)
    sheets = sorted(tmp_path.glob("sheet-*.png"))
    assert [path.name for path in sheets] == ["sheet-01.png", "sheet-02.png"]
    with Image.open(sheets[0]) as first:
        assert first.width <= WIDEST
        assert first.height <= HIGHEST
