"""Figures, drawn with matplotlib as SVG or PDF; the same input gives the same bytes.

In SVG, text stays text: readers can search and copy it, and the viewer's sans-serif is used. Names of systems are
never read as formulas.
"""

import io

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from agreement.shift import RankingShift

# Told apart by darkness, dashes and width as well as by colour, for print in greyscale.
RISE = {"color": "#1f4f7a", "linewidth": 1.8, "linestyle": "-", "zorder": 3}
FALL = {"color": "#b5651d", "linewidth": 1.4, "linestyle": (0, (5, 2)), "zorder": 2}
SAME = {"color": "#9a9a9a", "linewidth": 0.8, "linestyle": "-", "zorder": 1}
INK, QUIET = "#1d2026", "#4f5561"
STYLE = {
    "svg.hashsalt": "assay",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
}
ROW, COLUMN, MARGIN = 0.19, 2.2, 0.9  # inches: a rank, a gold, above and below
KINDS = {  # and what a file would otherwise say of the hour it was made
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
LETTER = 0.085  # inches, about the width of a letter of a name


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
    kind : {"svg", "pdf"}
        The kind of file.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        The kind is unknown.
    """
    if kind not in KINDS:
        raise ValueError(f"a figure is one of {', '.join(KINDS)}; got {kind!r}")
    panels = _panels(shift)
    names = LETTER * max(map(len, shift.systems)) + 0.5
    widths = [2 * names + COLUMN * max(panel.shape[1] - 1, 1) for panel in panels]
    height = ROW * len(shift.systems) + 2 * MARGIN
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(sum(widths), height))
        for panel, begin, width in zip(panels, np.cumsum([0, *widths]), widths, strict=False):
            place = np.array([begin + names, MARGIN, width - 2 * names, height - 2 * MARGIN])
            axes = figure.add_axes(place / [sum(widths), height, sum(widths), height])
            _draw(axes, panel)
        title = title or f"{len(shift.systems)} systems ranked by {shift.measure}"
        figure.text(0.15 / sum(widths), 1 - 0.3 / height, title, color=INK, fontsize=11, parse_math=False)
        _legend(figure, shift.reference)
        return _file(figure, kind)


def _panels(shift: RankingShift) -> list[pd.DataFrame]:
    """Ranks, a row per system and a column per gold: one table for every ranking that the reference has."""
    panels = {}
    for gold in shift.others:
        rows = shift.of(gold).set_index("system")
        if rows["rank"].notna().all():
            before = tuple(rows["reference_rank"])
            column = f"{shift.reference}, {_topics(rows)}"
            panel = panels.setdefault(before, rows[["reference_rank"]].set_axis([column], axis="columns"))
            panels[before] = panel.assign(**{gold: rows["rank"]})
    return list(panels.values()) or [shift.of(shift.reference).set_index("system")[["rank"]]]


def _draw(axes: Axes, ranks: pd.DataFrame) -> None:
    """One panel: a line per system from column to column, and the labels."""
    slots = ranks.rank(method="first").astype(int)  # one place each, for ties too
    changes = ranks.rsub(ranks.iloc[:, 0], axis="index")
    for system in ranks.index:
        for column in range(1, ranks.shape[1]):
            line = slots.loc[system].iloc[column - 1 : column + 1]
            axes.plot([column - 1, column], line, **_line(changes.loc[system].iloc[column]))
    _label(axes, ranks, slots)
    axes.set_xlim(0, max(ranks.shape[1] - 1, 1))
    axes.set_ylim(len(ranks) + 0.5, 0.5)
    axes.axis("off")


def _line(change: int) -> dict:
    return RISE if change > 0 else FALL if change < 0 else SAME


def _label(axes: Axes, ranks: pd.DataFrame, slots: pd.DataFrame) -> None:
    """The golds above; ranks on the inner columns, and with the names of systems beside the outer ones."""
    last = ranks.shape[1] - 1
    for column, gold in enumerate(ranks.columns):
        axes.text(column, 0.2, gold, color=QUIET, ha="center", va="bottom", parse_math=False)
        for system, rank, slot in zip(ranks.index, ranks[gold], slots[gold], strict=True):
            if column == 0:
                _beside(axes, f"{system}  {rank}", (column, slot), "right")
            elif column == last:
                _beside(axes, f"{rank}  {system}", (column, slot), "left")
            else:
                _on(axes, f"{rank}", (column, slot))


def _beside(axes: Axes, text: str, place: tuple[float, float], side: str) -> None:
    offset = (-5, 0) if side == "right" else (5, 0)
    axes.annotate(text, place, offset, textcoords="offset points", ha=side, va="center", color=INK, parse_math=False)


def _on(axes: Axes, text: str, place: tuple[float, float]) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    axes.text(*place, text, ha="center", va="center", color=INK, bbox=box, zorder=4)


def _topics(rows: pd.DataFrame) -> str:
    number = rows["n_topics"].iloc[0]
    return f"{number} topic" if number == 1 else f"{number} topics"


def _legend(figure: Figure, reference: str) -> None:
    kinds = ((RISE, f"rises against {reference}"), (FALL, "falls"), (SAME, "keeps its rank"))
    lines = [Line2D([], [], label=label, **style) for style, label in kinds]
    legend = figure.legend(handles=lines, loc="lower left", ncols=3, frameon=False)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _file(figure: Figure, kind: str) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=kind, metadata=KINDS[kind])
    return file.getvalue()
