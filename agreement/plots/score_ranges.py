"""The score of every system, with the range that it has over many golds."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import floats, once, table
from agreement.plots.page import counted, plain
from agreement.plots.row_axes import row_axes, undefined_row
from agreement.plots.style import DEEP, MARK, PALE, as_file

COLUMNS = ("system", "mean", "least", "greatest")
RANGE = {"color": PALE, "linewidth": 3.5, "solid_capstyle": "butt", "zorder": 2}
MEAN = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}
OTHER = {
    "linestyle": "none",
    "marker": "D",
    "markersize": 5,
    "markerfacecolor": "none",
    "markeredgecolor": MARK,
    "markeredgewidth": 1.2,
    "zorder": 4,
}


def score_ranges(
    systems: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    measure: str = "score",
    draws: int | None = None,
    marks: pd.Series | None = None,
    note: str = "",
) -> bytes:
    """Mean score of each system and the range from its least to its greatest, the best system above.

    Parameters
    ----------
    systems : DataFrame
        Columns system, mean, least, greatest. A row in which a number lacks is drawn as undefined, below.
    title : str, optional
        Systems, measure and draws where none is given.
    kind : {"svg", "pdf", "png"}
    measure : str
        What the scores are; the name of the axis.
    draws : int, optional
        Over how many golds.
    marks : Series, optional
        One score more for each system (the index), such as the reference's; the Series' name goes to the legend.
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
    return as_file(kind, _figure, systems, title, measure, draws, marks, note)


def _figure(systems, title, measure, draws, marks, note) -> Figure:
    rows = table(systems, COLUMNS, COLUMNS[1:], "a chart of score ranges")
    once(rows["system"], "system")
    if marks is not None:
        once(marks.index, "marked system")
    rows = rows.sort_values(["mean", "system"], ascending=[False, True], na_position="last", ignore_index=True)
    over = "" if draws is None else f", over {counted(draws, 'mixed gold')}"
    title = title or f"{counted(len(rows), 'system')} by {measure}{over}"
    axes = row_axes(list(rows["system"]), (plain(measure), "system"), title, note, _legend(marks))
    defined = rows[rows[list(COLUMNS[1:])].notna().all(axis=1)]
    axes.hlines(defined.index, defined["least"], defined["greatest"], color=PALE, linewidth=3.5, zorder=2)
    axes.plot(defined["mean"], defined.index, **MEAN)
    if marks is not None:
        axes.plot(rows["system"].map(floats(marks, "marks")), rows.index, **OTHER)
    for row in rows.index.difference(defined.index):
        undefined_row(axes, row, "undefined")
    return axes.figure


def _legend(marks: pd.Series | None) -> list[Line2D]:
    drawn = [Line2D([], [], label="mean", **MEAN), Line2D([], [], label="least to greatest", **RANGE)]
    if marks is not None:
        drawn.append(Line2D([], [], label=plain("mark" if marks.name is None else marks.name), **OTHER))
    return drawn
