"""The scores under one gold against the scores under another, with a point for each system."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agreement.plots.inputs import check_unique, to_floats
from agreement.plots.marks import mark
from agreement.plots.page import EDGE, LINE, Page, display_name, display_text, format_count, max_text_width, wrap
from agreement.plots.style import render
from pooling.palette import DEEP, FAINT, INK, QUIET, Style

SIDE = 4.6  # inches of the axes
LEADER = 0.35  # inches from the axes to the names
POINT: Style = {
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
    """Draw a point for each system with both scores, the line of equal scores, and the names that deviate most.

    The deviation of a system is the distance of y - x from the median of y - x (a dashed line). So if one gold
    lowers all scores equally, no system is named. The names are at the right, sorted by height, and a line
    leads from each to its point.

    Parameters
    ----------
    x, y : Series
        Scores under the two golds; the index is the system. Systems with only one score are left out, and the note
        counts them.
    x_label, y_label : str
        Labels of the axes, such as the gold and the measure.
    title : str, optional
        By default the number of systems and the labels. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    corner : str
        Text in the upper left corner of the axes, such as tau_b.
    named : int
        How many systems are named, at least 0. Of systems with the same deviation, the first by name are named.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        No system has both scores, a system occurs twice, `named` is negative, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import score_scatter
    >>> nist, model = pd.Series({"a": 0.3, "b": 0.4}), pd.Series({"a": 0.5, "b": 0.45})
    >>> score_scatter(nist, model, "AP under nist", "AP under model").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, x, y, x_label, y_label, title, corner, named, note)


def _figure(
    x: pd.Series, y: pd.Series, x_label: str, y_label: str, title: str | None, corner: str, named: int, note: str
) -> Figure:
    both, n_left_out = _with_both_scores(x, y)
    if named < 0:
        raise ValueError(f"named must be at least 0, not {named!r}.")
    shown = _most_deviating(both, named)
    names = [display_name(system) for system in shown.index]
    without = f"{format_count(n_left_out, 'system')} without both scores left out. " if n_left_out else ""
    note = f"Solid: equal scores; dashed: the median difference, {_difference(both).median():+.3f}. {without}{note}"
    title = f"{format_count(len(both), 'system')}: {y_label} against {x_label}" if title is None else title
    left, below = 0.75, 0.6
    right = LEADER + max_text_width(names) + 2 * EDGE
    page = Page(left + SIDE + right, below + SIDE + EDGE, title, note)
    axes = page.add_axes(left, below, SIDE, SIDE)
    axes.set_xlabel(display_name(x_label))
    axes.set_ylabel(display_name(y_label))
    low, high = _limits(both)
    _draw_lines(axes, both, low, high)
    for system, point in both.iterrows():
        (dot,) = axes.plot(*point, markerfacecolor=DEEP if system in shown.index else "white", **POINT)
        mark(dot, f"{system}: {x_label} {point['x']:.3f}, {y_label} {point['y']:.3f}", system=str(system))
    corner_text = "\n".join(wrap(display_text(corner), 0.75 * SIDE))
    axes.text(0.03, 0.97, corner_text, transform=axes.transAxes, va="top", color=INK)
    _draw_names(axes, shown, names, (high - low) * LINE / SIDE)
    return page.figure


def _with_both_scores(x: pd.Series, y: pd.Series) -> tuple[pd.DataFrame, int]:
    """Return the systems with both scores, ascending by name, and the number of the others."""
    for scores in (x, y):
        check_unique(scores.index, "system")
    systems = pd.DataFrame({"x": to_floats(x, "x"), "y": to_floats(y, "y")}).sort_index()
    both = systems.dropna()
    if both.empty:
        raise ValueError("A scatter of scores needs at least one system with both scores, but there is none.")
    return both, len(systems) - len(both)


def _most_deviating(both: pd.DataFrame, named: int) -> pd.DataFrame:
    """Return the systems to name, highest first."""
    difference = _difference(both)
    deviation = (difference - difference.median()).abs().round(12)
    chosen = deviation[deviation > 0].sort_values(ascending=False, kind="stable").index[:named]
    return both.loc[chosen].sort_values(["y", "x"], ascending=False, kind="stable")


def _difference(both: pd.DataFrame) -> pd.Series:
    return both["y"] - both["x"]


def _limits(both: pd.DataFrame) -> tuple[float, float]:
    low, high = float(both.min().min()), float(both.max().max())
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin


def _draw_lines(axes: Axes, both: pd.DataFrame, low: float, high: float) -> None:
    median = _difference(both).median()
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.plot([low, high], [low, high], color=FAINT, linewidth=0.9, zorder=1)
    axes.plot([low, high], [low + median, high + median], color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.set_yticks(axes.get_xticks())
    axes.set(xlim=(low, high), ylim=(low, high))


def _draw_names(axes: Axes, shown: pd.DataFrame, names: list[str], step: float) -> None:
    """Draw the names beside the axes, each as near to the height of its point as the other names allow."""
    right = axes.get_xlim()[1]
    beyond = right + (right - axes.get_xlim()[0]) * LEADER / SIDE
    line: Style = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.5, "shrinkA": 2, "shrinkB": 3}
    heights = spread_heights(shown["y"].tolist(), step, *axes.get_ylim())
    for name, point, height in zip(names, shown.itertuples(index=False), heights, strict=True):
        style: Style = {"ha": "left", "va": "center", "color": INK, "annotation_clip": False}
        axes.annotate(name, (point.x, point.y), (beyond, height), arrowprops=line | {"relpos": (0, 0.5)}, **style)


def spread_heights(heights: list[float], step: float, low: float, high: float) -> list[float]:
    """Move heights until they are at least a step apart, in the same order and as little as possible.

    Examples
    --------
    >>> spread_heights([0.5, 0.5], 0.1, 0, 1)
    [0.5, 0.4]
    """
    placed = np.array(heights, dtype=float)
    for i in range(len(placed)):  # downwards, so that none is too near to the one above
        placed[i] = min(placed[i], high if i == 0 else placed[i - 1] - step)
    for i in reversed(range(len(placed))):  # upwards again, where the first pass went below the axes
        placed[i] = max(placed[i], low if i == len(placed) - 1 else placed[i + 1] + step)
    return [float(height) for height in placed]
