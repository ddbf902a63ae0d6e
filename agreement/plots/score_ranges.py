"""The mean score of every system, with its range over many golds."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import check_unique, select_columns, to_floats
from agreement.plots.page import display_name, format_count
from agreement.plots.row_axes import add_undefined_row, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, PALE, Style

COLUMNS = ("system", "mean", "least", "greatest")
RANGE: Style = {"color": PALE, "linewidth": 3.5, "solid_capstyle": "butt", "zorder": 2}
MEAN: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}
OTHER: Style = {
    "linestyle": "none",
    "marker": "D",
    "markersize": 5,
    "markerfacecolor": "none",
    "markeredgecolor": ACCENT,
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
    width: float | None = None,
) -> bytes:
    """Draw the mean score of each system and the range from its minimum to its maximum, the best system at the top.

    Parameters
    ----------
    systems : DataFrame
        Columns system, mean, least, greatest. A row with a missing number is drawn as undefined, at the bottom.
    title : str, optional
        By default the number of systems, the measure and the draws. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    measure : str
        Name of the measure, the label of the x axis.
    draws : int, optional
        Number of golds.
    marks : Series, optional
        An additional score for each system (the index), such as the one under the reference. The name of the Series is
        shown in the legend.
    note : str
        A line below the figure.
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
    >>> from agreement.plots import score_ranges
    >>> systems = pd.DataFrame({"system": ["a", "b"], "mean": [0.4, 0.3], "least": [0.3, 0.1], "greatest": [0.5, 0.4]})
    >>> score_ranges(systems, measure="AP", draws=1000).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, systems, title, measure, draws, marks, note, width)


def _figure(
    systems: pd.DataFrame,
    title: str | None,
    measure: str,
    draws: int | None,
    marks: pd.Series | None,
    note: str,
    width: float | None = None,
) -> Figure:
    rows = select_columns(systems, COLUMNS, COLUMNS[1:], "A chart of score ranges")
    check_unique(rows["system"], "system")
    if marks is not None:
        check_unique(marks.index, "marked system")
    rows = rows.sort_values(["mean", "system"], ascending=[False, True], na_position="last", ignore_index=True)
    over = "" if draws is None else f", over {format_count(draws, 'mixed gold')}"
    title = f"{format_count(len(rows), 'system')} by {measure}{over}" if title is None else title
    labels, legend = (display_name(measure), "system"), _legend(marks)
    page, axes = row_page(list(rows["system"]), labels, title, note, legend, width=width)
    defined = rows[rows[list(COLUMNS[1:])].notna().all(axis=1)]
    axes.hlines(defined.index, defined["least"], defined["greatest"], color=PALE, linewidth=3.5, zorder=2)
    axes.plot(defined["mean"], defined.index, **MEAN)
    if marks is not None:
        axes.plot(rows["system"].map(to_floats(marks, "marks")), rows.index, **OTHER)
    for row, system, mean, least, greatest in defined.itertuples():
        mark_row(axes, row, f"{system}: mean {mean:.3f}, {least:.3f} to {greatest:.3f}", system=str(system))
    for row in rows.index.difference(defined.index):
        add_undefined_row(axes, row, "undefined")
    return page.figure


def _legend(marks: pd.Series | None) -> list[Line2D]:
    drawn = [Line2D([], [], label="mean", **MEAN), Line2D([], [], label="minimum to maximum", **RANGE)]
    if marks is not None:
        drawn.append(Line2D([], [], label=display_name("mark" if marks.name is None else marks.name), **OTHER))
    return drawn
