"""Figures of the libraries as part of a page, in the page's colours."""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import unescape
from math import ceil

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from pooling.palette import ON_PAGE

COLOUR = re.compile("|".join(ON_PAGE))
STYLE = re.compile('style="[^"]*"')
FILL = re.compile(' fill="([^"]*)"')  # of the background of a hatch, which has no style
SIZE = re.compile(r"<text [^>]*font-size: ([\d.]+)px")
LEAST_TEXT = 12  # pixels on the screen
MARK = re.compile(r'<g class="mark( band)?"((?: data-[a-z]+="[^"]*")*)>')
NAME = re.compile(r'data-([a-z]+)="([^"]*)"')
TAG = re.compile("<[^>]*>")
ID = re.compile(r'( id="|href="#|url\(#)')
DRAWING = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>.*</metadata>(.*)', re.DOTALL)

Link = Callable[[Mapping[str, str]], str]


def inline_svg(file: bytes, label: str, link: Link | None = None) -> SafeString:
    """Return an SVG file of `agreement.plots` as an element of a page. `label` describes it to screen readers.

    `link` returns the address that a click on a mark opens, or an empty text; it is called with the names of the mark
    (`agreement.plots.marks`). Its property `--readable` is the width at which its smallest text has LEAST_TEXT pixels.
    """
    drawing = DRAWING.search(file.decode())
    if drawing is None:
        raise ValueError("The file is not an SVG file of matplotlib.")
    view, content = drawing.groups()
    content = content.replace("*{", ".figure *{")  # the file's own rule, which must not apply to the page
    content = _with_own_ids(content, label)
    content = STYLE.sub(_with_page_colours, FILL.sub(r' style="fill: \1"', content))
    content, n_marks = MARK.subn(lambda mark: _on_page(mark, link), content)
    width = float(view.split()[2])
    smallest = min(map(float, SIZE.findall(content)), default=LEAST_TEXT)
    return mark_safe(  # noqa: S308 - matplotlib escapes the names in a figure
        f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{view}" class="figure" '
        f'role="{"group" if n_marks else "img"}" '
        f'style="--readable: {ceil(width * LEAST_TEXT / smallest)}px" '
        f'aria-label="{escape(label)}">{content}'
    )


def _with_own_ids(content: str, label: str) -> str:
    # matplotlib gives equal ids in every file, and a page shows several: a clip of a hidden figure clips nothing
    prefix = f"f{sha256((label + content).encode()).hexdigest()[:8]}-"
    return TAG.sub(lambda tag: ID.sub(rf"\g<1>{prefix}", tag[0]), content)


def _on_page(mark: re.Match[str], link: Link | None) -> str:
    band, attributes = mark.groups(default="")
    names = {kind: unescape(name) for kind, name in NAME.findall(attributes)}
    address = link(names) if link else ""
    href = f' data-href="{escape(address)}"' if address else ""
    return f'<g class="mark{band}" role="img" tabindex="-1"{attributes}{href}>'


def _with_page_colours(style: re.Match[str]) -> str:
    return COLOUR.sub(lambda colour: ON_PAGE[colour[0]], style[0])
