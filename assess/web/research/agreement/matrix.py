"""The matrix of kappas as SVG for a page."""

from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from assess.web.research.agreement.page_tables import Viewer

if TYPE_CHECKING:
    from assess.analysis.judges.similarity import Matrix

CELL, MARGIN = 20, 4
LETTER = 7.2  # the width of a letter of a name, at most
MOST_WITH_NUMBERS = 60
MOST_LETTERS = 34


def matrix_svg(viewer: Viewer, matrix: "Matrix") -> SafeString:
    """Return the kappas below the diagonal, each with a link to the pair, and the names on the diagonal.

    A link cannot be reached with the Tab key: with many judges there are hundreds. The table against a reference has
    links to all pairs too.
    """
    size = len(matrix.judges)
    longest = max(min(len(name), MOST_LETTERS) for name in matrix.judges)
    width, height = size * CELL + round(longest * LETTER) + 2 * MARGIN, size * CELL
    names = (_name(name, position) for position, name in enumerate(matrix.judges))
    content = "".join((*names, *(_cell(viewer, matrix, *cell) for cell in matrix.cells)))
    return mark_safe(  # noqa: S308 - the names are escaped
        f'<svg class="matrix" viewBox="0 0 {width} {height}" role="group" aria-label="Pooled kappa of each pair of '
        f'{size} judges, as a triangle; similar judges are next to each other.">{content}</svg>'
    )


def _name(name: str, position: int) -> str:
    shown = name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"
    x, y = position * CELL + MARGIN, position * CELL + CELL * 0.7
    return f'<text x="{x}" y="{y:.0f}" class="judge">{escape(shown)}</text>'


def _cell(viewer: Viewer, matrix: "Matrix", row: int, column: int, kappa: float | None, n: int) -> str:
    a, b = matrix.judges[row], matrix.judges[column]
    x, y = column * CELL, row * CELL
    if not n:
        return f'<rect x="{x}" y="{y}"/>'
    level = "none" if kappa is None else f"k{min(max(int(kappa * 10), 0), 9)}"
    text = "?" if kappa is None else f"{kappa * 100:z.0f}".replace("-", "−")
    value = "undefined" if kappa is None else f"{kappa:z.3f}"
    number = (
        f'<text x="{x + CELL / 2:.0f}" y="{y + 14}">{text}</text>' if len(matrix.judges) <= MOST_WITH_NUMBERS else ""
    )
    href = f"{viewer.ids[a]}/{viewer.ids[b]}/{viewer.filters}"
    return (
        f'<a href="{escape(href)}" tabindex="-1" class="{level}"><title>{escape(a)} and {escape(b)}: {value}, n = {n}'
        f'</title><rect x="{x}" y="{y}"/>{number}</a>'
    )
