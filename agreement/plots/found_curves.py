"""Found against spent: how many relevant documents each strategy of pooling has found after how many judgements.

A few strategies are told apart, the others thin and grey behind them. A thin line shows the most that can be: each
judgement finds a relevant document, until all are found.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from agreement.plots.inputs import table
from agreement.plots.page import EDGE, HANDLE, LEGEND, Page, plain, widest
from agreement.plots.style import FAINT, SERIES, as_file

COLUMNS = ("strategy", "spent", "found")
WIDTH, HEIGHT = 4.8, 4.2  # inches of the axes
MARKERS = 9  # at most, on a curve
MARK = {"linewidth": 1.5, "markersize": 4.5}
BEHIND = {"color": "#c2c2bf", "linewidth": 0.6, "zorder": 1}
BEST = {"color": FAINT, "linewidth": 0.9, "linestyle": (0, (2, 2)), "zorder": 2}


def found_curves(
    points: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    highlight: Sequence[str] | None = None,
    total: int | None = None,
    note: str = "",
) -> bytes:
    """Relevant documents found against judgements spent, a curve for each strategy.

    Parameters
    ----------
    points : DataFrame
        Columns strategy, spent, found; a row for each point, 0 <= found <= spent.
    title : str, optional
        The number of strategies where none is given.
    kind : {"svg", "pdf", "png"}
    highlight : sequence of str, optional
        At most 6 strategies with a line of their own, in the order of the legend. Where none is given, the 6 that
        found most in the end.
    total : int, optional
        How many relevant documents there are; draws what would be found if each judgement found one.
    note : str
        A line below.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        A column lacks, there is no point, more is found than spent or than there is; an unknown strategy or too
        many of them; an unknown kind.
    """
    return as_file(kind, _figure, points, title, highlight, total, note)


def _figure(points, title, highlight, total, note) -> Figure:
    rows = table(points, COLUMNS, COLUMNS[1:], "a figure of what was found")
    _check(rows, total)
    lines = {name: part.sort_values("spent", kind="stable") for name, part in rows.groupby("strategy", sort=False)}
    chosen = _most(lines) if highlight is None else _told_apart(list(highlight), lines)
    legend = _legend(chosen, len(lines) - len(chosen), total)
    left, below = 0.85, 0.6
    right = widest((line.get_label() for line in legend), LEGEND) + HANDLE + 4 * EDGE
    title = title or f"Relevant documents found by {len(lines)} {'strategy' if len(lines) == 1 else 'strategies'}"
    page = Page(left + WIDTH + right, below + HEIGHT + EDGE, title, note)
    axes = page.axes(left, below, WIDTH, HEIGHT)
    axes.set(xlabel="judgements spent", ylabel="relevant documents found")
    _draw(axes, lines, chosen)
    _scale(axes, rows, total)
    axes.legend(handles=legend, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, handlelength=3)
    return page.figure


def _check(rows: pd.DataFrame, total: int | None) -> None:
    found, spent = rows["found"].to_numpy(), rows["spent"].to_numpy()
    if not ((found >= 0) & (found <= spent)).all():
        raise ValueError("what is found is from 0 to what is spent; there is a point outside or without")
    if total is not None and found.max() > total:
        raise ValueError(f"there are {total} relevant documents; {found.max():g} were found")


def _most(lines: dict[str, pd.DataFrame]) -> list[str]:
    return sorted(lines, key=lambda name: -lines[name]["found"].iloc[-1])[: len(SERIES)]


def _told_apart(asked: list[str], lines: dict[str, pd.DataFrame]) -> list[str]:
    if unknown := [name for name in asked if name not in lines]:
        raise ValueError(f"{unknown[0]!r} is none of the strategies; it cannot be highlighted")
    if len(asked) > len(SERIES):
        raise ValueError(f"at most {len(SERIES)} strategies are highlighted; got {len(asked)}")
    return asked


def _draw(axes: Axes, lines: dict[str, pd.DataFrame], chosen: list[str]) -> None:
    for name in (name for name in lines if name not in chosen):
        axes.plot(lines[name]["spent"], lines[name]["found"], **BEHIND)
    for number, name in enumerate(chosen):
        every = max(len(lines[name]) // MARKERS, 1)
        begin = number * every // len(SERIES)  # not all markers of all curves at the same place
        style = SERIES[number] | {"markevery": (begin, every), "zorder": 9 - number}
        axes.plot(lines[name]["spent"], lines[name]["found"], **style, **MARK)


def _scale(axes: Axes, rows: pd.DataFrame, total: int | None) -> None:
    """The most that can be, as far as the curves go; axes from 0, with numbers as people write them."""
    most = rows["spent"].max()
    if total is not None:
        corner = min(total, most)
        axes.plot(np.array([0, corner, most]), np.array([0, corner, corner]), **BEST)
    axes.set(xlim=(0, max(most, 1) * 1.02), ylim=(0, max(total or rows["found"].max(), 1) * 1.05))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _legend(chosen: list[str], others: int, total: int | None) -> list[Line2D]:
    drawn = [Line2D([], [], label=plain(name), **style, **MARK) for name, style in zip(chosen, SERIES, strict=False)]
    if others:
        drawn.append(Line2D([], [], label=f"{others} more", **BEHIND))
    if total is not None:
        drawn.append(Line2D([], [], label=f"only relevant ones, {total:,} in all", **BEST))
    return drawn
