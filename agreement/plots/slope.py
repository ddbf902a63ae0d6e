"""The slope chart: the rank of every system under every gold, joined by lines."""

from math import ceil

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from agreement.plots.page import EDGE, LINE, Page, counted, legend_columns, plain, widest, wrapped
from agreement.plots.style import FAINT, INK, QUIET, as_file
from agreement.shift.ranking_shift import RankingShift

# Told apart by darkness, dashes and width as well as by colour, for print in greyscale.
RISE = {"color": "#1f4f7a", "linewidth": 1.8, "linestyle": "-", "zorder": 3}
FALL = {"color": "#b5651d", "linewidth": 1.4, "linestyle": (0, (5, 2)), "zorder": 2}
SAME = {"color": FAINT, "linewidth": 0.8, "linestyle": "-", "zorder": 1}
COLUMN = 2.2  # inches, from gold to gold
RANK = 24  # points that a rank takes beside an outer column


def slope_chart(shift: RankingShift, title: str | None = None, kind: str = "svg") -> bytes:
    """Ranks of every system under every gold, the reference first, joined by lines.

    A line to a gold is drawn as a rise, a fall or no change of rank against the reference, on the topics that
    both have. Golds that leave the ranks under the reference the same share a panel; where their topics make
    them differ, there is a panel for each. Tied systems share a rank and stand below each other.

    Parameters
    ----------
    shift : RankingShift
        Golds without a topic in common with the reference are left out.
    title : str, optional
        The measure and the number of systems where none is given.
    kind : {"svg", "pdf", "png"}
        The kind of file.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        The kind is unknown, or there is no system.
    """
    return as_file(kind, _figure, shift, title)


def _figure(shift: RankingShift, title: str | None):
    if not shift.systems:
        raise ValueError("a slope chart needs a system; there is none")
    panels = _panels(shift)
    side = widest(map(plain, shift.systems)) + RANK / 72 + 2 * EDGE
    heads = max(len(_head(gold)) for panel in panels for gold in panel.columns)
    widths = [2 * side + COLUMN * max(panel.shape[1] - 1, 1) for panel in panels]
    lines = _legend(shift.reference)
    columns = legend_columns(lines, sum(widths))
    below = LINE * (ceil(len(lines) / columns) + 1)
    body = LINE * len(shift.systems)
    title = title or f"{counted(len(shift.systems), 'system')} ranked by {shift.measure}"
    page = Page(sum(widths), below + body + LINE * (heads + 1), title)
    for number, (panel, width) in enumerate(zip(panels, widths, strict=True)):
        _draw(page.axes(sum(widths[:number]) + side, below, width - 2 * side, body), panel)
    page.legend(lines, columns)
    return page.figure


def _panels(shift: RankingShift) -> list[pd.DataFrame]:
    """Ranks, a row per system and a column per gold: one table for every ranking that the reference has."""
    panels = {}
    for gold in shift.others:
        rows = shift.ranks_under(gold).set_index("system")
        if rows["rank"].notna().all():
            before = tuple(rows["reference_rank"])
            column = f"{shift.reference}, {counted(rows['n_topics'].iloc[0], 'topic')}"
            panel = panels.setdefault(before, rows[["reference_rank"]].set_axis([column], axis="columns"))
            panels[before] = panel.assign(**{gold: rows["rank"]})
    return list(panels.values()) or [shift.ranks_under(shift.reference).set_index("system")[["rank"]]]


def _draw(axes: Axes, ranks: pd.DataFrame) -> None:
    """One panel: a line per system from column to column, and the labels."""
    slots = ranks.rank(method="first").astype(int)  # one place each, for ties too
    changes = ranks.rsub(ranks.iloc[:, 0], axis="index")
    for places, change in zip(slots.to_numpy(), changes.to_numpy(), strict=True):
        for column in range(1, len(places)):
            axes.plot([column - 1, column], places[column - 1 : column + 1], **_line(change[column]))
    _label(axes, ranks, slots)
    axes.set_xlim(0, max(ranks.shape[1] - 1, 1))
    axes.set_ylim(len(ranks) + 0.5, 0.5)
    axes.axis("off")


def _line(change: int) -> dict:
    return RISE if change > 0 else FALL if change < 0 else SAME


def _label(axes: Axes, ranks: pd.DataFrame, slots: pd.DataFrame) -> None:
    """The golds above; ranks on the inner columns, and with the names of systems beside the outer ones."""
    last = ranks.shape[1] - 1
    for column in range(ranks.shape[1]):
        heading = "\n".join(_head(ranks.columns[column]))
        axes.text(column, 0.2, heading, color=QUIET, ha="center", va="bottom", linespacing=1.1)
        for system, rank, slot in zip(ranks.index, ranks.iloc[:, column], slots.iloc[:, column], strict=True):
            if 0 < column < last:
                _on(axes, f"{rank}", (column, slot))
            else:
                _beside(axes, plain(system), f"{rank}", (column, slot), -1 if column == 0 else 1)


def _head(gold: str) -> list[str]:
    return wrapped(plain(gold), COLUMN - EDGE) or [""]


def _beside(axes: Axes, system: str, rank: str, place: tuple[float, float], side: int) -> None:
    """Rank and name as two texts, so that a name written from right to left does not change places with its rank."""
    style = {"textcoords": "offset points", "va": "center", "color": INK}
    outward = "right" if side < 0 else "left"
    axes.annotate(rank, place, (side * (RANK if side > 0 else 5) - (5 if side > 0 else 0), 0), ha="right", **style)
    axes.annotate(system, place, (side * (RANK + 2), 0), ha=outward, **style)


def _on(axes: Axes, text: str, place: tuple[float, float]) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    axes.text(*place, text, ha="center", va="center", color=INK, bbox=box, zorder=4)


def _legend(reference: str) -> list[Line2D]:
    kinds = ((RISE, f"rises against {plain(reference)}"), (FALL, "falls"), (SAME, "keeps its rank"))
    return [Line2D([], [], label=label, **style) for style, label in kinds]
