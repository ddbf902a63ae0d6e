"""The rank of every system, with its confidence interval."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.page import axes_size, format_count
from agreement.plots.row_axes import add_undefined_row, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import DEEP, PALE, Style
from pooling.words import percent

COLUMNS = ("system", "rank", "low", "high")
INTERVAL: Style = {"color": PALE, "linewidth": 6, "solid_capstyle": "butt", "zorder": 2}
RANK: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}
TICK = 0.3  # inches from one number of the axis to the next


def rank_interval_chart(
    ranks: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    confidence: float | None = None,
    note: str = "",
    interval: str = "interval",
    width: float | None = None,
) -> bytes:
    """Draw the rank of each system with its interval, the best system at the top and rank 1 at the left.

    Parameters
    ----------
    ranks : DataFrame
        Columns system, rank, low, high. 1 is the best rank, and `low` the better end of the interval. A row with a
        missing number is drawn as undefined, at the bottom.
    title : str, optional
        By default the number of systems and the confidence level. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    confidence : float, optional
        Level of confidence, such as 0.95.
    note : str
        A line below the figure.
    interval : str
        What the bars are, such as "range over 5 golds".
    width : float, optional
        Inches of the figure. Long names lose their middle.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no system, a system occurs twice, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import rank_interval_chart
    >>> ranks = pd.DataFrame({"system": ["a", "b"], "rank": [1, 2], "low": [1, 1], "high": [2, 2]})
    >>> rank_interval_chart(ranks, confidence=0.95).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, ranks, title, confidence, note, interval, width)


def _figure(
    ranks: pd.DataFrame,
    title: str | None,
    confidence: float | None,
    note: str,
    interval: str = "interval",
    width: float | None = None,
) -> Figure:
    rows = select_columns(ranks, COLUMNS, COLUMNS[1:], "A chart of rank intervals")
    check_unique(rows["system"], "system")
    rows = rows.sort_values(["rank", "low", "high", "system"], na_position="last", ignore_index=True)
    interval = interval if confidence is None else f"{percent(confidence)} {interval}"
    title = f"Ranks of {format_count(len(rows), 'system')}, with {interval}" if title is None else title
    legend = [Line2D([], [], label="rank", **RANK), Line2D([], [], label=interval, **INTERVAL)]
    labels = ("rank (1 is the best)", "system")
    page, axes = row_page(list(rows["system"]), labels, title, note, legend, width=width)
    defined = rows[rows[list(COLUMNS[1:])].notna().all(axis=1)]
    axes.hlines(defined.index, defined["low"], defined["high"], color=PALE, linewidth=6, zorder=2)
    axes.plot(defined["rank"], defined.index, **RANK)
    for row, system, rank, low, high in defined.itertuples():
        mark_row(axes, row, f"{system}: rank {rank:g}, {interval} {low:g} to {high:g}", system=str(system))
    for row in rows.index.difference(defined.index):
        add_undefined_row(axes, row, "undefined")
    _set_rank_axis(axes, max(float(len(rows)), float(defined["high"].max()) if len(defined) else 1.0))
    return page.figure


def _set_rank_axis(axes: Axes, last: float) -> None:
    """Show the first to the last rank, with a tick at 1 instead of 0."""
    axes.set_xlim(0.5, last + 0.5)
    most = min(8, max(2, int(axes_size(axes)[0] / TICK)))
    locator = MaxNLocator(nbins=most, steps=[1, 2, 5, 10], integer=True)
    ticks = [tick for tick in locator.tick_values(1, last) if 1 < tick <= last]
    axes.set_xticks([1, *ticks], labels=[f"{tick:.0f}" for tick in [1, *ticks]])
