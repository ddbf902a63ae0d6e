"""The heat map of a coefficient between golds: how similar the rankings of the systems under two golds are."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from agreement.estimate import Estimate, undefined
from agreement.plots.marks import mark
from agreement.plots.page import EDGE, LINE, SIZE, SMALL, Page, display_name, format_count, max_text_width
from agreement.plots.shades import ink_on, shade
from agreement.plots.style import render
from agreement.reasons import REASONS
from agreement.shift.figures import ShiftFigures
from agreement.shift.gold_pairs import GoldPair
from pooling.palette import FAINT, INK, QUIET, Style

CELL = 0.8, 0.5  # inches, width and height
MIN_PAGE_WIDTH = 4.6  # inches
PALEST = 0.5  # the palest colour, unless a lower value occurs
COEFFICIENTS = {"tau_b": "tau_b", "tau": "tau", "tau_ap_b": "tau_AP (symmetric, with ties)", "rbo": "RBO"}


def tau_heat_map(
    shift: ShiftFigures, title: str | None = None, kind: str = "svg", *, coefficient: str = "tau_b"
) -> bytes:
    """Draw a coefficient between all golds, the reference first; darker cells mean more similar rankings.

    Cells range from pale at 0.5, or at the lowest value if it is lower, to dark at 1, and contain the number. If a
    value is undefined, the cell is hatched and says "undefined", and the note gives the reason. The note states the
    number of common topics; if it differs between pairs, each cell states it.

    Parameters
    ----------
    shift : RankingShift
        The comparison of the golds, from `agreement.ranking_shift`.
    title : str, optional
        By default the number of systems and the measure. Empty for a figure without a title.
    kind : {"svg", "pdf", "png"}
        Format of the file.
    coefficient : {"tau_b", "tau", "tau_ap_b", "rbo"}
        Kendall's tau_b or tau (undefined if systems are tied), symmetric AP correlation corrected for ties, or
        rank-biased overlap.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        The kind or the coefficient is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.plots import tau_heat_map
    >>> from agreement import ranking_shift
    >>> runs = pd.DataFrame(
    ...     {"system": ["a", "a", "b", "b"], "query_id": "1", "doc_id": ["x", "y"] * 2, "score": [2.0, 1.0, 1.0, 2.0]}
    ... )
    >>> nist = pd.DataFrame({"query_id": "1", "doc_id": ["x", "y"], "relevance": [1, 0]})
    >>> model = nist.assign(relevance=[0, 1])
    >>> shift = ranking_shift(runs, {"nist": nist, "model": model}, "AP")
    >>> tau_heat_map(shift).startswith(b"<?xml")
    True
    """
    if coefficient not in COEFFICIENTS:
        raise ValueError(f"The coefficient must be one of {', '.join(COEFFICIENTS)}, not {coefficient!r}.")
    return render(kind, _figure, shift, title, coefficient)


def _figure(shift: ShiftFigures, title: str | None, coefficient: str = "tau_b") -> Figure:
    golds = [shift.reference, *shift.others]
    names = [display_name(gold) for gold in golds]
    aside = max_text_width(names) + LINE + 2.5 * EDGE
    vertical = max_text_width(names) > CELL[0] - 0.1
    above = max_text_width(names) + LINE + 2 * EDGE if vertical else 2 * LINE + EDGE
    width, height = CELL[0] * len(golds), CELL[1] * len(golds)
    if title is None:
        systems = format_count(len(shift.systems), "system")
        title = f"{COEFFICIENTS[coefficient]} between golds, {systems} by {shift.measure}"
    page = Page(max(aside + width + EDGE, MIN_PAGE_WIDTH), height + above + EDGE, title, _note(shift, coefficient))
    axes = page.add_axes(aside, EDGE, width, height)
    axes.set_xlim(0, len(golds))
    axes.set_ylim(len(golds), 0)
    _draw_names(axes, names, vertical)
    _draw_cells(axes, shift, golds, coefficient)
    return page.figure


def _draw_names(axes: Axes, names: list[str], vertical: bool) -> None:
    middles = [number + 0.5 for number in range(len(names))]
    axes.set_xticks(middles, labels=names, rotation=90 if vertical else 0, color=INK)
    axes.set_yticks(middles, labels=names, color=INK)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False, labelsize=9)
    axes.set_ylabel("gold", labelpad=6)
    axes.set_xlabel("gold", labelpad=6)
    axes.xaxis.set_label_position("top")
    for spine in axes.spines.values():
        spine.set_visible(False)


def value_of(pair: GoldPair, coefficient: str) -> Estimate:
    """Return a coefficient of two golds. Those without a correction for ties are undefined if systems are tied."""
    value: Estimate | None = getattr(pair, coefficient)
    return undefined(coefficient, "ties", n=pair.n_systems) if value is None else value


def _draw_cells(axes: Axes, shift: ShiftFigures, golds: list[str], coefficient: str) -> None:
    values = [value_of(pair, coefficient).value for pair in shift.pairs]
    palest = min([PALEST, *(value for value in values if value is not None)])
    show_topics = len({pair.n_topics for pair in shift.pairs}) > 1
    position = {gold: number for number, gold in enumerate(golds)}
    for pair in shift.pairs:
        for row, column in ((pair.gold_a, pair.gold_b), (pair.gold_b, pair.gold_a)):
            corner = position[column], position[row]
            _draw_cell(axes, pair, value_of(pair, coefficient), corner, palest, show_topics)
    for number in position.values():
        axes.text(number + 0.5, number + 0.5, "–", color=QUIET, ha="center", va="center")


def _draw_cell(
    axes: Axes, pair: GoldPair, value: Estimate, corner: tuple[int, int], palest: float, show_topics: bool
) -> None:
    x, y = corner
    box: Style | None = None
    if value.value is not None:
        colour = shade((value.value - palest) / (1 - palest))
        ink = ink_on(colour)
        cell = Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5)
        text, size = value.shown(), float(SIZE)
    else:
        ink = QUIET
        hatch: Style = {"facecolor": "white", "edgecolor": FAINT, "hatch": "////", "linewidth": 0}
        cell = Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, **hatch)
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
        text, size = "undefined", float(SMALL)
    title = f"{pair.gold_a} and {pair.gold_b}: {text}, {format_count(pair.n_topics, 'topic')}"
    mark(cell, title, gold=f"{pair.gold_a}\n{pair.gold_b}")
    axes.add_patch(cell)
    style: Style = {"ha": "center", "va": "center", "color": ink, "bbox": box}
    axes.text(x + 0.5, y + (0.4 if show_topics else 0.5), text, fontsize=size, **style)
    if show_topics:
        axes.text(x + 0.5, y + 0.75, format_count(pair.n_topics, "topic"), fontsize=SMALL, **style)


def _note(shift: ShiftFigures, coefficient: str) -> str:
    if not shift.pairs:
        return f"{shift.reference} is the only gold. Add a second one to compare."
    numbers = {pair.n_topics for pair in shift.pairs}
    topics = f"{format_count(numbers.pop(), 'topic')}. " if len(numbers) == 1 else ""
    values = [value_of(pair, coefficient) for pair in shift.pairs]
    reasons = sorted({REASONS[value.reason] for value in values if value.reason is not None})
    undefined = f" Undefined: {', '.join(reasons)}." if reasons else ""
    return f"{topics}Stronger is more similar.{undefined}"
