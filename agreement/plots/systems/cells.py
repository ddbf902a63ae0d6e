"""A table of numbers as shaded cells: names beside and above, numbers in the cells, and the scale of the shades.

Cells shrink with their number. Up to 20 columns have numbers in their cells, up to 40 columns and 60 rows have names.
More than 1,500 cells are one picture inside the file, which keeps the file small.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from agreement.plots.page import EDGE, LINE, SMALL, Page, display_name, max_text_width
from agreement.plots.score_scatter import spread_heights
from agreement.plots.shades import ink_on, shade
from pooling.palette import ACCENT, FAINT, INK, QUIET, SHADES, WHITE, Style

Floats = npt.NDArray[np.float64]

MOST_NUMBERED, MOST_COLUMNS, MOST_ROWS = 20, 40, 60  # with numbers in the cells, and with names
MOST_CELLS = 1_500  # that are drawn one by one
NUMBERED, NAMED = 0.34, 0.2  # inches of a column with a number, and of one with a name only
FEW, WIDEST, ALL = 4.0, 0.9, 6.6  # inches of a few columns, of the widest one, and of all columns without names
ROW, LEAST_ROW, LEAST_PAGE = 0.2, 0.024, 4.6  # inches
NAME_LENGTH = 28
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


def cell_page(rows: Names, columns: Names, title: str, note: str) -> tuple[Page, Axes]:
    """Return a page and axes with a cell of size 1 for each row and column, from the upper left."""
    width, height = _width(columns), _height(rows)
    side = max(rows.inches, max_text_width([rows.what])) + 2 * EDGE
    is_upright = _is_upright(columns, width)
    names = columns.inches if is_upright else LINE - EDGE / 2 if columns.shown else 0.0
    above, below = names + LINE + EDGE, LINE + 1.5 * EDGE
    page = Page(max(side + width + 2 * EDGE, LEAST_PAGE), below + height + above, title, note)
    axes = page.add_axes(side, below, width, height)
    axes.set(xlim=(0, len(columns.names)), ylim=(len(rows.names), 0))
    axes.tick_params(length=0, pad=4)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([row + 0.5 for row in rows.shown], labels=[rows.names[row] for row in rows.shown], color=INK)
    axes.text(-0.07 / width, 1 + 0.06 / height, rows.what, transform=axes.transAxes, ha="right", color=QUIET)
    style: Style = {"transform": axes.transAxes, "color": QUIET, "va": "bottom"}
    axes.text(0, 1 + (names + 0.75 * EDGE) / height, columns.what, **style)
    _write_columns(axes, columns, LINE * len(columns.names) / width, 90 if is_upright else 0)
    return page, axes


def _is_upright(columns: Names, width: float) -> bool:
    return bool(columns.shown) and columns.inches > width / len(columns.names) - 0.08


def _width(columns: Names) -> float:
    number = len(columns.names)
    if number > MOST_COLUMNS:
        return ALL
    return number * (min(max(FEW / number, NUMBERED), WIDEST) if number <= MOST_NUMBERED else NAMED)


def _height(rows: Names) -> float:
    number = len(rows.names)
    return number * ROW if number <= MOST_ROWS else max(ALL, number * LEAST_ROW)


def _write_columns(axes: Axes, columns: Names, step: float, rotation: int) -> None:
    """Write the names above their columns. If not all have a name, those with one keep a step between them."""
    middles = [position + 0.5 for position in columns.shown]
    places = middles if columns.is_complete else spread_heights(middles[::-1], step, 0, len(columns.names))[::-1]
    style: Style = {"ha": "center", "va": "bottom", "rotation": rotation, "color": INK}
    style |= {"textcoords": "offset points", "annotation_clip": False}
    for position, place in zip(columns.shown, places, strict=True):
        axes.annotate(columns.names[position], (place, 0), (0, 4), **style)


def draw_cells(axes: Axes, values: Floats, low: float, high: float, text: str | None) -> None:
    """Draw the values, shaded from low to high. `text` formats the numbers in the cells; without it there are none."""
    shares = (values - low) / ((high - low) or 1.0)
    if values.size > MOST_CELLS:
        _draw_picture(axes, shares)
        return
    with_numbers = text is not None and values.shape[1] <= MOST_NUMBERED and values.shape[0] <= MOST_ROWS
    for (row, column), share in np.ndenumerate(shares):
        colour = WHITE if np.isnan(share) else shade(share)
        hatch: Style = {"hatch": "////", "edgecolor": FAINT, "linewidth": 0} if np.isnan(share) else {}
        style: Style = {"facecolor": colour, "edgecolor": WHITE, "linewidth": 0.6} | hatch
        axes.add_artist(Rectangle((column, row), 1, 1, **style))  # add_patch would compute limits for each
        if with_numbers and not np.isnan(share):
            place: Style = {"ha": "center", "va": "center_baseline", "fontsize": SMALL, "color": ink_on(colour)}
            axes.text(column + 0.5, row + 0.5, f"{values[row, column]:{text}}".replace("0.", ".", 1), **place)


def _draw_picture(axes: Axes, shares: Floats) -> None:
    steps = np.clip((shares * len(SHADES)).astype(float), 0, len(SHADES) - 1)
    shown = np.ma.masked_invalid(np.floor(steps))
    colours = ListedColormap(list(SHADES)).with_extremes(bad=WHITE)
    axes.pcolormesh(shown, cmap=colours, vmin=-0.5, vmax=len(SHADES) - 0.5, rasterized=True)


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
