"""Precision-recall curves: a few highlighted systems, and the others thin and grey behind them."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import check_highlight, select_columns
from agreement.plots.page import EDGE, Page, display_name, format_count, legend_width
from agreement.plots.style import render
from pooling.palette import BACKDROP, SERIES, Style

COLUMNS = ("system", "recall", "precision")
WIDTH, HEIGHT = 4.8, 4.2  # inches of the axes
MARKERS_PER_CURVE = 11
HIGHLIGHTED: Style = {"linewidth": 1.5, "markersize": 4.5}
BACKGROUND: Style = {"color": BACKDROP, "linewidth": 0.6, "zorder": 1}


def pr_curves(
    curves: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    highlight: Sequence[str] | None = None,
    note: str = "",
) -> bytes:
    """Draw precision against recall, with a curve for each system.

    Parameters
    ----------
    curves : DataFrame
        Columns system, recall, precision; one row for each point, with recall and precision from 0 to 1.
    title : str, optional
        By default the number of systems. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    highlight : sequence of str, optional
        Up to 6 systems that get their own line style and legend entry, in this order. By default the 6 systems with
        the highest mean precision over their points.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column is missing, there is no point, a recall or precision is missing or not from 0 to 1, a highlighted
        system is unknown, more than 6 are highlighted, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import pr_curves
    >>> curves = pd.DataFrame({"system": "bm25", "recall": [0.0, 0.5, 1.0], "precision": [1.0, 0.6, 0.2]})
    >>> pr_curves(curves).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, curves, title, highlight, note)


def _figure(curves: pd.DataFrame, title: str | None, highlight: Sequence[str] | None, note: str) -> Figure:
    points = select_columns(curves, COLUMNS, COLUMNS[1:], "A precision-recall figure")
    if not points[["recall", "precision"]].apply(lambda column: column.between(0, 1)).all(axis=None):
        raise ValueError("Recall and precision must be from 0 to 1, but at least one is missing or outside.")
    lines = {str(system): rows.sort_values("recall", kind="stable") for system, rows in points.groupby("system")}
    chosen = check_highlight(_best_systems(points) if highlight is None else highlight, lines)
    legend = _legend(chosen, len(lines) - len(chosen))
    left, below = 0.75, 0.6
    title = f"Precision and recall of {format_count(len(lines), 'system')}" if title is None else title
    page = Page(left + WIDTH + legend_width(legend), below + HEIGHT + EDGE, title, note)
    axes = page.add_axes(left, below, WIDTH, HEIGHT)
    axes.set(xlim=(-0.01, 1.02), ylim=(-0.01, 1.02), xlabel="recall", ylabel="precision")
    _draw(axes, lines, chosen)
    axes.legend(handles=legend, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, handlelength=3)
    return page.figure


def _best_systems(points: pd.DataFrame) -> list[str]:
    means = points.groupby("system")["precision"].mean()
    return list(means.sort_values(ascending=False, kind="stable").index[: len(SERIES)])


def _draw(axes: Axes, lines: dict[str, pd.DataFrame], chosen: list[str]) -> None:
    for system in (name for name in lines if name not in chosen):
        axes.plot(lines[system]["recall"], lines[system]["precision"], **BACKGROUND)
    for number, system in enumerate(chosen):
        step = max(len(lines[system]) // MARKERS_PER_CURVE, 1)
        first = number * step // len(SERIES)  # shifted, so that markers of different curves do not overlap
        style = SERIES[number] | {"markevery": (first, step), "zorder": 9 - number}
        axes.plot(lines[system]["recall"], lines[system]["precision"], **style, **HIGHLIGHTED)


def _legend(chosen: list[str], others: int) -> list[Line2D]:
    drawn = [
        Line2D([], [], label=display_name(system), **style, **HIGHLIGHTED)
        for system, style in zip(chosen, SERIES, strict=False)
    ]
    if others:
        drawn.append(Line2D([], [], label=f"{others} more" if chosen else format_count(others, "system"), **BACKGROUND))
    return drawn
