"""Pace against agreement: whether fast judges agree less."""

import pandas as pd
from matplotlib.figure import Figure

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.marks import mark
from agreement.plots.page import Page, display_name
from agreement.plots.style import render
from pooling.palette import DEEP, Style

COLUMNS = ("judge", "seconds", "kappa")
MARK: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}


def pace_scatter(judges: pd.DataFrame, title: str = "", kind: str = "svg", *, note: str = "") -> bytes:
    """Draw the median seconds for a document and the kappa of each judge as a point with the judge's name.

    Parameters
    ----------
    judges : DataFrame
        Columns judge, seconds (from 0) and kappa (at most 1); one row for each judge whose time and kappa are known.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no judge, a judge occurs twice, a number is missing or outside its range, or the
        kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import pace_scatter
    >>> judges = pd.DataFrame({"judge": ["ada", "ben"], "seconds": [8.0, 21.5], "kappa": [0.4, 0.7]})
    >>> pace_scatter(judges).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, judges, title, note)


def _figure(judges: pd.DataFrame, title: str, note: str) -> Figure:
    rows = select_columns(judges, COLUMNS, COLUMNS[1:], "A figure of pace and agreement")
    check_unique(rows["judge"], "judge")
    if not ((rows["seconds"] >= 0) & (rows["kappa"] <= 1)).all():
        raise ValueError("Seconds must be at least 0 and kappas at most 1, and none may be missing.")
    page = Page(6.2, 3.9, title, note)
    axes = page.add_axes(0.7, 0.55, 5.2, 3.2)
    for name, seconds, kappa in rows.itertuples(index=False):
        (dot,) = axes.plot(seconds, kappa, **MARK)
        mark(dot, f"{name}: {seconds:.1f} s, kappa {kappa:z.3f}", judge=str(name))
        axes.annotate(display_name(name), (seconds, kappa), xytext=(5, 3), textcoords="offset points", fontsize=8)
    axes.set_xlabel("median seconds for a document")
    axes.set_ylabel("pooled kappa")
    axes.margins(0.12)
    return page.figure
