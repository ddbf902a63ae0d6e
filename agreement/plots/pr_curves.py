"""Precision-recall curves: a few systems told apart, the others thin and grey behind them."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import highlighted, table
from agreement.plots.page import EDGE, HANDLE, LEGEND, Page, counted, plain, widest
from agreement.plots.style import SERIES, as_file

COLUMNS = ("system", "recall", "precision")
WIDTH, HEIGHT = 4.8, 4.2  # inches of the axes
MARKERS = 11  # at most, on a curve
BEHIND = {"color": "#c2c2bf", "linewidth": 0.6, "zorder": 1}


def pr_curves(
    curves: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    highlight: Sequence[str] | None = None,
    note: str = "",
) -> bytes:
    """Precision against recall, a curve for each system.

    Parameters
    ----------
    curves : DataFrame
        Columns system, recall, precision; a row for each point, both in [0, 1].
    title : str, optional
        The number of systems where none is given.
    kind : {"svg", "pdf", "png"}
    highlight : sequence of str, optional
        At most 6 systems with a line of their own, in the order of the legend. Where none is given, the 6 whose
        mean precision over their points is highest.
    note : str
        A line below.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column lacks, there is no point, or one is not in [0, 1] or missing; an unknown system or too many of
        them; an unknown kind.
    """
    return as_file(kind, _figure, curves, title, highlight, note)


def _figure(curves, title, highlight, note) -> Figure:
    points = table(curves, COLUMNS, COLUMNS[1:], "a precision-recall figure")
    if not points[["recall", "precision"]].apply(lambda column: column.between(0, 1)).all(axis=None):
        raise ValueError("recall and precision are from 0 to 1; there is a point outside or without")
    lines = {system: rows.sort_values("recall", kind="stable") for system, rows in points.groupby("system")}
    chosen = highlighted(_best(points) if highlight is None else highlight, lines)
    legend = _legend(chosen, len(lines) - len(chosen))
    left, below = 0.75, 0.6
    right = widest((line.get_label() for line in legend), LEGEND) + HANDLE + 4 * EDGE
    title = title or f"Precision and recall of {counted(len(lines), 'system')}"
    page = Page(left + WIDTH + right, below + HEIGHT + EDGE, title, note)
    axes = page.axes(left, below, WIDTH, HEIGHT)
    axes.set(xlim=(-0.01, 1.02), ylim=(-0.01, 1.02), xlabel="recall", ylabel="precision")
    _draw(axes, lines, chosen)
    axes.legend(handles=legend, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, handlelength=3)
    return page.figure


def _best(points: pd.DataFrame) -> list[str]:
    means = points.groupby("system")["precision"].mean()
    return list(means.sort_values(ascending=False, kind="stable").index[: len(SERIES)])


def _draw(axes: Axes, lines: dict[str, pd.DataFrame], chosen: list[str]) -> None:
    for system in (name for name in lines if name not in chosen):
        axes.plot(lines[system]["recall"], lines[system]["precision"], **BEHIND)
    for number, system in enumerate(chosen):
        every = max(len(lines[system]) // MARKERS, 1)
        begin = number * every // len(SERIES)  # not all markers of all curves at the same recall
        style = SERIES[number] | {"markevery": (begin, every), "zorder": 9 - number}
        axes.plot(lines[system]["recall"], lines[system]["precision"], **style, **_size())


def _size() -> dict:
    return {"linewidth": 1.5, "markersize": 4.5}


def _legend(chosen: list[str], others: int) -> list[Line2D]:
    drawn = [
        Line2D([], [], label=plain(system), **style, **_size()) for system, style in zip(chosen, SERIES, strict=False)
    ]
    if others:
        drawn.append(Line2D([], [], label=f"{others} more" if chosen else counted(others, "system"), **BEHIND))
    return drawn
