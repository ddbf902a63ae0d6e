"""Every pair of the class: a matrix of kappas, pooled or unpooled."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

import agreement
from agreement.coefficients.overall import KAPPAS, mean_of
from agreement.estimate import REASONS
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.estimates import estimate_of
from assess.teaching.reveal.material import Material
from assess.teaching.reveal.words import AGREE, count, from_to, listed, number, ordinal

NAMES = {"pooled": "pooled_kappa", "unpooled": "cohen_kappa"}
TONES = (0.0, 0.2, 0.4, 0.6, 0.8)  # a cell is deeper for each of these that its kappa reaches
CROWD, MANY = 24, 12  # from so many students on, cells are small and smaller


@dataclass(frozen=True)
class Cell:
    """One pair, as seen from the student of the row."""

    name: str
    other: str
    estimate: agreement.Estimate

    @property
    def tone(self) -> int | None:
        return None if not self.estimate.defined else sum(self.estimate.value >= limit for limit in TONES)

    @property
    def shown(self) -> str:
        return number(self.estimate.value) if self.estimate.defined else "–"

    @property
    def brief(self) -> str:
        """Without the zero before the point, where cells are small."""
        return self.shown.replace("0.", ".", 1) if abs(self.estimate.value or 1) < 1 else self.shown

    @property
    def title(self) -> str:
        kappa = number(self.estimate.value, 3) if self.estimate.defined else self.estimate.shown()
        observed = f", P(A) {number(self.estimate.observed)}" if self.estimate.n else ""
        return f"{self.name} and {self.other}: {kappa}, n = {self.estimate.n}{observed}"


@dataclass(frozen=True)
class Row:
    """A student with everybody else; `cells` has None on the diagonal."""

    name: str
    cells: list[Cell | None]
    mean: agreement.Estimate

    @property
    def shown(self) -> str:
        """The mean; a dash where it is undefined."""
        return number(self.mean.value)


@dataclass(frozen=True)
class Matrix:
    """The kappas of all pairs by one model of chance; `idle` are the students who judged nothing."""

    chance: str
    rows: list[Row]
    mean: agreement.Estimate
    idle: list[str]

    @property
    def size(self) -> str:
        return "crowd" if len(self.rows) >= CROWD else "many" if len(self.rows) >= MANY else "few"

    @cached_property
    def pairs(self) -> list[Cell]:
        """Each pair once."""
        return [cell for place, row in enumerate(self.rows) for cell in row.cells[:place]]

    @property
    def sentence(self) -> str:
        """How far two students of this class agree."""
        if not self.mean.defined:
            return f"How far two of you agree cannot be told: kappa is {self.mean.shown()} for every pair."
        ordered = sorted((cell for cell in self.pairs if cell.estimate.defined), key=lambda cell: cell.estimate.value)
        told = (
            f"Two of you agree {AGREE[self.mean.band]}: the average pair says the same of {self.mean.observed:.0%} of "
            f"its documents, and {self.chance} kappa, which takes chance off, is {number(self.mean.value)} "
            f"({self.mean.band})"
        )
        if len(ordered) < 2:
            return f"{told}."
        least, most = ordered[0], ordered[-1]
        return (
            f"{told}; between {least.other} and {least.name} it is {number(least.estimate.value)}, between "
            f"{most.other} and {most.name} {number(most.estimate.value)}."
        )

    @property
    def basis(self) -> list[str]:
        return [
            count(len(self.rows), "student"),
            count(len(self.pairs), "pair"),
            f"{from_to([cell.estimate.n for cell in self.pairs])} documents a pair",
            f"{self.chance}, all topics in one table",
        ]

    @property
    def undefined(self) -> str:
        """Which pairs have no kappa, and why."""
        reasons = Counter(cell.estimate.reason for cell in self.pairs if not cell.estimate.defined)
        return "; ".join(f"{count(n, 'pair')} undefined ({REASONS[reason]})" for reason, n in sorted(reasons.items()))

    @property
    def absent(self) -> str:
        return f"{listed(self.idle)} judged nothing." if self.idle else ""


@dataclass(frozen=True)
class OwnRow:
    """One student's row, the nearest first, beside the class's mean."""

    cells: list[Cell]
    mean: agreement.Estimate
    class_mean: agreement.Estimate
    place: int | None
    of: int

    @property
    def sentence(self) -> str:
        if not self.mean.defined:
            return f"Your kappa with the others is {self.mean.shown()}."
        return (
            f"Your pooled kappa with the others is {number(self.mean.value)} on average ({self.mean.band}), "
            f"{self._position} of {self.of}; the class's mean pair has {number(self.class_mean.value)}."
        )

    @property
    def _position(self) -> str:
        return "the highest" if self.place == 1 else f"the {ordinal(self.place)} highest"

    @property
    def basis(self) -> list[str]:
        n = from_to([cell.estimate.n for cell in self.cells])
        return [count(len(self.cells), "other student"), f"{n} documents a pair", "pooled"]


def figures(material: Material, asked) -> Matrix:
    material.need_two()
    return material.kept(_matrices)[asked.chance]


def own(material: Material, seat: Seat) -> OwnRow:
    material.need_two()
    found = material.kept(_matrices)["pooled"]
    row = next((row for row in found.rows if row.name == seat.nickname), None)
    if row is None:
        raise Refused("You judged nothing, so that you are in no pair.")
    means = [each.mean.value for each in found.rows if each.mean.defined]
    place = 1 + sum(value > row.mean.value for value in means) if row.mean.defined else None
    cells = [cell for cell in row.cells if cell]
    # Whose kappa is undefined comes last.
    cells.sort(key=lambda cell: (not cell.estimate.defined, -(cell.estimate.value or 0)))
    return OwnRow(cells, row.mean, found.mean, place, len(means))


def _matrices(material: Material) -> dict[str, Matrix]:
    frame = agreement.pairwise(material.ratings, KAPPAS)
    return {chance: _matrix(material, frame, chance) for chance in NAMES}


def _matrix(material: Material, frame: pd.DataFrame, chance: str) -> Matrix:
    name = NAMES[chance]
    found = {}
    for row in frame.to_dict("records"):
        estimate = estimate_of(row, name)
        found[row["assessor_a"], row["assessor_b"]] = found[row["assessor_b"], row["assessor_a"]] = estimate
    rows = [_row(a, material.names, found, name) for a in material.names]
    pairs = {f"{a} and {b}": found[a, b] for a, b in zip(frame["assessor_a"], frame["assessor_b"], strict=True)}
    return Matrix(chance, rows, mean_of(name, pairs), material.idle)


def _row(name: str, names: list[str], found: dict, coefficient: str) -> Row:
    cells = [Cell(name, other, found[name, other]) if other != name else None for other in names]
    return Row(name, cells, mean_of(coefficient, {cell.other: cell.estimate for cell in cells if cell}))
