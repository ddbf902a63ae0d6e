"""The score of every system by the model alone, and corrected by few human grades."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.page import display_name, format_count
from agreement.plots.row_axes import add_undefined_row, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, PALE, Style

COLUMNS = ("system", "model_alone", "value", "low", "high")
INTERVAL: Style = {"color": PALE, "linewidth": 6, "solid_capstyle": "butt", "zorder": 2}
CORRECTED: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 4}
ALONE: Style = {
    "linestyle": "none",
    "marker": "s",
    "markersize": 5,
    "markerfacecolor": "none",
    "markeredgecolor": ACCENT,
    "markeredgewidth": 1.2,
    "zorder": 3,
}


def model_scores(
    systems: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    measure: str = "score",
    confidence: float = 0.95,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw the score of each system by the model alone and corrected by people, the best corrected one at the top.

    Parameters
    ----------
    systems : DataFrame
        Columns system, model_alone, value (the corrected score), low and high. A row without a corrected score is
        drawn as undefined, at the bottom, with the score by the model alone.
    title : str, optional
        By default the number of systems and the measure. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    measure : str
        Name of the measure, the label of the x axis.
    confidence : float
        Confidence of the intervals.
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
    >>> from agreement.plots import model_scores
    >>> systems = pd.DataFrame({"system": ["a", "b"], "model_alone": [0.6, 0.7], "value": [0.5, 0.4]})
    >>> model_scores(systems.assign(low=[0.4, 0.3], high=[0.6, 0.5]), measure="nDCG@10").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, systems, title, measure, confidence, note, width)


def _figure(
    systems: pd.DataFrame, title: str | None, measure: str, confidence: float, note: str, width: float | None = None
) -> Figure:
    rows = select_columns(systems, COLUMNS, COLUMNS[1:], "A figure of corrected scores")
    check_unique(rows["system"], "system")
    rows = rows.sort_values(["value", "system"], ascending=[False, True], na_position="last", ignore_index=True)
    if title is None:
        title = f"{format_count(len(rows), 'system')} by {measure}: the model alone, and corrected by people"
    legend = [
        Line2D([], [], label="model alone", **ALONE),
        Line2D([], [], label="corrected by people", **CORRECTED),
        Line2D([], [], label=f"{confidence:.0%} interval", **INTERVAL),
    ]
    page, axes = row_page(list(rows["system"]), (display_name(measure), "system"), title, note, legend, width=width)
    for row, system, alone, value, low, high in rows.itertuples():
        if not pd.isna(alone):
            axes.plot(alone, row, **ALONE)
        if pd.isna(value):
            add_undefined_row(axes, row, "not corrected")
            continue
        if not (pd.isna(low) or pd.isna(high)):
            axes.hlines(row, low, high, color=PALE, linewidth=6, zorder=2)
        axes.plot(value, row, **CORRECTED)
        by_model = "" if pd.isna(alone) else f"; model alone {alone:.3f}"
        mark_row(axes, row, f"{system}: corrected {value:.3f}, {low:.3f} to {high:.3f}{by_model}", system=str(system))
    return page.figure
