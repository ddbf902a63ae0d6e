"""Gain curve: the relevant documents found against the documents judged."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from agreement.plots.inputs import select_columns
from agreement.plots.page import EDGE, Page
from agreement.plots.row_axes import LEAST_WIDTH
from agreement.plots.style import render
from pooling.palette import DEEP, HAIRLINE

COLUMNS = ("n_judged", "found")
WIDTH, HEIGHT = 3.3, 2.4  # inches of the axes


def gain_curve(
    points: pd.DataFrame, title: str = "Gain curve", kind: str = "svg", *, note: str = "", width: float | None = None
) -> bytes:
    """Draw the number of relevant documents found against the number of documents judged.

    The line is a staircase: it rises where a judged document is relevant.

    Parameters
    ----------
    points : DataFrame
        Columns n_judged and found: integers from 0, and found is at most n_judged and never decreases. The frame of
        `pooling.GainCurve.to_frame` has these columns.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    note : str
        A line below the figure.
    width : float, optional
        Inches of the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no row, the numbers are not those of a gain curve, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import gain_curve
    >>> gain_curve(pd.DataFrame({"n_judged": [0, 1, 2, 3], "found": [0, 1, 1, 2]})).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, points, title, note, width)


def _figure(points: pd.DataFrame, title: str, note: str, width: float | None = None) -> Figure:
    rows = select_columns(points, COLUMNS, COLUMNS, "A gain curve").sort_values("n_judged", kind="stable")
    _check_counts(rows)
    left, below = 0.75, 0.5
    inches = WIDTH if width is None else max(width - left - EDGE, LEAST_WIDTH)
    page = Page(left + inches + EDGE, below + HEIGHT + EDGE, title, note)
    axes = page.add_axes(left, below, inches, HEIGHT)
    axes.set(xlabel="documents judged", ylabel="relevant documents found")
    axes.set(xlim=(0, max(int(rows["n_judged"].max()), 1)), ylim=(0, max(int(rows["found"].max()), 1) * 1.05))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator("auto" if width is None else 4, integer=True))
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(axis="y", color=HAIRLINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.step(rows["n_judged"], rows["found"], where="post", color=DEEP, linewidth=1.5)
    return page.figure


def _check_counts(rows: pd.DataFrame) -> None:
    judged, found = rows["n_judged"].astype(float), rows["found"].astype(float)
    if not ((judged % 1 == 0) & (found % 1 == 0) & (found >= 0) & (found <= judged)).all():
        raise ValueError("The columns of a gain curve must be whole numbers with 0 <= found <= n_judged.")
    if (found.diff() < 0).any():
        raise ValueError("The number of relevant documents found must not decrease.")
