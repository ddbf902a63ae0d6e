"""How far each judge keeps the ranking of people, with the range that people reach among themselves behind."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from agreement.plots.inputs import select_columns
from agreement.plots.page import axes_size, format_count
from agreement.plots.row_axes import add_undefined_row, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, BANDS, DEEP, HAIRLINE, PALE, Style

COLUMNS = ("judge", "kind", "value", "low", "high")
PEOPLE = "person"
TICK = 0.6  # inches from one number below the axes to the next
INTERVAL: Style = {"color": PALE, "linewidth": 6, "solid_capstyle": "butt", "zorder": 2}
MODEL: Style = {"linestyle": "none", "marker": "s", "markersize": 4.5, "color": ACCENT, "zorder": 3}
PERSON: Style = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": DEEP, "zorder": 3}


def ranking_agreement(
    judges: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    value: str = "tau_b",
    confidence: float = 0.95,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw the correlation of each judge's ranking with that of the reference, the highest at the top.

    Parameters
    ----------
    judges : DataFrame
        Columns judge, kind ("model" or "person"), value, low and high. A missing value is drawn as undefined.
    title : str, optional
        By default the number of judges. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    value : str
        Name of the correlation, the label of the x axis.
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
        A column is missing, there is no judge, or the kind of the file is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import ranking_agreement
    >>> judges = pd.DataFrame({"judge": ["gpt", "ada"], "kind": ["model", "person"], "value": [0.9, 0.8]})
    >>> ranking_agreement(judges.assign(low=[0.8, 0.7], high=[0.95, 0.9])).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, judges, title, value, confidence, note, width)


def _figure(
    judges: pd.DataFrame, title: str | None, value: str, confidence: float, note: str, width: float | None = None
) -> Figure:
    rows = select_columns(judges, COLUMNS, COLUMNS[2:], "A figure of rankings")
    rows = rows.sort_values(["value", "judge"], ascending=[False, True], na_position="last", ignore_index=True)
    of_people = rows.loc[(rows["kind"] == PEOPLE) & rows["value"].notna(), "value"]
    title = f"{format_count(len(rows), 'judge')}: is the ranking that of people?" if title is None else title
    page, axes = row_page(list(rows["judge"]), (value, "judge"), title, note, _legend(rows, confidence), width=width)
    if len(of_people):
        axes.axvspan(of_people.min(), of_people.max(), facecolor=BANDS["good"], edgecolor="none", zorder=0)
    for row, judge, kind, middle, low, high in rows.itertuples():
        if pd.isna(middle):
            add_undefined_row(axes, row, "undefined")
            continue
        if not (pd.isna(low) or pd.isna(high)):
            axes.hlines(row, low, high, color=PALE, linewidth=6, zorder=2)
        axes.plot(middle, row, **(PERSON if kind == PEOPLE else MODEL))
        limits = "" if pd.isna(low) or pd.isna(high) else f", {low:.3f} to {high:.3f}"
        mark_row(axes, row, f"{judge} ({kind}): {value} {middle:.3f}{limits}", judge=str(judge))
    if width is not None:
        axes.xaxis.set_major_locator(MaxNLocator(max(2, int(axes_size(axes)[0] / TICK))))
    if float(rows[["value", "low"]].min().min()) < 0:
        axes.axvline(0, color=HAIRLINE, linewidth=0.8, zorder=1)
    return page.figure


def _legend(rows: pd.DataFrame, confidence: float) -> list[Line2D | Patch]:
    legend: list[Line2D | Patch] = [Line2D([], [], label="model", **MODEL)]
    if (rows["kind"] == PEOPLE).any():
        legend += [Line2D([], [], label="person", **PERSON), Patch(label="range of people", facecolor=BANDS["good"])]
    if rows["low"].notna().any():
        legend.append(Line2D([], [], label=f"{confidence:.0%} interval", **INTERVAL))
    return legend
