"""Counts by period: one bar for each hour or day."""

from math import ceil

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.page import EDGE, Page, display_name, max_text_width
from agreement.plots.row_axes import LEAST_WIDTH
from agreement.plots.style import render
from pooling.palette import DEEP, HAIRLINE

COLUMNS = ("period", "n")
WIDTH, HEIGHT = 6.4, 1.6  # inches of the axes
LABEL = 8  # points, the name of a period
GAP = 0.25  # inches between two names


def period_counts(
    counts: pd.DataFrame,
    title: str = "",
    kind: str = "svg",
    *,
    unit: str = "hour",
    what: str = "judgements",
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw how many judgements were recorded in each period, as bars.

    Parameters
    ----------
    counts : DataFrame
        Columns period (its name, such as "2026-03-02 14") and n (a whole number from 0); one row for each period, in
        the order of the bars.
    title : str
        Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    unit : str
        What a period is, the label of the horizontal axis.
    what : str
        What is counted, the label of the vertical axis.
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
        A column is missing, there is no row, a period occurs twice, a number is not a whole number from 0, or the
        kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import period_counts
    >>> counts = pd.DataFrame({"period": ["2026-03-01", "2026-03-02"], "n": [12, 30]})
    >>> period_counts(counts, unit="day").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, counts, title, unit, what, note, width)


def _figure(counts: pd.DataFrame, title: str, unit: str, what: str, note: str, width: float | None = None) -> Figure:
    rows = select_columns(counts, COLUMNS, ("n",), "A figure of counts")
    check_unique(rows["period"], "period")
    if not ((rows["n"] >= 0) & (rows["n"] % 1 == 0)).all():
        raise ValueError("The counts must be whole numbers from 0.")
    left, below = 0.75, 0.5
    inches = WIDTH if width is None else max(width - left - 2 * EDGE, LEAST_WIDTH)
    page = Page(left + inches + 2 * EDGE, below + HEIGHT + EDGE, title, note)
    axes = page.add_axes(left, below, inches, HEIGHT)
    axes.set(xlabel=unit, ylabel=what, xlim=(-0.6, len(rows) - 0.4), ylim=(0, max(rows["n"].max(), 1) * 1.05))
    axes.bar(range(len(rows)), rows["n"], width=0.85, color=DEEP)
    names = [display_name(name) for name in rows["period"]]
    step = _step(names, inches)
    axes.set_xticks(range(0, len(names), step), labels=names[::step], fontsize=LABEL)
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(axis="y", color=HAIRLINE, linewidth=0.6)
    axes.set_axisbelow(True)
    return page.figure


def _step(names: list[str], width: float) -> int:
    """Return the smallest n so that every n-th name has space below the axes."""
    return ceil((max_text_width(names, LABEL) + GAP) * len(names) / width)
