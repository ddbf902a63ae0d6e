"""The slope chart of a page: the ranks of the systems under two golds, as SVG that answers to pointer and keyboard.

A file of the chart is drawn by `agreement.plots.slope_chart`. On a page each system is a part of its own: hover and
focus show its numbers and dim the others, and a click opens where it swaps. Its text never has less than 12 pixels.
"""

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from agreement.shift.figures import ShiftFigures

MOST_LABELLED = 25  # systems; with more, a name appears when its line is chosen
LABELLED, UNLABELLED = 27, 9  # pixels from rank to rank
ROOM, ROOMY = 270, 54  # pixels that a few systems share on the overview, and the most from rank to rank
TOP, BOTTOM = 34, 12
LETTER = 7.4  # pixels of a letter, at most
GAP = 12  # pixels from a line to its text
NUMBERS = 84  # pixels of a rank and a score
MOST_LETTERS = {"wide": 20, "panel": 16, "narrow": 9}
LEAST_LETTERS = 12  # of the names of the golds
WIDTHS = {"wide": 700, "panel": 560, "narrow": 346}


@dataclass(frozen=True)
class Line:
    """A system: its names, ranks and scores, and where its line begins and ends."""

    system: str
    label: str
    before: int
    after: int
    score_before: float
    score_after: float
    y_before: float
    y_after: float

    @property
    def direction(self) -> str:
        if self.after == self.before:
            return "same"
        return "up" if self.after < self.before else "down"


def empty_panel(n_systems: int) -> dict[str, tuple[int, int]]:
    """Return the width and height of a chart that is not drawn yet, for a desk and for a phone."""
    return {
        place: (WIDTHS[size], TOP + BOTTOM + n_systems * _step(n_systems, size))
        for place, size in (("desk", "panel"), ("phone", "narrow"))
    }


def slope_svg(shift: "ShiftFigures", against: str, size: str = "wide", swaps: str = "") -> SafeString:
    """Draw the ranks under the reference and another gold. `size` is one of WIDTHS.

    `swaps` is the address of the swapped pairs, which a click on a system opens.
    """
    lines = _lines(shift, against, size)
    if not lines:
        return SafeString("")
    is_labelled = len(lines) <= MOST_LABELLED
    names = max((len(line.label) for line in lines), default=0) * LETTER if is_labelled else 0
    reference, other = (_short(name, max(MOST_LETTERS[size], LEAST_LETTERS)) for name in (shift.reference, against))
    left = ceil(max(names + NUMBERS, max(len(reference), len(other)) * LETTER + GAP))
    width = WIDTHS[size]
    height = TOP + BOTTOM + len(lines) * _step(len(lines), size)
    page = {
        "lines": lines,
        "is_labelled": is_labelled,
        "reference": reference,
        "against": other,
        "width": width,
        "height": height,
        "left": left,
        "right": width - left,
        "before_left": left - GAP,
        "after_right": width - left + GAP,
        "bend": width // 2,
        "measure": shift.measure,
        "swaps": swaps,
    }
    return SafeString(render_to_string("research/shift/_slope.svg", page))


def _step(number: int, size: str) -> int:
    """Return the pixels from rank to rank."""
    if number > MOST_LABELLED:
        return UNLABELLED
    return max(LABELLED, min(ROOMY, ROOM // max(number, 1))) if size == "panel" else LABELLED


def _lines(shift: "ShiftFigures", against: str, size: str) -> list[Line]:
    rows = shift.ranks_under(against).dropna(subset=["rank"])  # no ranks without a common topic
    rows = rows.sort_values(["reference_rank", "system"], kind="stable")
    step = _step(len(rows), size)
    # Tied systems share a rank, and are drawn one below the other.
    after = rows.sort_values(["rank", "reference_rank", "system"], kind="stable")["system"]
    places = {system: place for place, system in enumerate(after)}
    records: list[dict[str, Any]] = rows.to_dict("records")  # type: ignore[assignment]  # columns are names
    return [
        Line(
            row["system"],
            _short(row["system"], MOST_LETTERS[size]),
            int(row["reference_rank"]),
            int(row["rank"]),
            row["reference_score"],
            row["score"],
            TOP + (place + 0.5) * step,
            TOP + (places[row["system"]] + 0.5) * step,
        )
        for place, row in enumerate(records)
    ]


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
