"""What each run would gain if it were re-ranked by the judge: its rank before, under the judge, and under people."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import check_unique, select_columns
from agreement.plots.page import format_count
from agreement.plots.row_axes import mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, FAINT, PALE, Style

COLUMNS = ("system", "rank", "rank_by_judge", "rank_by_people")
BEFORE: Style = {
    "linestyle": "none",
    "marker": "|",
    "markersize": 9,
    "markeredgewidth": 1.6,
    "color": FAINT,
    "zorder": 3,
}
JUDGE: Style = {"linestyle": "none", "marker": "s", "markersize": 5, "markerfacecolor": "none", "zorder": 4}
JUDGE |= {"markeredgecolor": ACCENT, "markeredgewidth": 1.2}
PEOPLE: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 5}


def bought_ranks(
    systems: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    judge: str = "judge",
    width: float | None = None,
) -> bytes:
    """Draw, for each system, its rank before and after it alone is re-ranked by the judge.

    Parameters
    ----------
    systems : DataFrame
        Columns system, rank (before, under people), rank_by_judge and rank_by_people (after). The best system before is
        at the top.
    title : str, optional
        By default how many systems become first under the judge and under people. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    judge : str
        Name of the judge.
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
    >>> from agreement.plots import bought_ranks
    >>> systems = pd.DataFrame({"system": ["a", "b"], "rank": [1, 2], "rank_by_judge": [1, 1]})
    >>> bought_ranks(systems.assign(rank_by_people=[1, 2]), judge="llama").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, systems, title, judge, width)


def _figure(systems: pd.DataFrame, title: str | None, judge: str, width: float | None = None) -> Figure:
    rows = select_columns(systems, COLUMNS, COLUMNS[1:], "A figure of bought ranks")
    check_unique(rows["system"], "system")
    rows = rows.sort_values(["rank", "system"], ignore_index=True)
    legend = [
        Line2D([], [], label="before, under people", **BEFORE),
        Line2D([], [], label=f"re-ranked, under {judge}", **JUDGE),
        Line2D([], [], label="re-ranked, under people", **PEOPLE),
    ]
    title = _title(rows, judge) if title is None else title
    page, axes = row_page(list(rows["system"]), ("rank", "system"), title, "", legend, width=width)
    axes.hlines(rows.index, rows["rank_by_judge"], rows["rank_by_people"], color=PALE, linewidth=2, zorder=2)
    for column, style in (("rank", BEFORE), ("rank_by_judge", JUDGE), ("rank_by_people", PEOPLE)):
        axes.plot(rows[column], rows.index, **style)
    axes.set_xlim(0.3, len(rows) + 0.7)
    for row, system, before, by_judge, by_people in rows.itertuples():
        text = f"{system}: rank {before:g} becomes {by_judge:g} under {judge} and {by_people:g} under people"
        mark_row(axes, row, text, system=str(system))
    return page.figure


def _title(rows: pd.DataFrame, judge: str) -> str:
    by_judge, by_people = (int((rows[column] == 1).sum()) for column in COLUMNS[2:])
    systems = format_count(len(rows), "system")
    return f"Re-ranked by {judge}, {by_judge} of {systems} become first under it, and {by_people} under people"
