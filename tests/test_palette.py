"""Pages, figures and grades have the colours of one palette: a colour changed in one file alone fails here."""

import re
import subprocess
from pathlib import Path

import pytest

from pooling import palette

PROJECT = Path(__file__).resolve().parent.parent
PALETTE = "pooling/palette.py"
# Neither the number of an entity nor a private method of a script is a colour.
COLOUR = re.compile(
    r"(?<!&)#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b(?!\()|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(", re.I
)
THEMED = re.compile(r"(?:--([\w-]+):\s*)?light-dark\((#\w+), (#\w+)\)")
# Files that cannot refer to a variable of a stylesheet, and why. Their colours are those of the palette.
WITHOUT_VARIABLES = {
    "assess/static/assess/icon.svg": "browsers load an icon without a stylesheet",
    "templates/judge/_frame_head.html": "the frame of a document loads no stylesheet",
}


def files(*suffixes: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "agreement", "assay", "assess", "pooling", "templates"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if name.endswith(suffixes)]


def read(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def long_form(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


def definitions() -> dict[str, list[tuple[str, str]]]:
    """The values of each variable in the stylesheets."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in files(".css"):
        for variable, light, dark in THEMED.findall(read(name)):
            found.setdefault(variable, []).append((light, dark))
    return found


def test_stylesheets_define_every_colour_of_pages_once_and_with_its_value():
    assert definitions() == {name: [tuple(colours)] for name, colours in palette.PAGE.items()}


@pytest.mark.slow
def test_no_other_file_has_a_colour_of_its_own():
    found = {}
    for name in set(files(".py", ".html", ".css", ".js", ".svg", ".txt")) - {PALETTE, *WITHOUT_VARIABLES}:
        text = THEMED.sub("", read(name)) if name.endswith(".css") else read(name)  # definitions are compared above
        if colours := COLOUR.findall(text):
            found[name] = colours
    assert found == {}


@pytest.mark.parametrize("name", WITHOUT_VARIABLES)
def test_files_without_variables_repeat_the_palette(name):
    text = read(name)
    for variable, *pair in THEMED.findall(text):
        assert tuple(pair) in ([palette.PAGE[variable]] if variable else palette.PAGE.values())
    rest = [long_form(colour) for colour in COLOUR.findall(THEMED.sub("", text))]
    assert set(rest) <= {colour for pair in palette.PAGE.values() for colour in pair}
    assert THEMED.search(text) or rest


def test_colours_of_figures_and_grades_are_written_alike_and_differ():
    figures = [*palette.SHADES, palette.INK, palette.QUIET, palette.FAINT, palette.HAIRLINE, palette.PALE]
    figures += [palette.ACCENT, palette.BACKDROP, *(style["color"] for style in palette.SERIES)]
    for colours in (figures, list(palette.GRADES.values())):
        assert len(set(colours)) == len(colours)
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)


def test_a_page_shows_every_colour_of_its_figures_in_both_themes():
    assert {*palette.SHADES, palette.INK, palette.QUIET, palette.FAINT, palette.HAIRLINE} <= set(palette.ON_PAGE)
    variables = set(re.findall(r"var\(--([\w-]+)\)", " ".join(palette.ON_PAGE.values())))
    assert variables <= set(palette.PAGE)
