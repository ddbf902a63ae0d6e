"""The scores of the systems on every topic, to show which topics are hard and how a system does on each."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.inputs import check_highlight, check_unique, to_floats
from agreement.plots.page import display_name, format_count
from agreement.plots.row_axes import add_undefined_row, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import FAINT, INK, PALE, SERIES, Style

MAX_HIGHLIGHTED = 4
RANGE: Style = {"color": FAINT, "linewidth": 0.9, "zorder": 2}
HALF: Style = {"color": PALE, "linewidth": 6, "zorder": 2.5}
BUTT: Style = {"solid_capstyle": "butt"}
MEDIAN: Style = {"color": INK, "linestyle": "none", "marker": "|", "markersize": 8, "markeredgewidth": 1.6, "zorder": 3}


def topic_scores(
    scores: pd.DataFrame,
    title: str | None = None,
    kind: str = "svg",
    *,
    measure: str = "score",
    highlight: Sequence[str] = (),
    note: str = "",
) -> bytes:
    """Draw the median, the middle half and the range of the systems' scores on each topic, easiest topic at the top.

    Parameters
    ----------
    scores : DataFrame, shape (n_systems, n_topics)
        A row for each system and a column for each topic. Missing scores are left out. A topic without any score is
        drawn as undefined, at the bottom.
    title : str, optional
        By default the measure and the numbers of systems and topics. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    measure : str
        Name of the measure, the label of the x axis.
    highlight : sequence of str
        Up to 4 systems whose scores are drawn separately.
    note : str
        A line below the figure.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        There is no system or no topic, a system occurs twice, a highlighted system is unknown, more than 4 are
        highlighted, or the kind is unknown.

    Notes
    -----
    Quartiles are interpolated linearly between scores, the default of numpy.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import topic_scores
    >>> scores = pd.DataFrame([[0.1, 0.9], [0.2, 0.8]], index=["a", "b"], columns=["topic 1", "topic 2"])
    >>> topic_scores(scores, measure="AP", highlight=["a"]).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, scores, title, measure, highlight, note)


def _figure(scores: pd.DataFrame, title: str | None, measure: str, highlight: Sequence[str], note: str) -> Figure:
    if not all(scores.shape):
        n_systems, n_topics = scores.shape
        raise ValueError(
            f"Scores need at least one system and one topic, not {n_systems} systems and {n_topics} topics."
        )
    check_unique(scores.index, "system")
    chosen = check_highlight(highlight, scores.index, MAX_HIGHLIGHTED)
    scores = scores.apply(lambda column: to_floats(column, "A column of scores"))
    scores = scores[scores.median().sort_values(ascending=False, kind="stable", na_position="last").index]
    n_systems, n_topics = scores.shape
    if title is None:
        title = f"{measure} of {format_count(n_systems, 'system')} on {format_count(n_topics, 'topic')}"
    labels = display_name(measure), "topic, by median"
    page, axes = row_page(list(scores.columns), labels, title, note, _legend(chosen))
    _draw_ranges(axes, scores)
    for system, style in zip(chosen, SERIES, strict=False):
        axes.plot(scores.loc[system], range(n_topics), **_mark(style))
    return page.figure


def _draw_ranges(axes: Axes, scores: pd.DataFrame) -> None:
    lowest, lower, median, upper, highest = scores.quantile([0, 0.25, 0.5, 0.75, 1]).to_numpy()
    rows = range(scores.shape[1])
    axes.hlines(rows, lowest, highest, **RANGE)
    axes.hlines(rows, lower, upper, **HALF)
    axes.plot(median, rows, **MEDIAN)
    for row, topic in enumerate(scores.columns):
        if scores.iloc[:, row].isna().all():
            add_undefined_row(axes, row, "no score")
            continue
        title = f"{topic}: median {median[row]:.3f}, {lowest[row]:.3f} to {highest[row]:.3f}"
        mark_row(axes, row, title, topic=str(topic))


def _mark(style: Style) -> Style:
    edge: Style = {
        "linestyle": "none",
        "markersize": 5,
        "markeredgecolor": style["color"],
        "markeredgewidth": 1.2,
        "zorder": 4,
    }
    return style | edge


def _legend(chosen: list[str]) -> list[Line2D]:
    entries = [("median of the systems", MEDIAN), ("middle half", HALF | BUTT), ("range", RANGE)]
    entries += [(display_name(system), _mark(style)) for system, style in zip(chosen, SERIES, strict=False)]
    return [Line2D([], [], label=label, **style) for label, style in entries]
