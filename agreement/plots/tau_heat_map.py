"""The heat map of tau_b between golds: how alike the rankings under every two golds are."""

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from agreement.estimate import REASONS
from agreement.plots.page import EDGE, LINE, SMALL, Page, counted, plain, widest
from agreement.plots.style import FAINT, INK, QUIET, as_file
from agreement.shift.ranking_shift import GoldPair, RankingShift

CELL = 0.8, 0.5  # inches, broad and high
NARROWEST = 4.6  # inches of the page
PALEST = 0.5  # the tau_b of the palest cell, where none is less
HEAT = LinearSegmentedColormap.from_list("heat", ["#f1f5f8", "#8fb8d0", "#1a4568"])


def tau_heat_map(shift: RankingShift, title: str | None = None, kind: str = "svg") -> bytes:
    """tau_b between all golds, the reference first, written in each cell; the darker, the more alike.

    Cells run from pale at 0.5, or at the least tau_b where that is less, to dark at 1. Where tau_b is undefined, the
    cell is hatched and says so, and the note says why. The note tells the number of topics; where it differs from
    pair to pair, each cell tells its own.

    Parameters
    ----------
    shift : RankingShift
    title : str, optional
        The measure and the number of systems where none is given.
    kind : {"svg", "pdf", "png"}

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    ValueError
        The kind is unknown.
    """
    return as_file(kind, _figure, shift, title)


def _figure(shift: RankingShift, title: str | None) -> Figure:
    golds = [shift.reference, *shift.others]
    names = [plain(gold) for gold in golds]
    aside = widest(names) + LINE + 2.5 * EDGE
    upright = widest(names) > CELL[0] - 0.1
    above = widest(names) + LINE + 2 * EDGE if upright else 2 * LINE + EDGE
    width, height = CELL[0] * len(golds), CELL[1] * len(golds)
    title = title or f"tau_b between golds, {counted(len(shift.systems), 'system')} by {shift.measure}"
    page = Page(max(aside + width + EDGE, NARROWEST), height + above + EDGE, title, _note(shift))
    axes = page.axes(aside, EDGE, width, height)
    axes.set_xlim(0, len(golds))
    axes.set_ylim(len(golds), 0)
    _name(axes, names, upright)
    _fill(axes, shift, golds)
    return page.figure


def _name(axes: Axes, names: list[str], upright: bool) -> None:
    middles = [number + 0.5 for number in range(len(names))]
    axes.set_xticks(middles, labels=names, rotation=90 if upright else 0, color=INK)
    axes.set_yticks(middles, labels=names, color=INK)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False, labelsize=9)
    axes.set_ylabel("gold", labelpad=6)
    axes.set_xlabel("gold", labelpad=6)
    axes.xaxis.set_label_position("top")
    for spine in axes.spines.values():
        spine.set_visible(False)


def _fill(axes: Axes, shift: RankingShift, golds: list[str]) -> None:
    palest = min([PALEST, *(pair.tau_b.value for pair in shift.pairs if pair.tau_b.defined)])
    differ = len({pair.n_topics for pair in shift.pairs}) > 1
    place = {gold: number for number, gold in enumerate(golds)}
    for pair in shift.pairs:
        for row, column in ((pair.gold_a, pair.gold_b), (pair.gold_b, pair.gold_a)):
            _cell(axes, pair, (place[column], place[row]), palest, differ)
    for number in place.values():
        axes.text(number + 0.5, number + 0.5, "–", color=QUIET, ha="center", va="center")


def _cell(axes: Axes, pair: GoldPair, corner: tuple[int, int], palest: float, topics: bool) -> None:
    x, y = corner
    middle = x + 0.5, y + (0.4 if topics else 0.5)
    written = {"ha": "center", "va": "center"}
    if pair.tau_b.defined:
        heat = (pair.tau_b.value - palest) / (1 - palest)
        colour = HEAT(heat)
        ink = max("white", INK, key=lambda ink: _contrast(ink, colour))
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5))
        axes.text(*middle, pair.tau_b.shown(), color=ink, **written)
    else:
        ink = QUIET
        hatch = {"facecolor": "white", "edgecolor": FAINT, "hatch": "////", "linewidth": 0}
        axes.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, **hatch))
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
        axes.text(*middle, "undefined", color=ink, fontsize=SMALL, bbox=box, **written)
    if topics:
        box = None if pair.tau_b.defined else box
        axes.text(x + 0.5, y + 0.75, counted(pair.n_topics, "topic"), color=ink, fontsize=7, bbox=box, **written)


def _contrast(one, other) -> float:
    """Of two colours, from 1 (none) to 21: WCAG 2.1, relative luminance and contrast ratio."""
    light = []
    for colour in (one, other):
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        light.append(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)
    return max(light) / min(light)


def _note(shift: RankingShift) -> str:
    if not shift.pairs:
        return f"{shift.reference} is the only gold; a second one is needed."
    numbers = {pair.n_topics for pair in shift.pairs}
    topics = f"{counted(numbers.pop(), 'topic')}. " if len(numbers) == 1 else ""
    reasons = sorted({REASONS[pair.tau_b.reason] for pair in shift.pairs if not pair.tau_b.defined})
    undefined = f" Undefined: {', '.join(reasons)}." if reasons else ""
    return f"{topics}The darker, the more alike.{undefined}"
