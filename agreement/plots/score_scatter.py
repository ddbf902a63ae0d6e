"""The scores under one gold against those under another, a point for each system."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agreement.plots.inputs import floats, once
from agreement.plots.page import EDGE, LINE, Page, counted, plain, sentence, widest, wrapped
from agreement.plots.style import DEEP, FAINT, INK, QUIET, as_file

SIDE = 4.6  # inches of the axes
LEADER = 0.35  # inches from the axes to the names
POINT = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 5,
    "markeredgewidth": 0.8,
    "markeredgecolor": DEEP,
    "zorder": 3,
}


def score_scatter(
    x: pd.Series,
    y: pd.Series,
    x_label: str,
    y_label: str,
    title: str | None = None,
    kind: str = "svg",
    *,
    corner: str = "",
    named: int = 8,
    note: str = "",
) -> bytes:
    """A point for each system that has both scores, the line of equal scores, and the names that deviate most.

    A system deviates by how far y - x is from the median of y - x (drawn as a dashed line), so that a gold that is
    stricter with all systems names none for that. The names stand at the right in the order of height, a line
    leads from each to its point.

    Parameters
    ----------
    x, y : Series
        Scores; the index is the system. Systems with one score only are left out, and counted below.
    x_label, y_label : str
        The golds, and the measure.
    title : str, optional
        The labels and the number of systems where none is given.
    kind : {"svg", "pdf", "png"}
    corner : str
        Written within the axes above at the left, such as tau_b.
    named : int
        How many systems are named, 0 or more; of those that deviate alike, all or as many as come first by name.
    note : str
        A line below.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        No system has both scores, or one is there twice; `named` is negative; an unknown kind.
    """
    return as_file(kind, _figure, x, y, x_label, y_label, title, corner, named, note)


def _figure(x, y, x_label, y_label, title, corner, named, note) -> Figure:
    both, left_out = _both(x, y)
    if named < 0:
        raise ValueError(f"0 or more systems are named; got {named}")
    shown = _deviating(both, named)
    names = [plain(system) for system in shown.index]
    without = f"{counted(left_out, 'system')} without both scores left out. " if left_out else ""
    note = f"Solid: equal scores; dashed: the median difference, {_gap(both).median():+.3f}. {without}{note}"
    title = title or f"{counted(len(both), 'system')}: {y_label} against {x_label}"
    left, below = 0.75, 0.6
    right = LEADER + widest(names) + 2 * EDGE
    page = Page(left + SIDE + right, below + SIDE + EDGE, title, note)
    axes = page.axes(left, below, SIDE, SIDE)
    axes.set_xlabel(plain(x_label))
    axes.set_ylabel(plain(y_label))
    low, high = _limits(both)
    _lines(axes, both, low, high)
    for system, point in both.iterrows():
        axes.plot(*point, markerfacecolor=DEEP if system in shown.index else "white", **POINT)
    said = "\n".join(wrapped(sentence(corner), 0.75 * SIDE))
    axes.text(0.03, 0.97, said, transform=axes.transAxes, va="top", color=INK)
    _names(axes, shown, names, (high - low) * LINE / SIDE)
    return page.figure


def _both(x: pd.Series, y: pd.Series) -> tuple[pd.DataFrame, int]:
    """Systems with both scores, ascending by name, and how many have only one."""
    for scores in (x, y):
        once(scores.index, "system")
    every = pd.DataFrame({"x": floats(x, "x"), "y": floats(y, "y")}).sort_index()
    both = every.dropna()
    if both.empty:
        raise ValueError("a scatter of scores needs a system that has both; there is none")
    return both, len(every) - len(both)


def _deviating(both: pd.DataFrame, named: int) -> pd.DataFrame:
    """The systems to name, highest first."""
    gap = _gap(both)
    away = (gap - gap.median()).abs().round(12)
    chosen = away[away > 0].sort_values(ascending=False, kind="stable").index[:named]
    return both.loc[chosen].sort_values(["y", "x"], ascending=False, kind="stable")


def _gap(both: pd.DataFrame) -> pd.Series:
    return both["y"] - both["x"]


def _limits(both: pd.DataFrame) -> tuple[float, float]:
    low, high = float(both.min().min()), float(both.max().max())
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin


def _lines(axes: Axes, both: pd.DataFrame, low: float, high: float) -> None:
    median = _gap(both).median()
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.plot([low, high], [low, high], color=FAINT, linewidth=0.9, zorder=1)
    axes.plot([low, high], [low + median, high + median], color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.set_yticks(axes.get_xticks())
    axes.set(xlim=(low, high), ylim=(low, high))


def _names(axes: Axes, shown: pd.DataFrame, names: list[str], step: float) -> None:
    """Names beside the axes, each as near to its point's height as the names above and below it leave room."""
    right = axes.get_xlim()[1]
    beyond = right + (right - axes.get_xlim()[0]) * LEADER / SIDE
    line = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.5, "shrinkA": 2, "shrinkB": 3}
    heights = spread(shown["y"].tolist(), step, *axes.get_ylim())
    for name, point, height in zip(names, shown.itertuples(index=False), heights, strict=True):
        style = {"ha": "left", "va": "center", "color": INK, "annotation_clip": False}
        axes.annotate(name, (point.x, point.y), (beyond, height), arrowprops=line | {"relpos": (0, 0.5)}, **style)


def spread(heights: list[float], step: float, low: float, high: float) -> list[float]:
    """Heights at least a step apart, in the same order (descending), none above `high`, as near as that allows."""
    placed = np.array(heights, dtype=float)
    for here in range(len(placed)):  # downwards: none too near to the one above
        placed[here] = min(placed[here], high if here == 0 else placed[here - 1] - step)
    for here in reversed(range(len(placed))):  # upwards again where that led below the axes
        placed[here] = max(placed[here], low if here == len(placed) - 1 else placed[here + 1] + step)
    return placed.tolist()
