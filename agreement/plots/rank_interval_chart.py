"""The rank of every system, with its interval of confidence."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from agreement.plots.inputs import once, table
from agreement.plots.page import counted
from agreement.plots.row_axes import row_axes, undefined_row
from agreement.plots.style import DEEP, PALE, as_file

COLUMNS = ("system", "rank", "low", "high")
INTERVAL = {"color": PALE, "linewidth": 6, "solid_capstyle": "butt", "zorder": 2}
RANK = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}


def rank_interval_chart(
    ranks: pd.DataFrame, title: str | None = None, kind: str = "svg", *, level: float | None = None, note: str = ""
) -> bytes:
    """Rank of each system with its interval, the best system above and rank 1 at the left.

    Parameters
    ----------
    ranks : DataFrame
        Columns system, rank, low, high; 1 is the best rank, `low` the better end. A row in which a number lacks is
        drawn as undefined, below.
    title : str, optional
        The number of systems and the level where none is given.
    kind : {"svg", "pdf", "png"}
    level : float, optional
        Of confidence, such as 0.95.
    note : str
        A line below.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column lacks, there is no system, or one is there twice; an unknown kind.
    """
    return as_file(kind, _figure, ranks, title, level, note)


def _figure(ranks, title, level, note) -> Figure:
    rows = table(ranks, COLUMNS, COLUMNS[1:], "a chart of rank intervals")
    once(rows["system"], "system")
    rows = rows.sort_values(["rank", "low", "high", "system"], na_position="last", ignore_index=True)
    interval = "interval" if level is None else f"{100 * level:g}% interval"
    title = title or f"Ranks of {counted(len(rows), 'system')}, with {interval}"
    legend = [Line2D([], [], label="rank", **RANK), Line2D([], [], label=interval, **INTERVAL)]
    axes = row_axes(list(rows["system"]), ("rank (1 is the best)", "system"), title, note, legend)
    defined = rows[rows[list(COLUMNS[1:])].notna().all(axis=1)]
    axes.hlines(defined.index, defined["low"], defined["high"], color=PALE, linewidth=6, zorder=2)
    axes.plot(defined["rank"], defined.index, **RANK)
    for row in rows.index.difference(defined.index):
        undefined_row(axes, row, "undefined")
    _rank_axis(axes, max(len(rows), defined["high"].max() if len(defined) else 1))
    return axes.figure


def _rank_axis(axes, last: float) -> None:
    """From the first to the last rank, and a tick at 1 rather than at 0."""
    axes.set_xlim(0.5, last + 0.5)
    ticks = [
        tick
        for tick in MaxNLocator(nbins=8, steps=[1, 2, 5, 10], integer=True).tick_values(1, last)
        if 1 < tick <= last
    ]
    axes.set_xticks([1, *ticks], labels=[f"{tick:.0f}" for tick in [1, *ticks]])
