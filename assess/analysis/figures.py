"""Figures of the libraries as part of a page, in the page's colours."""

import re
from math import ceil

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from pooling.palette import ON_PAGE

COLOUR = re.compile("|".join(ON_PAGE))
STYLE = re.compile('style="[^"]*"')
SIZE = re.compile(r"<text [^>]*font-size: ([\d.]+)px")
LEAST_TEXT = 12  # pixels on the screen
DRAWING = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>.*</metadata>(.*)', re.DOTALL)


def inline_svg(file: bytes, label: str) -> SafeString:
    """Return an SVG file of `agreement.plots` as an element of a page. `label` describes it to screen readers.

    Its property `--readable` is the width at which its smallest text has LEAST_TEXT pixels.
    """
    drawing = DRAWING.search(file.decode())
    if drawing is None:
        raise ValueError("The file is not an SVG file of matplotlib.")
    view, content = drawing.groups()
    content = content.replace("*{", ".figure *{")  # the file's own rule, which must not apply to the page
    content = STYLE.sub(_with_page_colours, content)
    width = float(view.split()[2])
    smallest = min(map(float, SIZE.findall(content)), default=LEAST_TEXT)
    return mark_safe(  # noqa: S308 - matplotlib escapes the names in a figure
        f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{view}" class="figure" role="img" '
        f'style="--readable: {ceil(width * LEAST_TEXT / smallest)}px" '
        f'aria-label="{escape(label)}">{content}'
    )


def _with_page_colours(style: re.Match[str]) -> str:
    return COLOUR.sub(lambda colour: ON_PAGE[colour[0]], style[0])
