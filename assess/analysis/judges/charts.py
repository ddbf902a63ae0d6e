"""The figures of the agreement pages as files: intervals, the matrix of kappas, and pace against agreement.

This module loads matplotlib, which takes a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from agreement.plots.page import EDGE, Page, display_name, format_count, max_text_width
from agreement.plots.row_axes import add_undefined_row, row_page
from agreement.plots.style import render
from assess.analysis.judges.similarity import Matrix
from assess.errors import Refused
from pooling.palette import DEEP, HAIRLINE, INK, PALE, QUIET, SHADES, Style

CELL = 0.22  # inches
DARK = 0.55  # from this kappa on, the number in a cell is white
INTERVAL: Style = {"color": PALE, "linewidth": 6, "solid_capstyle": "butt", "zorder": 2}
VALUE: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}


@dataclass(frozen=True)
class Bar:
    """One row of a chart of intervals: a value with its limits; all None if it is undefined."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


def interval_chart(bars: Sequence[Bar], figure: str, rows: str, title: str, kind: str) -> bytes:
    """Draw a value with its interval in each row. `figure` is the label of the values, `rows` that of the rows."""
    if not bars:
        raise Refused("There is nothing to draw: no two judges have a document in common.")
    return render(kind, _intervals, bars, figure, rows, title)


def matrix_chart(matrix: Matrix, title: str, kind: str) -> bytes:
    """Draw the kappas of all pairs below the diagonal, with the names on the diagonal."""
    return render(kind, _matrix, matrix, title)


def pace_chart(points: Sequence[tuple[str, float, float]], title: str, kind: str) -> bytes:
    """Draw the median seconds and the kappa of each judge."""
    if not points:
        raise Refused("There is nothing to draw: the time of no judge is known.")
    return render(kind, _pace, points, title)


def _intervals(bars: Sequence[Bar], figure: str, rows: str, title: str) -> Figure:
    has_interval = any(bar.low is not None for bar in bars)
    legend = [Line2D([], [], label=figure, **VALUE)]
    legend += [Line2D([], [], label="95% interval", **INTERVAL)] if has_interval else []
    note = "Intervals: jackknife over topics." if has_interval else ""
    page, axes = row_page([bar.name for bar in bars], (figure, rows), title, note, legend)
    for row, bar in enumerate(bars):
        if bar.value is None:
            add_undefined_row(axes, row, "undefined")
            continue
        if bar.low is not None and bar.high is not None:
            axes.hlines(row, bar.low, bar.high, color=PALE, linewidth=6, zorder=2)
        axes.plot(bar.value, row, **VALUE)
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    axes.set_xlim(min([0.0, *ends]) - 0.03, max([1.0, *ends]) + 0.03)
    axes.axvline(0, color=HAIRLINE, linewidth=0.8, zorder=1)
    return page.figure


def _matrix(matrix: Matrix, title: str) -> Figure:
    names = [display_name(name) for name in matrix.judges]
    size = CELL * len(names)
    width = size + max_text_width(names) + 3 * EDGE
    page = Page(max(width, 4.0), size + EDGE, title, "Pooled kappa times 100. Similar judges are next to each other.")
    axes = page.add_axes(EDGE, EDGE, size, size)
    axes.set_xlim(0, len(names))
    axes.set_ylim(len(names), 0)
    axes.set_axis_off()
    for position, name in enumerate(names):
        axes.text(position + 0.15, position + 0.5, name, va="center", color=INK, fontsize=8, clip_on=False)
    for row, column, kappa, n in matrix.cells:
        colour = "white" if kappa is None else _shade(kappa)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8))
        text = "?" if kappa is None and n else "" if kappa is None else f"{kappa * 100:z.0f}"
        ink = QUIET if kappa is None else "white" if kappa >= DARK else INK
        axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=6, color=ink)
    return page.figure


def _shade(kappa: float) -> str:
    return SHADES[min(int(max(kappa, 0.0) * len(SHADES)), len(SHADES) - 1)]


def _pace(points: Sequence[tuple[str, float, float]], title: str) -> Figure:
    note = f"{format_count(len(points), 'judge')}. Kappa is that with the majority of the other judges."
    page = Page(6.2, 3.9, title, note)
    axes = page.add_axes(0.7, 0.55, 5.2, 3.2)
    for name, seconds, kappa in points:
        axes.plot(seconds, kappa, **VALUE)
        axes.annotate(display_name(name), (seconds, kappa), xytext=(5, 3), textcoords="offset points", fontsize=8)
    axes.set_xlabel("median seconds for a document")
    axes.set_ylabel("pooled kappa")
    axes.margins(0.12)
    return page.figure
