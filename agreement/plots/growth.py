"""Growth: the cost of a computation against its size, on logarithmic axes."""

from math import ceil, floor, log10

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from agreement.plots.inputs import select_columns
from agreement.plots.page import EDGE, Page, display_name, legend_width
from agreement.plots.style import render
from pooling.palette import FAINT, SERIES, Style

COLUMNS = ("series", "size", "cpu")
WIDTH, HEIGHT = 4.8, 4.0  # inches of the axes
WIDE_RANGE = 200  # an axis whose largest value is this many times the smallest one shows powers of ten only
LINEAR: Style = {"color": FAINT, "linewidth": 0.9, "zorder": 1}


def growth(
    points: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    x_label: str = "size",
    y_label: str = "CPU seconds",
    note: str = "",
) -> bytes:
    """Draw CPU time against size on logarithmic axes, with a line for each series and its slope in the legend.

    The slope is that of the least-squares line of log(cpu) on log(size). Linear growth has the slope 1, and a thin
    grey line shows it; quadratic growth has the slope 2. With fewer than two sizes the slope is undefined, and the
    legend says so.

    Parameters
    ----------
    points : DataFrame
        Columns series, size, cpu. Sizes and times are above 0; there are at most 6 series.
    title : str, optional
        By default the two labels. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    x_label, y_label : str
        Labels of the axes.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no point, a size or time is not above 0, there are too many series, or the kind
        is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import growth
    >>> points = pd.DataFrame({"series": "tau", "size": [10, 100, 1000], "cpu": [0.01, 0.11, 1.2]})
    >>> growth(points, x_label="systems").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, points, title, x_label, y_label, note)


def slope(size: npt.ArrayLike, cpu: npt.ArrayLike) -> float | None:
    """Return the slope of the least-squares line of log(cpu) on log(size).

    Shapes: `size`, `cpu` (n,).

    Examples
    --------
    >>> round(slope([10, 100], [0.02, 2]), 3)
    2.0
    """
    x, y = np.log(np.asarray(size, dtype=float)), np.log(np.asarray(cpu, dtype=float))
    if len(np.unique(x)) < 2:
        return None
    deviation = x - x.mean()
    return float(deviation @ (y - y.mean()) / (deviation @ deviation))


def _figure(points: pd.DataFrame, title: str | None, x_label: str, y_label: str, note: str) -> Figure:
    rows = select_columns(points, COLUMNS, COLUMNS[1:], "A figure of growth")
    values = rows[["size", "cpu"]].to_numpy()
    if not (np.isfinite(values) & (values > 0)).all():
        raise ValueError("Sizes and times must be above 0 on logarithmic axes, but at least one is not.")
    lines = {str(name): part.sort_values("size", kind="stable") for name, part in rows.groupby("series", sort=False)}
    if len(lines) > len(SERIES):
        raise ValueError(f"At most {len(SERIES)} series can be drawn, not {len(lines)}.")
    legend = [_line(lines[name], style, _label(name, lines[name])) for name, style in zip(lines, SERIES, strict=False)]
    legend.append(Line2D([], [], label="linear (slope 1)", **LINEAR))
    left, below = 0.85, 0.6
    page_width, page_height = left + WIDTH + legend_width(legend), below + HEIGHT + EDGE
    title = f"{y_label} against {x_label}" if title is None else title
    page = Page(page_width, page_height, title, note)
    axes = page.add_axes(left, below, WIDTH, HEIGHT)
    axes.set(xscale="log", yscale="log", xlabel=display_name(x_label), ylabel=display_name(y_label))
    for name, style in zip(lines, SERIES, strict=False):
        axes.add_line(_line(lines[name], style, ""))
    _draw_linear_growth(axes, rows)
    axes.legend(handles=legend, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, handlelength=3)
    return page.figure


def _line(part: pd.DataFrame, style: Style, label: str) -> Line2D:
    return Line2D(part["size"], part["cpu"], label=label, linewidth=1.5, markersize=4.5, zorder=3, **style)


def _label(name: str, part: pd.DataFrame) -> str:
    value = slope(part["size"], part["cpu"])
    return f"{display_name(name)}: slope {f'{value:.2f}' if value is not None else 'undefined (one size)'}"


def _draw_linear_growth(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw linear growth through the geometric mean of the times at the smallest size, and set the ticks."""
    first, last = float(rows["size"].min()), float(rows["size"].max())
    begin = float(np.exp(np.log(rows.loc[rows["size"] == first, "cpu"]).mean()))
    end = begin * last / first
    axes.plot([first, last], [begin, end], **LINEAR)
    ticks, limits = _ticks_and_limits(first, last)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_ticks(ticks, labels=[format_tick(tick) for tick in ticks])
    axes.set(xlim=limits)
    ticks, limits = _ticks_and_limits(float(rows["cpu"].min()), max(float(rows["cpu"].max()), end))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_ticks(ticks, labels=[format_tick(tick) for tick in ticks])
    axes.set(ylim=limits)


def _ticks_and_limits(lowest: float, highest: float) -> tuple[list[float], tuple[float, float]]:
    """Return the ticks and limits of an axis: powers of ten if there are enough of them, else 1, 2, 5, 10, ..."""
    powers = range(floor(log10(lowest)) - 1, ceil(log10(highest)) + 2)
    if highest > lowest * WIDE_RANGE:
        limits = lowest / 1.5, highest * 1.5
        tens = (float(f"1e{power}") for power in powers)
        return [tick for tick in tens if limits[0] < tick < limits[1]], limits
    steps = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    low, high = max(step for step in steps if step < lowest), min(step for step in steps if step > highest)
    return [step for step in steps if low <= step <= high], (low, high)


def format_tick(value: float) -> str:
    """Format a number without an exponent, such as 1,000,000 or 0.001."""
    return f"{value:,.0f}" if value >= 1 else f"{value:.12f}".rstrip("0")
