"""Figures of the libraries as part of a page, in the page's colours."""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

# The colours of agreement.plots.style, which this module does not import because that takes a second.
PAGE_COLOURS = {
    "white": "var(--sheet)",
    "#ffffff": "var(--sheet)",
    "#1d2026": "var(--ink)",
    "#4f5561": "var(--quiet)",
    "#9a9a9a": "var(--edge)",
    "#d9d9d6": "var(--line)",
    "#1f4f7a": "var(--accent)",
    "#b5651d": "var(--warn)",
    "#a9c4d6": "var(--g2)",
    "#f2f4f7": "color-mix(in srgb, var(--accent) 6%, var(--sheet))",
    "#dbe3ea": "color-mix(in srgb, var(--accent) 16%, var(--sheet))",
    "#c5d1dc": "color-mix(in srgb, var(--accent) 26%, var(--sheet))",
    "#aec0cf": "color-mix(in srgb, var(--accent) 36%, var(--sheet))",
    "#98aec2": "color-mix(in srgb, var(--accent) 46%, var(--sheet))",
    "#4c7295": "color-mix(in srgb, var(--accent) 80%, var(--sheet))",
    "#356187": "color-mix(in srgb, var(--accent) 90%, var(--sheet))",
}
COLOUR = re.compile("|".join(PAGE_COLOURS))
STYLE = re.compile('style="[^"]*"')
DRAWING = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>.*</metadata>(.*)', re.DOTALL)


def inline_svg(file: bytes, label: str) -> SafeString:
    """Return an SVG file of `agreement.plots` as an element of a page. `label` describes it to screen readers."""
    drawing = DRAWING.search(file.decode())
    if drawing is None:
        raise ValueError("The file is not an SVG file of matplotlib.")
    view, content = drawing.groups()
    content = content.replace("*{", ".figure *{")  # the file's own rule, which must not apply to the page
    content = STYLE.sub(_with_page_colours, content)
    return mark_safe(  # noqa: S308 - matplotlib escapes the names in a figure
        f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{view}" class="figure" role="img" '
        f'aria-label="{escape(label)}">{content}'
    )


def _with_page_colours(style: re.Match[str]) -> str:
    return COLOUR.sub(lambda colour: PAGE_COLOURS[colour[0]], style[0])
