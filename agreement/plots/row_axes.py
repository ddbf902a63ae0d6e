"""Axes with one row for each name: names at the left, a hairline from each name to its marks, numbers below."""

from collections.abc import Sequence
from math import ceil

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from agreement.plots.marks import mark
from agreement.plots.page import EDGE, LINE, NARROW, SMALL, Page, display_name, legend_columns, max_text_width, shorten
from pooling.palette import HAIRLINE, INK, QUIET, Style

WIDTH = 4.7  # inches of the axes: beside the sidebar of a screen of 1024 px, the whole figure is seen
NAME_GAP = 0.06  # inches between a name and the axes
ABOVE = 0.3  # inches for the label of the rows, and for numbers
BELOW = 0.5  # inches for the numbers and the label of the x axis
TALL = 25  # with more rows than this, the numbers are shown above as well
MOST_NAMED = 60  # figures of values that are read as a whole do not name more rows
WITHOUT_NAMES, THINNEST = 7.0, 0.02  # inches of all rows without names, and of one of them at least
LEAST_WIDTH = 1.0  # inches of the axes in a figure of a given width
LEAST_SHARE = 0.36  # of the axes in a figure that is wide enough for a desk


def row_page(
    names: Sequence[str],
    labels: tuple[str, str],
    title: str,
    note: str,
    legend: Sequence[Artist],
    *,
    right: float = 0.0,
    width: float | None = None,
    most_named: int | None = None,
) -> tuple[Page, Axes]:
    """Return a page and axes whose row i, counted from the top, is at y = i.

    `right` are the inches for texts beside the rows, and `width` those of the page: names that leave too little room
    for the axes lose their middle. More than `most_named` rows are thin and have no names.
    """
    is_thin = most_named is not None and len(names) > most_named
    least = LEAST_WIDTH if width is None or width < NARROW else LEAST_SHARE * width
    room = None if width is None else width - right - least - 4 * EDGE
    shown = [] if is_thin else [shorten(display_name(name), room) for name in names]
    side = max_text_width([*shown, labels[1]]) + 2 * EDGE
    inches = WIDTH if width is None else max(width - side - right - 2 * EDGE, LEAST_WIDTH)
    page_width = side + inches + right + 2 * EDGE
    height = max(WITHOUT_NAMES, THINNEST * len(names)) if is_thin else LINE * len(names)
    columns = legend_columns(legend, page_width) if legend else 1
    below = BELOW + LINE * ceil(len(legend) / columns) + 0.1
    page = Page(page_width, below + height + ABOVE, title, note)
    page.add_legend(legend, columns)
    axes = page.add_axes(side, below, inches, height)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(shown)), labels=shown, color=INK)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1], rotation=0, ha="right", va="bottom")
    axes.yaxis.set_label_coords(-NAME_GAP / inches, 1 + NAME_GAP / height)
    _style_axes(axes, is_tall=len(names) > TALL)
    axes.grid(visible=not is_thin, axis="y")
    return page, axes


def write_beside(axes: Axes, row: int, text: str) -> None:
    """Write a text to the right of a row."""
    style: Style = {"textcoords": "offset points", "color": QUIET, "fontsize": SMALL, "va": "center"}
    axes.annotate(text, (1, row), (7, 0), xycoords=axes.get_yaxis_transform(), annotation_clip=False, **style)


def hide_upper_numbers(axes: Axes) -> None:
    """Leave the space above the rows to other texts."""
    axes.tick_params(axis="x", top=False, labeltop=False)
    axes.spines["top"].set_visible(False)


def _style_axes(axes: Axes, is_tall: bool) -> None:
    axes.tick_params(axis="y", length=0, pad=72 * NAME_GAP)
    axes.tick_params(axis="x", top=is_tall, labeltop=is_tall)
    axes.grid(axis="y", color=HAIRLINE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.spines["top"].set_visible(is_tall)


def add_undefined_row(axes: Axes, row: int, reason: str) -> None:
    """Write into a row why it has no mark."""
    axes.text(0.01, row, reason, transform=axes.get_yaxis_transform(), color=QUIET, fontstyle="italic", va="center")


def mark_row(axes: Axes, row: float, title: str, **names: str) -> None:
    """Make a row answer: the title says its numbers, and the names whose they are (`agreement.plots.marks`)."""
    place = axes.get_yaxis_transform()
    band = Rectangle((0, row - 0.5), 1, 1, transform=place, facecolor="none", linewidth=0, zorder=0)
    mark(band, title, is_band=True, **names)
    axes.add_patch(band)
