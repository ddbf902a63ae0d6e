"""The differences of two systems on every topic, as sorted bars."""

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from agreement.plots.inputs import check_unique, to_floats
from agreement.plots.page import NARROW, display_name, format_count
from agreement.plots.row_axes import MOST_NAMED, mark_row, row_page
from agreement.plots.style import render
from pooling.palette import ACCENT, DEEP, INK, QUIET, Style

HEIGHT, THIN_HEIGHT = 0.72, 0.9  # of a bar, in rows
THIN_SIZE = 2.5  # points, of a diamond in a thin row
AHEAD: Style = {"facecolor": DEEP, "edgecolor": DEEP, "linewidth": 0}
BEHIND: Style = {"facecolor": ACCENT, "edgecolor": ACCENT, "linewidth": 0}
MEAN: Style = {"color": QUIET, "linewidth": 1.0, "linestyle": (0, (5, 2))}
OTHER: Style = {
    "linestyle": "none",
    "marker": "D",
    "markersize": 4.5,
    "markerfacecolor": "white",
    "markeredgecolor": INK,
    "markeredgewidth": 1.1,
    "zorder": 4,
}


def score_differences(
    differences: pd.Series,
    a: str,
    b: str,
    title: str | None = None,
    kind: str = "svg",
    *,
    measure: str = "score",
    other: pd.Series | None = None,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw the score of system a minus that of system b on each topic, the largest difference at the top.

    Bars to the right are topics on which a is ahead, those to the left topics on which b is. A dashed line is at the
    mean. More than 60 topics have thin rows without names.

    Parameters
    ----------
    differences : Series
        The differences; the index is the topic. Topics without a difference are left out, and the note counts them.
    a, b : str
        The systems.
    title : str, optional
        By default the systems, the measure and the number of topics. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    measure : str
        Name of the measure.
    other : Series, optional
        The differences under another gold, by topic, drawn as diamonds. The names of both Series are shown in the
        legend.
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
        No topic has a difference, a topic occurs twice, a difference is not a number, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import score_differences
    >>> differences = pd.Series({"1": 0.6, "2": -0.1, "3": 0.02})
    >>> score_differences(differences, "bm25", "lsa", measure="AP").startswith(b"<?xml")
    True
    """
    return render(kind, _figure, differences, a, b, title, measure, other, note, width)


def _figure(
    differences: pd.Series,
    a: str,
    b: str,
    title: str | None,
    measure: str,
    other: pd.Series | None,
    note: str,
    width: float | None = None,
) -> Figure:
    drawn, left_out = _sorted(differences)
    if other is not None:
        check_unique(other.index, "topic")
    if title is None:
        title = f"{a} minus {b}: {measure} on {format_count(len(drawn), 'topic')}"
    note = f"{note} {format_count(left_out, 'topic')} without a difference left out.".strip() if left_out else note
    labels = display_name(f"{measure}, difference"), "topic"
    is_narrow = width is not None and width < NARROW  # the legend has no room for the gold
    legend = _legend(a, b, None if is_narrow else drawn.name, other)
    page, axes = row_page(list(drawn.index), labels, title, note, legend, width=width, most_named=MOST_NAMED)
    _draw_bars(axes, drawn)
    diamonds = None if other is None else to_floats(other, "The other differences").reindex(drawn.index)
    if diamonds is not None:
        size = OTHER["markersize"] if len(drawn) <= MOST_NAMED else THIN_SIZE
        axes.plot(diamonds, range(len(drawn)), **OTHER | {"markersize": size})
    axes.margins(x=0.09 if is_narrow else 0.04)  # a number at the edge is apart from the word above the names
    for row, topic in enumerate(drawn.index):
        numbers = [_title(each, row) for each in (drawn, diamonds) if each is not None and pd.notna(each.iloc[row])]
        mark_row(axes, row, f"{topic}: {', '.join(numbers)}", topic=str(topic))
    return page.figure


def _title(differences: pd.Series, row: int) -> str:
    under = "" if differences.name is None else f" under {differences.name}"
    return f"{differences.iloc[row]:+.3f}{under}"


def _sorted(differences: pd.Series) -> tuple[pd.Series, int]:
    """Return the differences, the largest first, and how many topics have none."""
    check_unique(differences.index, "topic")
    known = to_floats(differences, "The differences").dropna()
    if known.empty:
        raise ValueError("A figure of differences needs at least one topic with a difference, but there is none.")
    return known.sort_values(ascending=False, kind="stable"), len(differences) - len(known)


def _draw_bars(axes: Axes, drawn: pd.Series) -> None:
    height = HEIGHT if len(drawn) <= MOST_NAMED else THIN_HEIGHT
    for row, difference in enumerate(drawn):
        axes.barh(row, difference, height, zorder=2, **AHEAD if difference > 0 else BEHIND)
    axes.axvline(0, color=QUIET, linewidth=0.8, zorder=3)
    axes.axvline(float(drawn.mean()), zorder=2.5, **MEAN)


def _legend(a: str, b: str, gold: object, other: pd.Series | None) -> list[Artist]:
    under = f" under {display_name(gold)}" if gold is not None else ""
    legend: list[Artist] = [
        Patch(label=f"{display_name(a)} ahead{under}", **AHEAD),
        Patch(label=f"{display_name(b)} ahead{under}", **BEHIND),
        Line2D([], [], label="mean", **MEAN),
    ]
    if other is not None:
        name = "other gold" if other.name is None else display_name(other.name)
        legend.append(Line2D([], [], label=f"under {name}", **OTHER))
    return legend
