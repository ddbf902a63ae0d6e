"""All of the class at once: mean pairwise kappa, Fleiss' kappa and Krippendorff's alpha, with intervals."""

from dataclasses import dataclass

import agreement
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.estimates import estimate_of
from assess.teaching.reveal.material import Material
from assess.teaching.reveal.words import AGREE, count, number

PI_ITEMS = "pooled"  # every judgement counts the same, so that step 5 starts from the very same shares
LEVELS = {True: "nominal", False: "ordinal"}


@dataclass(frozen=True)
class Line:
    """A coefficient of all judges, and what it is in a few words."""

    name: str
    meaning: str
    estimate: agreement.Estimate

    @property
    def shown(self) -> str:
        return number(self.estimate.value) if self.estimate.defined else self.estimate.shown()

    @property
    def interval(self) -> str:
        low, high = self.estimate.low, self.estimate.high
        return "" if low is None else f"{number(low)} to {number(high)}"


@dataclass(frozen=True)
class Mark:
    """Where a value and its interval are drawn, in percent of an axis."""

    at: float
    left: float
    width: float


@dataclass(frozen=True)
class Everybody:
    """What is said of all students together."""

    lines: list[Line]
    n_judges: int

    @property
    def fleiss(self) -> agreement.Estimate:
        return next(line.estimate for line in self.lines if line.estimate.coefficient == "fleiss_kappa")

    @property
    def sentence(self) -> str:
        fleiss = self.fleiss
        if not fleiss.defined:
            return f"How far all of you agree cannot be told: Fleiss' kappa is {fleiss.shown()}."
        told = (
            f"All of you together agree {AGREE[fleiss.band]}: Fleiss' kappa is {number(fleiss.value)} ({fleiss.band})"
        )
        if fleiss.low is None:
            return f"{told}."
        return (
            f"{told}; other topics and documents of this kind might have given anything from {number(fleiss.low)} to "
            f"{number(fleiss.high)}."
        )

    @property
    def basis(self) -> list[str]:
        n = self.fleiss
        return [
            count(self.n_judges, "student"),
            f"{count(n.n, 'document')} judged by two or more",
            f"{n.n_dropped:,} by one only, left out of P(A)",
            f"{count(n.n_values, 'judgement')}",
            count(len(n.topics), "topic"),
        ]

    @property
    def method(self) -> str:
        """How the intervals were made, and what speaks against leaning on them."""
        made = next((line.estimate for line in self.lines if line.estimate.method), None)
        if made is None:
            return ""
        warned = dict.fromkeys(text for line in self.lines for text in line.estimate.warnings)
        return f"{made.level:.0%} intervals: {'; '.join([made.method, *warned])}."

    @property
    def rows(self) -> list[tuple[Line, Mark | None]]:
        """Each line with where it is drawn, on an axis from `start` to 1; None where it is undefined."""
        return [(line, _mark(line.estimate, self.start)) for line in self.lines]

    @property
    def start(self) -> float:
        """The axis begins at 0, or below where something is."""
        known = [line.estimate for line in self.lines if line.estimate.defined]
        least = min([0.0, *(each.value if each.low is None else min(each.low, each.value) for each in known)])
        return 0.0 if least >= 0 else max(-1.0, least // 0.25 * 0.25)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Places in percent, and what stands there."""
        steps = round((1 - self.start) / 0.25)
        return [(100 * step / steps, number(self.start + step * 0.25)) for step in range(steps + 1)]


def _mark(estimate: agreement.Estimate, start: float) -> Mark | None:
    def place(value: float) -> float:
        return round(100 * (min(max(value, start), 1) - start) / (1 - start), 2)

    if not estimate.defined:
        return None
    low, high = (estimate.value, estimate.value) if estimate.low is None else (estimate.low, estimate.high)
    return Mark(place(estimate.value), place(low), round(place(high) - place(low), 2))


@dataclass(frozen=True)
class OwnEverybody:
    """One student and the majority of the others."""

    n: int
    n_undecided: int
    pooled: agreement.Estimate
    fleiss: agreement.Estimate

    @property
    def sentence(self) -> str:
        if not self.pooled.defined:
            return f"Your kappa with the majority of the others is {self.pooled.shown()}."
        return (
            f"You and the majority of the others say the same of {self.pooled.observed:.0%} of {self.n} documents: "
            f"pooled kappa {number(self.pooled.value)} ({self.pooled.band}). Fleiss' kappa of the whole class is "
            f"{number(self.fleiss.value)}."
        )

    @property
    def basis(self) -> list[str]:
        return [count(self.n, "document"), f"{self.n_undecided} on which the others are split, left out"]


def figures(material: Material, _asked) -> Everybody:
    material.need_two()
    return material.kept(_everybody)


def own(material: Material, seat: Seat) -> OwnEverybody:
    material.need_two()
    found = material.kept(_with_the_others).get(seat.nickname)
    if found is None:
        raise Refused("You judged nothing, so that there is nothing to compare with the others.")
    return found


def _everybody(material: Material) -> Everybody:
    found, chance = material.ratings, material.chance
    level = LEVELS[len(found.scale) == 2]
    lines = [
        Line(
            "mean of all pairs, pooled",
            "the mean of what the matrix holds",
            agreement.mean_pairwise(found, "pooled_kappa", **chance),
        ),
        Line(
            "mean of all pairs, unpooled",
            "the same with each student's own shares as chance (Cohen)",
            agreement.mean_pairwise(found, "cohen_kappa", **chance),
        ),
        Line(
            "Fleiss' kappa",
            "one table for all, chance from the shares of everybody together",
            agreement.fleiss_kappa(found, pi_items=PI_ITEMS, **chance),
        ),
        Line(
            f"Krippendorff's alpha, {level}",
            "disagreement found over disagreement expected; copes with gaps",
            agreement.krippendorff_alpha(found, level, **chance),
        ),
    ]
    return Everybody(lines, len(material.names))


def _with_the_others(material: Material) -> dict[str, OwnEverybody]:
    fleiss = material.kept(_everybody).fleiss
    rows = agreement.leave_one_assessor_out(material.ratings).to_dict("records")
    return {
        row["assessor"]: OwnEverybody(row["n"], row["n_undecided"], estimate_of(row, "pooled_kappa"), fleiss)
        for row in rows
    }
