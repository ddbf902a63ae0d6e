"""Which pairs of systems differ significantly, or swap, as a map of systems by systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.marks import mark
from agreement.plots.page import NARROW, SMALL, display_name, format_count
from agreement.plots.row_axes import mark_row
from agreement.plots.style import render
from agreement.plots.systems.cells import MOST_COLUMNS, MOST_NUMBERED, Names, cell_number, cell_page
from pooling.palette import DEEP, FAINT, INK, PALE, SHADES, WHITE, Style

COLUMNS = ("a", "b", "value", "is_strong")
MIDDLE = 4  # shade of a pale cell beside cells without a pair


@dataclass(frozen=True)
class _Pair:
    a: str
    b: str
    value: float
    is_strong: bool
    row: int
    column: int


def system_pairs(
    pairs: pd.DataFrame,
    systems: Sequence[str],
    title: str | None = None,
    kind: str = "svg",
    *,
    value: str = "difference",
    strong: str = "significant",
    weak: str = "not significant",
    none: str = "",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw a cell for each pair of systems in a table, dark if the pair is a strong one and pale if not.

    Rows and columns are the systems in one order, and each pair has one cell: its earlier system is the row, the later
    one the column. Up to 20 systems have numbers in the cells. The cells of more than 40 systems are one picture,
    without names.

    Parameters
    ----------
    pairs : DataFrame
        The columns are a and b, two systems; value, a number; and is_strong, a boolean. A pair that is not in the table
        has an empty cell.
    systems : sequence of str
        All systems, such as from the best to the worst.
    title : str, optional
        By default the number of pairs. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    value, strong, weak : str
        What the number is, and what dark and pale cells mean.
    none : str
        What a cell without a pair means. Without it, these cells are white, and not in the legend.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure, if its columns can be so narrow. In the narrow figure of a phone, the cells of more than
        21 systems are one picture.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        There are fewer than two systems, a system occurs twice, a pair names an unknown system or one system twice, a
        value is not a number, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import system_pairs
    >>> pairs = pd.DataFrame({"a": ["bm25"], "b": ["lsa"], "value": [0.12], "is_strong": [True]})
    >>> system_pairs(pairs, ["bm25", "lsa", "random"]).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, pairs, systems, title, value, (none, weak, strong), note, width)


def _figure(
    pairs: pd.DataFrame,
    systems: Sequence[str],
    title: str | None,
    value: str,
    labels: tuple[str, str, str],
    note: str,
    width: float | None = None,
) -> Figure:
    drawn = _placed(pairs, systems)
    if title is None:
        title = f"{format_count(len(drawn), 'pair')} of {format_count(len(systems), 'system')}: {value}"
    what = "system" if len(systems) <= MOST_COLUMNS else format_count(len(systems), "system")
    rows, columns = (Names.of(what, names, MOST_COLUMNS) for names in (systems[:-1], systems[1:]))
    page, axes = cell_page(rows, columns, title, note, width)
    is_picture = len(systems) > MOST_COLUMNS or (
        width is not None and width < NARROW and len(rows.names) > MOST_NUMBERED
    )
    if is_picture:
        _draw_picture(axes, drawn, systems, labels)
    else:
        _draw_cells(axes, drawn, len(systems), value, labels)
    if len(systems) <= MOST_NUMBERED:
        _write_numbers(axes, drawn)
    page.add_legend(_legend(drawn, len(systems), labels), 3)
    return page.figure


def _placed(pairs: pd.DataFrame, systems: Sequence[str]) -> list[_Pair]:
    """Return the pairs with the row and the column of each."""
    if len(systems) < 2:
        raise ValueError(f"A map of pairs needs at least two systems, not {len(systems)}.")
    check_unique(pd.Index(systems), "system")
    if not len(pairs):
        return []
    frame = select_columns(pairs, COLUMNS, ("value",), "A map of pairs")
    at = {system: number for number, system in enumerate(systems)}
    if unknown := sorted({*frame["a"], *frame["b"]} - at.keys()):
        raise ValueError(f"The pair of {unknown[0]!r} cannot be drawn, because it is not one of the systems.")
    if (frame["a"] == frame["b"]).any():
        raise ValueError("A pair must be of two systems, not of one.")
    return [
        _place(at, a, b, value, strong) for a, b, value, strong in zip(*(frame[name] for name in COLUMNS), strict=True)
    ]


def _place(at: dict[str, int], a: str, b: str, value: float, is_strong: bool) -> _Pair:
    row, after = sorted((at[a], at[b]))
    return _Pair(a, b, value, bool(is_strong), row, after - 1)


def _style(kind: int, labels: tuple[str, str, str]) -> Style:
    """Return how a cell of a kind is drawn: 0 without a pair, 1 weak, 2 strong."""
    with_none = bool(labels[0])
    colour = ((SHADES[0] if with_none else WHITE), (SHADES[MIDDLE] if with_none else PALE), DEEP)[kind]
    return {"facecolor": colour, "edgecolor": WHITE if kind else FAINT, "linewidth": 0.6}


def _draw_cells(axes: Axes, drawn: list[_Pair], n_systems: int, value: str, labels: tuple[str, str, str]) -> None:
    for row in range(n_systems - 1):
        axes.add_artist(Rectangle((row, row), n_systems - 1 - row, 1, **_style(0, labels)))
    for pair in drawn:
        cell = Rectangle((pair.column, pair.row), 1, 1, **_style(1 + pair.is_strong, labels))
        number = "missing" if np.isnan(pair.value) else f"{pair.value:z.3f}"
        title = f"{pair.a} and {pair.b}: {value} {number}, {labels[1 + pair.is_strong]}"
        mark(cell, title, systems=f"{pair.a}\n{pair.b}")
        axes.add_artist(cell)


def _draw_picture(axes: Axes, drawn: list[_Pair], systems: Sequence[str], labels: tuple[str, str, str]) -> None:
    """Draw all cells as one picture, and an invisible mark over each row."""
    kinds = np.where(np.tri(len(systems) - 1, k=-1, dtype=bool), np.nan, 0.0)
    for pair in drawn:
        kinds[pair.row, pair.column] = 1 + pair.is_strong
    colours = ListedColormap([_style(kind, labels)["facecolor"] for kind in range(3)]).with_extremes(bad=WHITE)
    axes.pcolormesh(np.ma.masked_invalid(kinds), cmap=colours, vmin=-0.5, vmax=2.5, rasterized=True)
    for row, cells in enumerate(kinds):
        n_strong, n_pairs = int((cells == 2).sum()), int((cells > 0).sum())
        title = f"{systems[row]} and the systems below it: {n_strong} of {n_pairs} {labels[2]}"
        mark_row(axes, row + 0.5, title, system=systems[row])


def _write_numbers(axes: Axes, drawn: list[_Pair]) -> None:
    for pair in drawn:
        if np.isnan(pair.value):
            continue
        style: Style = {"fontsize": SMALL, "color": WHITE if pair.is_strong else INK}
        axes.text(
            pair.column + 0.5,
            pair.row + 0.5,
            cell_number(pair.value, ".2f"),
            ha="center",
            va="center_baseline",
            **style,
        )


def _legend(drawn: list[_Pair], n_systems: int, labels: tuple[str, str, str]) -> list[Artist]:
    """Return an entry for each kind of cells that there are."""
    kinds = {1 + pair.is_strong for pair in drawn}
    if labels[0] and len(drawn) < n_systems * (n_systems - 1) / 2:
        kinds.add(0)
    return [Patch(label=display_name(labels[kind]), **_style(kind, labels)) for kind in sorted(kinds, reverse=True)]
