"""The whole class at once: mean pairwise kappa, Fleiss' kappa and Krippendorff's alpha, with intervals.

All are computed from the documents with two or more judgements, for agreement and for chance.
"""

from dataclasses import dataclass

import agreement
from agreement.coefficients.formulas import AGREE
from agreement.coefficients.overall import KAPPAS
from assess.analysis.estimates import estimate_from_row
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.class_judgements import ClassJudgements, Students
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.words import figure, number
from pooling.words import count

# A class judges few topics. Samples of two topics say little about others, and their percentiles can miss the value, so
# the intervals are about other documents of these topics and extend to both sides of the value.
INTERVAL = "analytic"
LEVELS = {True: "nominal", False: "ordinal"}  # by whether the scale is binary


@dataclass(frozen=True)
class Line:
    """One coefficient of all students, with a short explanation."""

    name: str
    meaning: str
    estimate: agreement.Estimate

    @property
    def shown(self) -> str:
        return figure(self.estimate)

    @property
    def interval(self) -> str:
        return _interval(self.estimate)


@dataclass(frozen=True)
class Mark:
    """The position of a value and its interval, in percent of the axis."""

    at: float
    left: float
    width: float


@dataclass(frozen=True)
class EverybodyFigures:
    """The coefficients of all students together."""

    lines: list[Line]
    n_judges: int
    students: Students

    @property
    def fleiss(self) -> agreement.Estimate:
        return next(line.estimate for line in self.lines if line.estimate.coefficient == "fleiss_kappa")

    @property
    def sentence(self) -> str:
        fleiss = self.fleiss
        if not fleiss.defined:
            return self.students.headline(
                f"the agreement of the whole class cannot be calculated: Fleiss' kappa is {fleiss.shown()}."
            )
        result = self.students.headline(
            f"you agree {AGREE[fleiss.band]} as a class: Fleiss' kappa is {number(fleiss.value)} ({fleiss.band})."
        )
        if fleiss.low is None or not self.students.is_enough:
            return result
        return f"{result} For other documents of these topics, the 95% interval of kappa is {_interval(fleiss)}."

    @property
    def left_out(self) -> str:
        """The students with few judgements. Their judgements are part of the coefficients."""
        return self.students.left_out()

    @property
    def basis(self) -> list[str]:
        n = self.fleiss
        return [
            count(self.n_judges, "student"),
            f"{count(n.n or 0, 'document')} judged by two or more",
            f"{n.n_dropped:,} judged by only one, left out of agreement and chance",
            count(n.n_values or 0, "judgement"),
            count(len(n.topics), "topic"),
        ]

    @property
    def method(self) -> str:
        """How the intervals were computed, and the warnings about them."""
        first = next((line.estimate for line in self.lines if line.estimate.method), None)
        if first is None or first.method is None:
            return ""
        warnings = dict.fromkeys(text for line in self.lines for text in line.estimate.warnings)
        return f"95% intervals: {'; '.join([first.method, *warnings])}."

    @property
    def rows(self) -> list[tuple[Line, Mark | None]]:
        """Each line with its position on an axis from `start` to 1, or None if it is undefined."""
        return [(line, _mark(line.estimate, self.start)) for line in self.lines]

    @property
    def start(self) -> float:
        """The start of the axis: 0, or less if a value or interval is negative."""
        values = [
            value for line in self.lines for value in (line.estimate.value, line.estimate.low) if value is not None
        ]
        least = min([0.0, *values])
        return 0.0 if least >= 0 else max(-1.0, least // 0.25 * 0.25)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The positions of the axis labels in percent, and the labels."""
        steps = round((1 - self.start) / 0.25)
        return [(100 * step / steps, number(self.start + step * 0.25)) for step in range(steps + 1)]


def _of_pairs(explanation: str, mean: agreement.Estimate) -> str:
    """Return the explanation of a mean over pairs, and which pairs it leaves out."""
    return f"{explanation}; {mean.left_out}" if mean.left_out else explanation


def _interval(estimate: agreement.Estimate) -> str:
    """Format an interval; no coefficient is above 1, so neither is its limit here."""
    low, high = estimate.low, estimate.high
    return "" if low is None or high is None else f"{number(low)} to {number(min(high, 1))}"


def _mark(estimate: agreement.Estimate, start: float) -> Mark | None:
    def position(value: float) -> float:
        return round(100 * (min(max(value, start), 1) - start) / (1 - start), 2)

    if estimate.value is None:
        return None
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    return Mark(position(estimate.value), position(low), round(position(high) - position(low), 2))


@dataclass(frozen=True)
class OwnEverybodyFigures:
    """One student compared with the majority of the others."""

    n: int
    n_undecided: int
    pooled: agreement.Estimate
    fleiss: agreement.Estimate
    too_early: str

    @property
    def sentence(self) -> str:
        if self.too_early:
            return self.too_early
        if not self.pooled.defined:
            return f"In this exercise, your kappa with the majority of the others is {self.pooled.shown()}."
        return (
            f"In this exercise, you and the majority of the others give the same grade to {self.pooled.observed:.0%} "
            f"of {count(self.n, 'document')}: pooled kappa is {number(self.pooled.value)} ({self.pooled.band}). "
            f"Fleiss' kappa of the whole class is {number(self.fleiss.value)}."
        )

    @property
    def basis(self) -> list[str]:
        return [count(self.n, "document"), f"{self.n_undecided} without a majority of the others, left out"]


def figures(data: ClassJudgements, _query: RevealQuery) -> EverybodyFigures:
    data.check_two_students()
    return data.cached(_everybody_figures)


def own_figures(data: ClassJudgements, seat: Seat) -> OwnEverybodyFigures:
    data.check_two_students()
    own = data.cached(_by_student).get(seat.nickname)
    if own is None:
        raise Refused("You judged no documents, so there is nothing to compare with the others.")
    return own


def _everybody_figures(data: ClassJudgements) -> EverybodyFigures:
    ratings = data.ratings
    level = LEVELS[len(ratings.scale) == 2]
    pooled, unpooled = (agreement.mean_pairwise(ratings, name).interval(INTERVAL) for name in KAPPAS)
    lines = [
        Line("mean of all pairs, pooled", _of_pairs("the mean of the kappas in the matrix", pooled), pooled),
        Line(
            "mean of all pairs, unpooled",
            _of_pairs("the same, with chance from the shares of each of the two students (Cohen)", unpooled),
            unpooled,
        ),
        Line(
            "Fleiss' kappa",
            "one table for all, with chance from the grade shares of documents judged by two or more",
            agreement.fleiss_kappa(ratings).interval(INTERVAL),
        ),
        Line(
            f"Krippendorff's alpha, {level}",
            "observed disagreement over expected disagreement; handles missing judgements",
            agreement.krippendorff_alpha(ratings, level).interval(INTERVAL),
        ),
    ]
    return EverybodyFigures(lines, len(data.names), data.students)


def _by_student(data: ClassJudgements) -> dict[str, OwnEverybodyFigures]:
    fleiss = data.cached(_everybody_figures).fleiss
    rows = agreement.leave_one_assessor_out(data.ratings).to_dict("records")
    return {
        row["assessor"]: OwnEverybodyFigures(
            row["n"],
            row["n_undecided"],
            estimate_from_row(row, "pooled_kappa"),
            fleiss,
            data.students.too_early_for_own(row["assessor"]),
        )
        for row in rows
    }
