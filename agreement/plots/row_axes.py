"""Axes with a row for each name: the names at the left, a hairline from each to its marks, numbers above and below."""

from math import ceil

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from agreement.plots.page import EDGE, LINE, Page, legend_columns, plain, widest
from agreement.plots.style import HAIR, INK, QUIET

WIDTH = 5.2  # inches between the axes' ends
NAME = 0.06  # inches between a name and the axes
ABOVE = 0.3  # inches for the name of the rows, and numbers
SCALE = 0.5  # inches for the numbers and the name of the axis
TALL = 25  # rows, from which on the numbers stand above, too


def row_axes(names: list[str], labels: tuple[str, str], title: str, note: str, legend: list[Artist]) -> Axes:
    """Axes whose row i, counted from above, is at y = i.

    Parameters
    ----------
    names : list of str
        From the top; shown as `plain` has them.
    labels : tuple of str
        What x and y are.
    title, note : str
    legend : list of Artist
        With labels, drawn below the axes.
    """
    shown = [plain(name) for name in names]
    side = widest([*shown, labels[1]]) + 2 * EDGE
    width, height = side + WIDTH + 2 * EDGE, LINE * len(names)
    columns = legend_columns(legend, width)
    below = SCALE + LINE * ceil(len(legend) / columns) + 0.1
    page = Page(width, below + height + ABOVE, title, note)
    page.legend(legend, columns)
    axes = page.axes(side, below, WIDTH, height)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), labels=shown, color=INK)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1], rotation=0, ha="right", va="bottom")
    axes.yaxis.set_label_coords(-NAME / WIDTH, 1 + NAME / height)
    _rule(axes, tall=len(names) > TALL)
    return axes


def _rule(axes: Axes, tall: bool) -> None:
    axes.tick_params(axis="y", length=0, pad=72 * NAME)
    axes.tick_params(axis="x", top=tall, labeltop=tall)
    axes.grid(axis="y", color=HAIR, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.spines["top"].set_visible(tall)


def undefined_row(axes: Axes, row: int, why: str) -> None:
    """Says in a row why it has no mark."""
    axes.text(0.01, row, why, transform=axes.get_yaxis_transform(), color=QUIET, fontstyle="italic", va="center")
