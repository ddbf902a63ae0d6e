"""The slope chart: the rank of every system under every gold, joined by lines."""

from math import ceil

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.plots.page import EDGE, LINE, Page, display_name, format_count, legend_columns, max_text_width, wrap
from agreement.plots.style import render
from agreement.shift.figures import ShiftFigures
from pooling.palette import ACCENT, DEEP, FAINT, INK, QUIET, Style

# They differ in darkness, dashes and width as well as in colour, for greyscale prints.
RISE: Style = {"color": DEEP, "linewidth": 1.8, "linestyle": "-", "zorder": 3}
FALL: Style = {"color": ACCENT, "linewidth": 1.4, "linestyle": (0, (5, 2)), "zorder": 2}
SAME: Style = {"color": FAINT, "linewidth": 0.8, "linestyle": "-", "zorder": 1}
COLUMN = 2.2  # inches from gold to gold
RANK = 24  # points for a rank beside an outer column


def slope_chart(
    shift: ShiftFigures, title: str | None = None, kind: str = "svg", *, width: float | None = None
) -> bytes:
    """Draw the rank of every system under every gold, the reference first, joined by lines.

    A line to a gold shows whether the rank rises, falls or stays the same compared with the reference, on the common
    topics of both golds. Golds share a panel if the reference ranks the systems identically on their common topics;
    otherwise there is a separate panel. Tied systems share a rank and are drawn one below the other.

    Parameters
    ----------
    shift : RankingShift
        The comparison of the golds, from `agreement.ranking_shift`. Golds without a common topic with the reference
        are left out.
    title : str, optional
        By default the number of systems and the measure. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    width : float, optional
        Smallest width of the figure in inches. By default golds are 2.2 inches apart.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        There is no system, or the kind is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import slope_chart
    >>> from agreement import ranking_shift
    >>> runs = pd.DataFrame(
    ...     {"system": ["a", "a", "b", "b"], "query_id": "1", "doc_id": ["x", "y"] * 2, "score": [2.0, 1.0, 1.0, 2.0]}
    ... )
    >>> nist = pd.DataFrame({"query_id": "1", "doc_id": ["x", "y"], "relevance": [1, 0]})
    >>> model = nist.assign(relevance=[0, 1])
    >>> shift = ranking_shift(runs, {"nist": nist, "model": model}, "AP")
    >>> slope_chart(shift).startswith(b"<?xml")
    True
    """
    return render(kind, _figure, shift, title, width)


def _figure(shift: ShiftFigures, title: str | None, width: float | None = None) -> Figure:
    if not shift.systems:
        raise ValueError("A slope chart needs at least one system, but there is none.")
    panels = _panels(shift)
    side = max_text_width(map(display_name, shift.systems)) + RANK / 72 + 2 * EDGE
    heads = max(len(_heading(gold)) for panel in panels for gold in panel.columns)
    gaps = [max(panel.shape[1] - 1, 1) for panel in panels]
    column = max(COLUMN, ((width or 0) - 2 * side * len(panels)) / sum(gaps))
    widths = [2 * side + column * gap for gap in gaps]
    lines = _legend(shift.reference)
    columns = legend_columns(lines, sum(widths))
    below = LINE * (ceil(len(lines) / columns) + 1)
    body = LINE * len(shift.systems)
    title = f"{format_count(len(shift.systems), 'system')} ranked by {shift.measure}" if title is None else title
    page = Page(sum(widths), below + body + LINE * (heads + 1), title)
    for number, (panel, inches) in enumerate(zip(panels, widths, strict=True)):
        _draw(page.add_axes(sum(widths[:number]) + side, below, inches - 2 * side, body), panel)
    page.add_legend(lines, columns)
    return page.figure


def _panels(shift: ShiftFigures) -> list[pd.DataFrame]:
    """Return a table of ranks (systems by golds) for each ranking that the reference gives."""
    panels: dict[tuple[int, ...], pd.DataFrame] = {}
    for gold in shift.others:
        rows = shift.ranks_under(gold).set_index("system")
        if rows["rank"].notna().all():
            before = tuple(rows["reference_rank"])
            column = f"{shift.reference}, {format_count(rows['n_topics'].iloc[0], 'topic')}"
            panel = panels.setdefault(before, rows[["reference_rank"]].set_axis([column], axis="columns"))
            panels[before] = panel.assign(**{gold: rows["rank"]})
    return list(panels.values()) or [shift.ranks_under(shift.reference).set_index("system")[["rank"]]]


def _draw(axes: Axes, ranks: pd.DataFrame) -> None:
    """Draw one panel: a line for each system from column to column, and the labels."""
    slots = ranks.rank(method="first").astype(int)  # tied systems get different slots
    changes = ranks.rsub(ranks.iloc[:, 0], axis="index")
    for positions, change in zip(slots.to_numpy(), changes.to_numpy(), strict=True):
        for column in range(1, len(positions)):
            axes.plot([column - 1, column], positions[column - 1 : column + 1], **_style(change[column]))
    _draw_labels(axes, ranks, slots)
    axes.set_xlim(0, max(ranks.shape[1] - 1, 1))
    axes.set_ylim(len(ranks) + 0.5, 0.5)
    axes.axis("off")


def _style(change: int) -> Style:
    return RISE if change > 0 else FALL if change < 0 else SAME


def _draw_labels(axes: Axes, ranks: pd.DataFrame, slots: pd.DataFrame) -> None:
    """Draw the golds above, ranks on the inner columns, and ranks with names beside the outer columns."""
    last = ranks.shape[1] - 1
    for column in range(ranks.shape[1]):
        heading = "\n".join(_heading(ranks.columns[column]))
        axes.text(column, 0.2, heading, color=QUIET, ha="center", va="bottom", linespacing=1.1)
        for system, rank, slot in zip(ranks.index, ranks.iloc[:, column], slots.iloc[:, column], strict=True):
            if 0 < column < last:
                _draw_on_line(axes, f"{rank}", (column, slot))
            else:
                _draw_beside(axes, display_name(system), f"{rank}", (column, slot), -1 if column == 0 else 1)


def _heading(gold: str) -> list[str]:
    return wrap(display_name(gold), COLUMN - EDGE) or [""]


def _draw_beside(axes: Axes, system: str, rank: str, position: tuple[float, float], side: int) -> None:
    """Draw rank and name as two texts, so that a name written from right to left does not swap with its rank."""
    style: Style = {"textcoords": "offset points", "va": "center", "color": INK}
    outward = "right" if side < 0 else "left"
    axes.annotate(rank, position, (side * (RANK if side > 0 else 5) - (5 if side > 0 else 0), 0), ha="right", **style)
    axes.annotate(system, position, (side * (RANK + 2), 0), ha=outward, **style)


def _draw_on_line(axes: Axes, text: str, position: tuple[float, float]) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    axes.text(*position, text, ha="center", va="center", color=INK, bbox=box, zorder=4)


def _legend(reference: str) -> list[Line2D]:
    kinds = ((RISE, f"rises against {display_name(reference)}"), (FALL, "falls"), (SAME, "keeps its rank"))
    return [Line2D([], [], label=label, **style) for style, label in kinds]
