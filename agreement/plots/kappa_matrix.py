"""The kappas of all pairs of judges as a triangle."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.marks import mark
from agreement.plots.page import EDGE, Page, display_name, format_count, max_text_width
from agreement.plots.style import render
from pooling.palette import INK, QUIET, SHADES

COLUMNS = ("judge_a", "judge_b", "kappa", "n")
CELL = 0.22  # inches
MIN_WIDTH = 4.0  # inches of the page
DARK = 0.55  # from this kappa on, the number in a cell is white


def kappa_matrix(
    pairs: pd.DataFrame, judges: Sequence[str], title: str = "", kind: str = "svg", *, note: str = "Kappa times 100."
) -> bytes:
    """Draw the kappas of all pairs below a diagonal that has the names; darker cells mean a higher kappa.

    Cells contain 100 times the kappa. An undefined kappa is a question mark, and a pair without a common item an empty
    cell. Negative kappas are as pale as 0.

    Parameters
    ----------
    pairs : DataFrame
        Columns judge_a, judge_b, kappa and n (common items); one row for each pair.
    judges : sequence of str
        The judges in the order of the diagonal. Put similar judges next to each other to see groups.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no pair, a judge of a pair is not one of the judges or is paired with itself, a
        judge occurs twice among the judges, a kappa is above 1, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import kappa_matrix
    >>> pairs = pd.DataFrame({"judge_a": ["ada", "ada", "ben"], "judge_b": ["ben", "cleo", "cleo"]})
    >>> kappa_matrix(pairs.assign(kappa=[0.7, 0.2, None], n=20), ["cleo", "ada", "ben"]).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, pairs, judges, title, note)


def _figure(pairs: pd.DataFrame, judges: Sequence[str], title: str, note: str) -> Figure:
    rows = select_columns(pairs, COLUMNS, ("kappa", "n"), "A matrix of kappas")
    check_unique(pd.Index(list(judges)), "judge")
    position = {name: number for number, name in enumerate(judges)}
    _check(rows, position)
    names = [display_name(name) for name in judges]
    size = CELL * len(names)
    page = Page(max(size + max_text_width(names) + 3 * EDGE, MIN_WIDTH), size + EDGE, title, note)
    axes = page.add_axes(EDGE, EDGE, size, size)
    axes.set_xlim(0, len(names))
    axes.set_ylim(len(names), 0)
    axes.set_axis_off()
    for number, name in enumerate(names):
        axes.text(number + 0.15, number + 0.5, name, va="center", color=INK, fontsize=8, clip_on=False)
    for a, b, kappa, n in rows.itertuples(index=False):
        column, row = sorted((position[a], position[b]))
        cell = _draw_cell(axes, (column, row), None if pd.isna(kappa) else kappa, bool(n))
        shown = "undefined" if pd.isna(kappa) else f"{kappa:z.3f}"
        mark(cell, f"{a} and {b}: {shown}, {format_count(int(n), 'common item')}", judges=f"{a}\n{b}")
    return page.figure


def _check(rows: pd.DataFrame, position: dict[str, int]) -> None:
    for a, b in rows[["judge_a", "judge_b"]].itertuples(index=False):
        if unknown := [name for name in (a, b) if name not in position]:
            raise ValueError(f"{unknown[0]!r} is not one of the judges.")
        if a == b:
            raise ValueError(f"A pair needs two judges, not {a!r} twice.")
    if (rows["kappa"] > 1).any():
        raise ValueError(f"A kappa must be at most 1, not {rows['kappa'].max():g}.")


def _draw_cell(axes: Axes, corner: tuple[int, int], kappa: float | None, is_common: bool) -> Rectangle:
    colour = "white" if kappa is None else SHADES[min(int(max(kappa, 0.0) * len(SHADES)), len(SHADES) - 1)]
    cell = Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8)
    axes.add_patch(cell)
    text = "?" if kappa is None and is_common else "" if kappa is None else f"{kappa * 100:z.0f}"
    ink = QUIET if kappa is None else "white" if kappa >= DARK else INK
    x, y = corner
    axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=6, color=ink)
    return cell
