"""Every pair in the class: a matrix of kappas, pooled or unpooled."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pandas as pd

import agreement
from agreement.coefficients.formulas import AGREE
from agreement.coefficients.overall import KAPPAS, mean_of
from agreement.reasons import REASONS
from assess.analysis.estimates import estimate_from_row
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.class_judgements import ClassJudgements, Students
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.words import figure, joined_names, number, ordinal
from pooling.words import count, number_range

NAMES = {"pooled": "pooled_kappa", "unpooled": "cohen_kappa"}
TONES = (0.0, 0.2, 0.4, 0.6, 0.8)  # a cell is one tone darker for each of these kappas that it reaches
MANY, CROWD = 12, 24  # from these numbers of students on, cells are small and very small

Estimates = Mapping[tuple[str, str], agreement.Estimate]  # by pair, in both directions


@dataclass(frozen=True)
class Cell:
    """One pair: the student of the row and another one."""

    name: str
    other: str
    estimate: agreement.Estimate

    @property
    def tone(self) -> int | None:
        value = self.estimate.value
        return (
            None if value is None else sum(round(value, 2) >= limit for limit in TONES)
        )  # of the number on the screen

    @property
    def shown(self) -> str:
        return number(self.estimate.value) if self.estimate.defined else "–"

    @property
    def brief(self) -> str:
        """The kappa without the zero before the point, for small cells."""
        return self.shown.removeprefix("0") if self.shown.startswith("0.") else self.shown.replace("−0.", "−.", 1)

    @property
    def title(self) -> str:
        kappa = figure(self.estimate)
        observed = f", P(A) {number(self.estimate.observed)}" if self.estimate.n else ""
        return f"{self.name} and {self.other}: {kappa}, n = {self.estimate.n}{observed}"


@dataclass(frozen=True)
class Row:
    """One student and every other student. `cells` has None on the diagonal."""

    name: str
    cells: list[Cell | None]
    mean: agreement.Estimate

    @property
    def shown(self) -> str:
        """The mean, or a dash if it is undefined."""
        return number(self.mean.value)


@dataclass(frozen=True)
class Matrix:
    """The kappas of all pairs with one model of chance."""

    chance: str
    rows: list[Row]
    mean: agreement.Estimate
    names_without_judgements: list[str]
    students: Students
    compared_mean: agreement.Estimate

    @property
    def size(self) -> str:
        return "crowd" if len(self.rows) >= CROWD else "many" if len(self.rows) >= MANY else "few"

    @cached_property
    def pairs(self) -> list[Cell]:
        """Each pair once."""
        return [cell for place, row in enumerate(self.rows) for cell in row.cells[:place] if cell]

    @property
    def sentence(self) -> str:
        """How far two students of this class agree, of those who judged enough."""
        mean = self.compared_mean
        if not mean.defined:
            return self.students.headline(
                f"the mean agreement of the pairs cannot be calculated: kappa is {mean.shown()} for every pair."
            )
        result = self.students.headline(
            f"the students agree {AGREE[mean.band]}: on average, a pair gives the same grade to "
            f"{mean.observed:.0%} of its documents, and {self.chance} kappa, which corrects for chance, is "
            f"{number(mean.value)} ({mean.band})."
        )
        defined = [
            (cell.estimate.value, cell)
            for cell in self.pairs
            if cell.estimate.value is not None and {cell.name, cell.other} <= set(self.students.compared)
        ]
        if len(defined) < 2:
            return result
        # Of equal kappas, the first pair counts as the lowest and the last pair as the highest.
        low, least = min(defined, key=lambda pair: pair[0])
        high, most = max(reversed(defined), key=lambda pair: pair[0])
        return (
            f"{result} The lowest kappa is {number(low)}, between {least.other} and {least.name}; the highest is "
            f"{number(high)}, between {most.other} and {most.name}."
        )

    @property
    def basis(self) -> list[str]:
        return [
            count(len(self.rows), "student"),
            count(len(self.pairs), "pair"),
            f"{number_range([cell.estimate.n or 0 for cell in self.pairs], 'document')} per pair",
            f"{self.chance}, all topics in one table",
        ]

    @property
    def left_out(self) -> str:
        return self.students.left_out()

    @property
    def undefined(self) -> str:
        """How many pairs have no kappa, by reason."""
        reasons = Counter(cell.estimate.reason for cell in self.pairs if cell.estimate.reason)
        return "; ".join(f"{count(n, 'pair')} undefined ({REASONS[reason]})" for reason, n in sorted(reasons.items()))

    @property
    def absent(self) -> str:
        names = self.names_without_judgements
        return f"{joined_names(names)} judged no documents." if names else ""


@dataclass(frozen=True)
class OwnRow:
    """One student's row, highest kappa first, and the mean of the class.

    `place` is the rank of the student's mean among the `of` means of students who judged enough; None if it is
    undefined. `too_early` says why the student is not compared, if this is so.
    """

    cells: list[Cell]
    mean: agreement.Estimate
    class_mean: agreement.Estimate
    place: int | None
    of: int
    too_early: str

    @property
    def sentence(self) -> str:
        if self.too_early:
            return self.too_early
        if self.place is None:
            return f"In this exercise, your kappa with the others is {self.mean.shown()}."
        position = "the highest" if self.place == 1 else f"the {ordinal(self.place)} highest"
        return (
            f"In this exercise, your mean pooled kappa with the others is {number(self.mean.value)} "
            f"({self.mean.band}), {position} of {self.of}. The mean over all pairs of the class is "
            f"{number(self.class_mean.value)}."
        )

    @property
    def basis(self) -> list[str]:
        n = number_range([cell.estimate.n or 0 for cell in self.cells], "document")
        return [count(len(self.cells), "other student"), f"{n} per pair", "pooled"]


def figures(data: ClassJudgements, query: RevealQuery) -> Matrix:
    data.check_two_students()
    return data.cached(_matrices)[query.chance]


def own_figures(data: ClassJudgements, seat: Seat) -> OwnRow:
    data.check_two_students()
    matrix = data.cached(_matrices)["pooled"]
    row = next((row for row in matrix.rows if row.name == seat.nickname), None)
    if row is None:
        raise Refused("You judged no documents, so you are not in any pair.")
    compared = set(data.students.compared)
    means = [each.mean.value for each in matrix.rows if each.mean.value is not None and each.name in compared]
    mean = row.mean.value
    place = None if mean is None else 1 + sum(value > mean for value in means)
    cells = [cell for cell in row.cells if cell]
    # Pairs without a kappa come last.
    cells.sort(key=lambda cell: (not cell.estimate.defined, -(cell.estimate.value or 0)))
    return OwnRow(cells, row.mean, matrix.mean, place, len(means), data.students.too_early_for_own(seat.nickname))


def _matrices(data: ClassJudgements) -> dict[str, Matrix]:
    frame = agreement.pairwise(data.ratings, KAPPAS)
    return {chance: _matrix(data, frame, chance) for chance in NAMES}


def _matrix(data: ClassJudgements, frame: pd.DataFrame, chance: str) -> Matrix:
    coefficient = NAMES[chance]
    estimates: dict[tuple[str, str], agreement.Estimate] = {}
    pairs: dict[str, agreement.Estimate] = {}
    for row in frame.to_dict("records"):
        a, b, estimate = row["assessor_a"], row["assessor_b"], estimate_from_row(row, coefficient)
        estimates[a, b] = estimates[b, a] = pairs[f"{a} and {b}"] = estimate
    rows = [_row(name, data.names, estimates, coefficient) for name in data.names]
    names = data.students.compared if data.students.is_enough else data.names
    compared = {f"{a} and {b}": estimates[a, b] for a, b in combinations(names, 2)}
    means = mean_of(coefficient, pairs, "pair"), mean_of(coefficient, compared, "pair")
    return Matrix(chance, rows, means[0], data.names_without_judgements, data.students, means[1])


def _row(name: str, names: Sequence[str], estimates: Estimates, coefficient: str) -> Row:
    cells = [Cell(name, other, estimates[name, other]) if other != name else None for other in names]
    return Row(name, cells, mean_of(coefficient, {cell.other: cell.estimate for cell in cells if cell}, "pair"))
