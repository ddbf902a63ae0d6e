"""The scores of the systems on every topic: which topics are hard, and where a system stands on each."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import floats, highlighted, once
from agreement.plots.page import counted, plain
from agreement.plots.row_axes import row_axes, undefined_row
from agreement.plots.style import FAINT, INK, PALE, SERIES, as_file

MOST = 4  # highlighted systems
RANGE = {"color": FAINT, "linewidth": 0.9, "zorder": 2}
HALF = {"color": PALE, "linewidth": 6, "zorder": 2.5}
BUTT = {"solid_capstyle": "butt"}
MEDIAN = {"color": INK, "linestyle": "none", "marker": "|", "markersize": 8, "markeredgewidth": 1.6, "zorder": 3}


def topic_scores(
    scores: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    measure: str = "score",
    highlight: Sequence[str] = (),
    note: str = "",
) -> bytes:
    """For each topic, the median, the middle half and the range of all systems; the easiest topic above.

    Parameters
    ----------
    scores : DataFrame, shape (n_systems, n_topics)
        A row for each system and a column for each topic, as `agreement.effectiveness.scores.score_table` has it.
        A missing score is left out; a topic without any is drawn as undefined, below.
    title : str, optional
        Topics, systems and measure where none is given.
    kind : {"svg", "pdf", "png"}
    measure : str
        What the scores are; the name of the axis.
    highlight : sequence of str
        At most 4 systems whose own scores are drawn.
    note : str
        A line below.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        No system or no topic; an unknown system or too many of them; an unknown kind.

    Notes
    -----
    Quartiles are interpolated linearly between scores, as numpy does.
    """
    return as_file(kind, _figure, scores, title, measure, highlight, note)


def _figure(scores, title, measure, highlight, note) -> Figure:
    if not all(scores.shape):
        raise ValueError(f"per-topic scores need a system and a topic; got {scores.shape[0]} by {scores.shape[1]}")
    once(scores.index, "system")
    chosen = highlighted(highlight, scores.index, MOST)
    scores = scores.apply(lambda column: floats(column, "a column of scores"))
    scores = scores[scores.median().sort_values(ascending=False, kind="stable", na_position="last").index]
    n_systems, n_topics = scores.shape
    title = title or f"{measure} of {counted(n_systems, 'system')} on {counted(n_topics, 'topic')}"
    axes = row_axes(list(scores.columns), (plain(measure), "topic, by the median"), title, note, _legend(chosen))
    _boxes(axes, scores)
    for system, style in zip(chosen, SERIES, strict=False):
        axes.plot(scores.loc[system], range(n_topics), **_mark(style))
    return axes.figure


def _boxes(axes: Axes, scores: pd.DataFrame) -> None:
    least, lower, median, upper, greatest = scores.quantile([0, 0.25, 0.5, 0.75, 1]).to_numpy()
    rows = range(scores.shape[1])
    axes.hlines(rows, least, greatest, **RANGE)
    axes.hlines(rows, lower, upper, **HALF)
    axes.plot(median, rows, **MEDIAN)
    for row in rows:
        if scores.iloc[:, row].isna().all():
            undefined_row(axes, row, "no score")


def _mark(style: dict) -> dict:
    edge = {
        "linestyle": "none",
        "markersize": 5,
        "markeredgecolor": style["color"],
        "markeredgewidth": 1.2,
        "zorder": 4,
    }
    return style | edge


def _legend(chosen: list[str]) -> list[Line2D]:
    drawn = [("median of the systems", MEDIAN), ("middle half", HALF | BUTT), ("range", RANGE)]
    drawn += [(plain(system), _mark(style)) for system, style in zip(chosen, SERIES, strict=False)]
    return [Line2D([], [], label=label, **style) for label, style in drawn]
