"""Growth: what a computation costs against its size, on logarithmic axes."""

from math import ceil, floor, log10

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from agreement.plots.inputs import table
from agreement.plots.page import EDGE, HANDLE, LEGEND, Page, plain, widest
from agreement.plots.style import FAINT, SERIES, as_file

COLUMNS = ("series", "size", "cpu")
WIDTH, HEIGHT = 4.8, 4.0  # inches of the axes
MANY = 200  # times the least: from there on powers of ten are numbers enough
LINEAR = {"color": FAINT, "linewidth": 0.9, "zorder": 1}


def growth(
    points: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    x_label: str = "size",
    y_label: str = "CPU seconds",
    note: str = "",
) -> bytes:
    """CPU against size on logarithmic axes, a line for each series, its slope in the legend.

    The slope is that of the least-squares line of log cpu on log size: 1 is linear growth, which a thin grey
    line shows; 2 is quadratic. With fewer than two sizes it is undefined.

    Parameters
    ----------
    points : DataFrame
        Columns series, size, cpu; sizes and times above 0; at most 6 series.
    title : str, optional
    kind : {"svg", "pdf", "png"}
    x_label, y_label : str
    note : str
        A line below.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column lacks, there is no point, or one is not above 0; too many series; an unknown kind.
    """
    return as_file(kind, _figure, points, title, x_label, y_label, note)


def slope(size, cpu) -> float | None:
    """Slope of the least-squares line of log cpu on log size; None with fewer than two sizes.

    Parameters
    ----------
    size, cpu : array_like of float, shape (n,)
        Above 0.
    """
    x, y = np.log(np.asarray(size, dtype=float)), np.log(np.asarray(cpu, dtype=float))
    if len(np.unique(x)) < 2:
        return None
    away = x - x.mean()
    return float(away @ (y - y.mean()) / (away @ away))


def _figure(points, title, x_label, y_label, note) -> Figure:
    rows = table(points, COLUMNS, COLUMNS[1:], "a figure of growth")
    if not (np.isfinite(rows[["size", "cpu"]]) & (rows[["size", "cpu"]] > 0)).all(axis=None):
        raise ValueError("sizes and times are above 0 on logarithmic axes; there is one that is not")
    lines = {name: part.sort_values("size", kind="stable") for name, part in rows.groupby("series", sort=False)}
    if len(lines) > len(SERIES):
        raise ValueError(f"at most {len(SERIES)} series are drawn; got {len(lines)}")
    legend = [_line(lines[name], style, _called(name, lines[name])) for name, style in zip(lines, SERIES, strict=False)]
    legend.append(Line2D([], [], label="linear (slope 1)", **LINEAR))
    left, below = 0.85, 0.6
    right = widest((line.get_label() for line in legend), LEGEND) + HANDLE + 4 * EDGE
    page = Page(left + WIDTH + right, below + HEIGHT + EDGE, title or f"{y_label} against {x_label}", note)
    axes = page.axes(left, below, WIDTH, HEIGHT)
    axes.set(xscale="log", yscale="log", xlabel=plain(x_label), ylabel=plain(y_label))
    for name, style in zip(lines, SERIES, strict=False):
        axes.add_line(_line(lines[name], style, ""))
    _linear(axes, rows)
    axes.legend(handles=legend, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, handlelength=3)
    return page.figure


def _line(part: pd.DataFrame, style: dict, label: str) -> Line2D:
    return Line2D(part["size"], part["cpu"], label=label, linewidth=1.5, markersize=4.5, zorder=3, **style)


def _called(name: str, part: pd.DataFrame) -> str:
    found = slope(part["size"], part["cpu"])
    return f"{plain(name)}: slope {f'{found:.2f}' if found is not None else 'undefined (one size)'}"


def _linear(axes: Axes, rows: pd.DataFrame) -> None:
    """The line of linear growth through the (geometric) mean of the first times, and what numbers the axes show."""
    first, last = rows["size"].min(), rows["size"].max()
    begin = np.exp(np.log(rows.loc[rows["size"] == first, "cpu"]).mean())
    axes.plot([first, last], [begin, begin * last / first], **LINEAR)
    for axis, least, greatest in (
        (axes.xaxis, first, last),
        (axes.yaxis, rows["cpu"].min(), max(rows["cpu"].max(), begin * last / first)),
    ):
        axis.set_minor_locator(NullLocator())
        ticks, ends = _scale(least, greatest)
        axis.set_ticks(ticks, labels=[number(tick) for tick in ticks])
        axis.axes.set(**{f"{axis.axis_name}lim": ends})


def _scale(least: float, greatest: float) -> tuple[list[float], tuple[float, float]]:
    """Numbers to tell, and the axis' ends: powers of ten where there are enough, else 1, 2, 5, 10, ... around all."""
    powers = range(floor(log10(least)) - 1, ceil(log10(greatest)) + 2)
    if greatest > least * MANY:
        ends = least / 1.5, greatest * 1.5
        return [tick for tick in (float(f"1e{power}") for power in powers) if ends[0] < tick < ends[1]], ends
    steps = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    low, high = max(step for step in steps if step < least), min(step for step in steps if step > greatest)
    return [step for step in steps if low <= step <= high], (low, high)


def number(value: float) -> str:
    """1,000,000 and 0.001 rather than powers of ten."""
    return f"{value:,.0f}" if value >= 1 else f"{value:.12f}".rstrip("0")
