"""Tables and figures as part of a page, with the addresses of their files.

They are the contexts of `research/_table.html` and `research/_figure.html`. The tag `download` lists their files.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from assess.analysis.figures import Link, inline_svg
from assess.jobs import results
from assess.web.figures.tables import Table

KINDS = ("svg", "pdf", "png")
LABELS = {"csv": "CSV", "tex": "LaTeX", "md": "Markdown", "svg": "SVG", "pdf": "PDF", "png": "PNG"}

# Inches of a figure that has its own text size, in the place beside the sidebar of 1,024 px and on a phone. The place
# decides: the stylesheet shows the narrow form below 41rem.
DESK, PHONE = 6.05, 2.95
MAP = 6.35  # of a map on a desk, whose smallest text is larger than that of other figures

Files = list[tuple[str, str]]  # label and address of each file


@dataclass(frozen=True)
class ShownTable:
    table: Table
    files: Files


@dataclass(frozen=True)
class ShownFigure:
    """A figure as an element of a page. With `svg_for_phone`, a narrow place shows that instead of `svg`."""

    name: str
    svg: SafeString
    files: Files
    svg_for_phone: SafeString | None = None


@dataclass(frozen=True)
class Download:
    """The files of what a page shows in another way than `_table.html` or `_figure.html`."""

    files: Files


def shown_figure(
    name: str,
    label: str,
    draw: Callable[[float], bytes],
    *inputs: object,
    files: Files,
    is_phone_drawn: bool = True,
    link: Link | None = None,
) -> ShownFigure:
    """Return a figure, and the addresses of its files.

    `label` describes it to screen readers. `draw` returns an SVG file with a width in inches, which is kept in the
    cache of results for the next request with the same `inputs`. `link` returns what a click on a mark opens.
    """

    def svg(width: float) -> SafeString:
        key = results.key_of("figure", name, width, *inputs)
        if (file := results.get(key)) is None:
            file = draw(width)
            results.keep(key, file)
        return inline_svg(file, label, link)

    return ShownFigure(name, svg(DESK), files, svg(PHONE) if is_phone_drawn else None)


def table_files(view: str, *arguments: Any, query: str = "") -> Files:
    """Return the addresses of a table's files. `arguments` are those of the URL before the ending of the file."""
    return _files(("csv", "tex", "md"), view, arguments, query)


def figure_files(view: str, *arguments: Any, query: str = "") -> Files:
    """Return the addresses of a figure's files."""
    return _files(KINDS, view, arguments, query)


def csv_file(view: str, *arguments: Any, query: str = "") -> Files:
    """Return the address of a table that is only a CSV file."""
    return [(LABELS["csv"], reverse(f"research:{view}", args=arguments) + _end(query))]


def _files(kinds: tuple[str, ...], view: str, arguments: tuple[Any, ...], query: str) -> Files:
    return [(LABELS[kind], reverse(f"research:{view}", args=[*arguments, kind]) + _end(query)) for kind in kinds]


def _end(query: str) -> str:
    return f"?{query.removeprefix('?')}" if query.removeprefix("?") else ""
