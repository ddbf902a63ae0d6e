"""Size by depth: the documents of a topic in pools of growing depth."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.page import EDGE, LINE, Page, legend_columns
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, HAIRLINE, PALE, Style

COLUMNS = ("depth", "mean", "smallest", "largest")
WIDTH, HEIGHT = 3.3, 2.4  # inches of the axes
MARK: Style = {"color": ACCENT, "linewidth": 1.1, "linestyle": (0, (5, 3)), "zorder": 3}


def size_by_depth(
    sizes: pd.DataFrame,
    title: str = "Size by depth",
    kind: str = "svg",
    *,
    pool: float | None = None,
    depth: float | None = None,
    note: str = "",
) -> bytes:
    """Draw the mean number of documents per topic against the depth of the pool, and the range over topics.

    Parameters
    ----------
    sizes : DataFrame
        Columns depth (documents from the top of each run, at least 1), mean, smallest and largest (documents of a
        topic); one row for each depth.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    pool : float, optional
        Mean number of documents per topic of one pool, drawn as a dashed line.
    depth : float, optional
        Depth of this pool, drawn as a dashed line if it is one of the depths drawn.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, a depth occurs twice or is less than 1, a number is missing, a mean is
        outside its range, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import size_by_depth
    >>> sizes = pd.DataFrame({"depth": [1, 2], "mean": [3.5, 6.0], "smallest": [2, 4], "largest": [5, 9]})
    >>> size_by_depth(sizes, pool=6.0, depth=2).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, sizes, title, pool, depth, note)


def _figure(sizes: pd.DataFrame, title: str, pool: float | None, depth: float | None, note: str) -> Figure:
    rows = select_columns(sizes, COLUMNS, COLUMNS, "A figure of sizes").sort_values("depth", kind="stable")
    _check(rows)
    legend = _legend(pool is not None or depth is not None)
    left = 0.75
    below = 0.5 + LINE * -(-len(legend) // legend_columns(legend, left + WIDTH + EDGE)) + 0.05
    page = Page(left + WIDTH + EDGE, below + HEIGHT + EDGE, title, note)
    page.add_legend(legend, legend_columns(legend, page.width))
    axes = page.add_axes(left, below, WIDTH, HEIGHT)
    _set_scales(axes, rows, max(rows["largest"].max(), pool or 0))
    axes.fill_between(rows["depth"], rows["smallest"], rows["largest"], color=PALE, linewidth=0, zorder=1)
    axes.plot(rows["depth"], rows["mean"], color=DEEP, linewidth=1.8, marker="o" if len(rows) == 1 else "", zorder=2)
    if pool is not None:
        axes.axhline(pool, **MARK)
    if depth is not None and depth <= rows["depth"].max():
        axes.axvline(depth, **MARK)
    return page.figure


def _check(rows: pd.DataFrame) -> None:
    check_unique(rows["depth"], "depth")
    if rows.isna().any(axis=None):
        raise ValueError("The numbers of a figure of sizes must not be missing.")
    if (rows["depth"] < 1).any():
        raise ValueError(f"Depths must be at least 1, not {rows['depth'].min():g}.")
    if not ((rows["smallest"] <= rows["mean"]) & (rows["mean"] <= rows["largest"])).all():
        raise ValueError("Each mean must be from the smallest to the largest number of documents.")


def _set_scales(axes: Axes, rows: pd.DataFrame, highest: float) -> None:
    axes.set(xlabel="depth: documents from the top of each run", ylabel="documents per topic")
    first, last = float(rows["depth"].min()), float(rows["depth"].max())
    axes.set(xlim=(first, last) if first < last else (first - 1, first + 1), ylim=(0, max(highest, 1) * 1.05))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator("auto", integer=True))
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(axis="y", color=HAIRLINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _legend(has_mark: bool) -> list[Line2D | Patch]:
    drawn: list[Line2D | Patch] = [
        Line2D([], [], color=DEEP, linewidth=1.8, label="mean"),
        Patch(facecolor=PALE, label="smallest to largest topic"),
    ]
    return [*drawn, Line2D([], [], label="this pool", **MARK)] if has_mark else drawn
