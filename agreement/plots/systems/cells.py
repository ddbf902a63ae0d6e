"""A table of numbers as shaded cells: names beside and above, numbers in the cells, and the scale of the shades.

Cells shrink with their number. Up to 20 columns have numbers in their cells, up to 40 columns and 60 rows have names.
More than 1,500 cells are one picture inside the file, which keeps the file small, beside a strip with the means of the
rows.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from agreement.plots.marks import mark
from agreement.plots.page import EDGE, LINE, NARROW, SMALL, Page, display_name, max_text_width, shorten
from agreement.plots.score_scatter import spread_heights
from agreement.plots.shades import ink_on, shade
from pooling.palette import ACCENT, FAINT, INK, QUIET, SHADES, WHITE, Style
from pooling.words import count, with_minus

Floats = npt.NDArray[np.float64]

MOST_NUMBERED, MOST_COLUMNS, MOST_ROWS = 20, 40, 60  # with numbers in the cells, and with names
STRIP = 0.018  # width of the means beside a picture, as a share of its columns
MISSING: Style = {"facecolor": WHITE, "edgecolor": FAINT, "hatch": "////", "linewidth": 0}
MOST_CELLS = 1_500  # that are drawn one by one
NUMBERED, NAMED = 0.34, 0.2  # inches of a column with a number, and of one with a name only
LEAST_NUMBERED, LEAST_NAMED = 0.3, 0.125  # the same in a figure of a given width: text keeps its size
FEW, WIDEST, ALL = 4.0, 0.9, 6.6  # inches of a few columns, of the widest one, and of all columns without names
ROW, LEAST_ROW, LEAST_PAGE = 0.2, 0.024, 4.6  # inches
NAME_LENGTH = 28
LEAST_ROOM, LEAST_NAME = 1.0, 0.9  # inches of all columns, and of a name beside them
KEY, KEY_HEIGHT = 0.22, 0.1  # inches of a shade in the scale


@dataclass(frozen=True)
class Names:
    """The names of rows or columns and what they are. `shown` are the positions whose names are written."""

    what: str
    names: Sequence[str]
    shown: tuple[int, ...]

    @classmethod
    def of(cls, what: str, names: Iterable[object], most: int, chosen: Iterable[int] = ()) -> "Names":
        """Show all names if there are at most `most`, otherwise the chosen ones."""
        texts = [short_name(name) for name in names]
        return cls(what, texts, tuple(range(len(texts))) if len(texts) <= most else tuple(sorted(chosen)))

    @property
    def is_complete(self) -> bool:
        return len(self.shown) == len(self.names)

    @property
    def inches(self) -> float:
        return max_text_width(self.names[position] for position in self.shown)


def short_name(name: object) -> str:
    """Return a name as it can be displayed, without its middle if it is long."""
    text = display_name(name)
    return text if len(text) <= NAME_LENGTH else f"{text[: NAME_LENGTH // 2]}…{text[1 - NAME_LENGTH // 2 :]}"


def cell_page(rows: Names, columns: Names, title: str, note: str, page_width: float | None = None) -> tuple[Page, Axes]:
    """Return a page and axes with a cell of size 1 for each row and column, from the upper left.

    Columns become narrower for a page of a given width, unless their texts would overlap. On a phone, names of columns
    for which there is no room are left out, so that all cells are seen.
    """
    beside = 4 * EDGE + 2 * STRIP * ALL
    if page_width is not None:
        rows = _shortened(rows, page_width - beside - _width(columns, 0.0))
    side = max(rows.inches, max_text_width([rows.what])) + beside - 2 * EDGE
    room = None if page_width is None else max(page_width - side - 2 * EDGE, LEAST_ROOM)
    width, height = _width(columns, room), _height(rows)
    is_phone = page_width is not None and page_width < NARROW
    if is_phone and room is not None and width > room and len(columns.names) > MOST_NUMBERED:
        columns, width = _without_names(columns), room
    is_upright = _is_upright(columns, width)
    names = columns.inches if is_upright else LINE - EDGE / 2 if columns.shown else 0.0
    above, below = names + LINE + EDGE, LINE + 1.5 * EDGE
    least = LEAST_PAGE if page_width is None else min(LEAST_PAGE, page_width)
    page = Page(max(side + width + 2 * EDGE, least), below + height + above, title, note)
    axes = page.add_axes(side, below, width, height)
    axes.set(xlim=(0, len(columns.names)), ylim=(len(rows.names), 0))
    axes.tick_params(length=0, pad=4 + (0 if _has_cells(rows, columns) else 72 * 1.5 * STRIP * width))
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([row + 0.5 for row in rows.shown], labels=[rows.names[row] for row in rows.shown], color=INK)
    axes.text(-0.07 / width, 1 + 0.06 / height, rows.what, transform=axes.transAxes, ha="right", color=QUIET)
    style: Style = {"transform": axes.transAxes, "color": QUIET, "va": "bottom"}
    axes.text(0, 1 + (names + 0.75 * EDGE) / height, columns.what, **style)
    _write_columns(axes, columns, LINE * len(columns.names) / width, 90 if is_upright else 0)
    return page, axes


def _shortened(rows: Names, inches: float) -> Names:
    """Return the rows with names that fit, unless that leaves too little of them."""
    room = max(inches, LEAST_NAME)
    return replace(rows, names=[shorten(name, room) for name in rows.names])


def _without_names(columns: Names) -> Names:
    what = count(len(columns.names), columns.what) if columns.is_complete else columns.what
    return replace(columns, what=what, shown=())


def _has_cells(rows: Names, columns: Names) -> bool:
    """Whether each cell is drawn; otherwise one picture, with a strip of means between it and the names of the rows."""
    return len(rows.names) * len(columns.names) <= MOST_CELLS


def _is_upright(columns: Names, width: float) -> bool:
    return bool(columns.shown) and columns.inches > width / len(columns.names) - 0.08


def _width(columns: Names, room: float | None) -> float:
    """Return the inches of all columns, which are narrower than usual if there is less room."""
    number = len(columns.names)
    if number > MOST_COLUMNS:
        return ALL if room is None else min(ALL, room)
    is_numbered = number <= MOST_NUMBERED
    usual = number * (min(max(FEW / number, NUMBERED), WIDEST) if is_numbered else NAMED)
    least = number * (LEAST_NUMBERED if is_numbered else LEAST_NAMED)
    return usual if room is None else max(min(usual, room), least)


def _height(rows: Names) -> float:
    number = len(rows.names)
    return number * ROW if number <= MOST_ROWS or rows.is_complete else max(ALL, number * LEAST_ROW)


def _write_columns(axes: Axes, columns: Names, step: float, rotation: int) -> None:
    """Write the names above their columns. If not all have a name, those with one keep a step between them."""
    middles = [position + 0.5 for position in columns.shown]
    places = middles if columns.is_complete else spread_heights(middles[::-1], step, 0, len(columns.names))[::-1]
    style: Style = {"ha": "center", "va": "bottom", "rotation": rotation, "color": INK}
    style |= {"textcoords": "offset points", "annotation_clip": False}
    for position, place in zip(columns.shown, places, strict=True):
        axes.annotate(columns.names[position], (place, 0), (0, 4), **style)


Mark = tuple[str, dict[str, Any]]  # the title, and the names


@dataclass(frozen=True)
class Marks:
    """What cells, rows and columns say (`agreement.plots.marks`), by their positions. Rows and columns say it if many
    cells are one picture.
    """

    cell: Callable[[int, int], Mark]
    row: Callable[[int], Mark]
    column: Callable[[int], Mark]


def draw_cells(axes: Axes, values: Floats, low: float, high: float, text: str, marks: Marks) -> None:
    """Draw the values, shaded from low to high. `text` formats the numbers in the cells, if there are not too many."""
    shares = (values - low) / ((high - low) or 1.0)
    if values.size > MOST_CELLS:
        _draw_picture(axes, shares, marks)
        return
    with_numbers = values.shape[1] <= MOST_NUMBERED and values.shape[0] <= MOST_ROWS
    for (row, column), share in np.ndenumerate(shares):
        cell = _cell(row, column, share)
        title, names = marks.cell(row, column)
        mark(cell, title, **names)
        axes.add_artist(cell)  # add_patch would compute the limits of the axes for each
        if with_numbers and not np.isnan(share):
            style: Style = {"fontsize": SMALL, "color": ink_on(cell.get_facecolor()[:3])}
            number = cell_number(float(values[row, column]), text)
            axes.text(column + 0.5, row + 0.5, number, ha="center", va="center_baseline", **style)


def cell_number(value: float, text: str) -> str:
    """Return a number in a format, short enough for a cell: without the zero before its point."""
    return with_minus(f"{value:z{text}}").replace("0.", ".", 1)


def _cell(row: float, column: float, share: float, width: float = 1.0) -> Rectangle:
    style: Style = {"facecolor": shade(share), "edgecolor": WHITE, "linewidth": 0.6} if not np.isnan(share) else MISSING
    return Rectangle((column, row), width, 1, **style)


def _draw_picture(axes: Axes, shares: Floats, marks: Marks) -> None:
    """Draw all cells as one picture, the means of the rows beside it, and invisible marks over the columns."""
    steps = np.clip((shares * len(SHADES)).astype(float), 0, len(SHADES) - 1)
    shown = np.ma.masked_invalid(np.floor(steps))
    colours = ListedColormap(list(SHADES)).with_extremes(bad=WHITE)
    axes.pcolormesh(shown, cmap=colours, vmin=-0.5, vmax=len(SHADES) - 0.5, rasterized=True)
    n_rows, n_columns = shares.shape
    strip = STRIP * n_columns
    for row, mean in enumerate(np.ma.masked_invalid(shares).mean(axis=1).filled(np.nan)):
        part = _cell(row, -1.5 * strip, mean, strip)
        part.set(linewidth=0, clip_on=False)
        title, names = marks.row(row)
        mark(part, title, **names)
        axes.add_artist(part).set_clip_on(False)
    for column in range(n_columns):
        band = Rectangle((column, 0), 1, n_rows, facecolor="none", linewidth=0)
        title, names = marks.column(column)
        mark(band, title, **names)
        axes.add_artist(band)


def outline_column(axes: Axes, column: int, n_rows: int) -> None:
    """Draw a frame around a column."""
    axes.add_patch(Rectangle((column, 0), 1, n_rows, fill=False, edgecolor=ACCENT, linewidth=1.4, clip_on=False))


def add_scale(page: Page, low: str, high: str, values: Floats) -> None:
    """Draw the shades with the lowest and the highest value below the axes, and say what a missing value looks like."""
    begin = EDGE + max_text_width([low], SMALL) + 0.08
    missing = "white" if values.size > MOST_CELLS else "hatched"
    high = f"{high}; missing: {missing}" if np.isnan(values).any() else high
    axes = page.add_axes(begin, 0.1, KEY * len(SHADES), KEY_HEIGHT)
    axes.set(xlim=(0, len(SHADES)), ylim=(0, 1))
    axes.set_axis_off()
    for number, colour in enumerate(SHADES):
        axes.add_patch(Rectangle((number, 0), 1, 1, facecolor=colour, edgecolor=WHITE, linewidth=0.6))
    style: Style = {"va": "center_baseline", "fontsize": SMALL, "color": QUIET}
    axes.text(-0.3, 0.5, low, ha="right", **style)
    axes.text(len(SHADES) + 0.3, 0.5, high, ha="left", **style)
