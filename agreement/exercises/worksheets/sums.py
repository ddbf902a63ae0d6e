"""A table of two judges with its exact sums, from which every step towards kappa is computed, rightly or wrongly."""

from dataclasses import dataclass
from fractions import Fraction

import numpy.typing as npt

from agreement.coefficients.pairs import Counts, counts_of, expected_agreement, observed_agreement, total


@dataclass(frozen=True)
class Sums:
    """A table of two judges and its exact sums. Use `Sums.from_table` to make one.

    Attributes
    ----------
    counts : tuple of tuple of int, shape (n_grades, n_grades)
        Rows are the grades of the first judge.
    rows, columns : tuple of int
        How often the first and the second judge used each grade.
    n : int
        Number of items.
    """

    counts: Counts
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    n: int

    @classmethod
    def from_table(cls, table: npt.ArrayLike) -> "Sums":
        """Compute the sums of a table.

        Shapes: `table` (n_grades, n_grades).
        """
        counts = counts_of(table)
        if not total(counts):
            raise ValueError("A worksheet needs a table with at least one item, but all its cells are 0.")
        rows, columns = map(sum, counts), map(sum, zip(*counts, strict=True))
        return cls(counts, tuple(rows), tuple(columns), total(counts))

    @property
    def observed(self) -> Fraction:
        """P(A)."""
        return observed_agreement(self.counts)

    def expected(self, chance: str) -> Fraction:
        """Return P(E); `chance` is "pooled" or "unpooled"."""
        return expected_agreement(self.counts, chance)

    def judge(self, first: bool) -> tuple[int, ...]:
        """Return how often the first (or the second) judge used each grade."""
        return self.rows if first else self.columns

    def shares(self, first: bool) -> tuple[Fraction, ...]:
        """Return the share of each grade in the judgements of the first (or the second) judge."""
        return tuple(Fraction(count, self.n) for count in self.judge(first))

    @property
    def pooled_shares(self) -> tuple[Fraction, ...]:
        """The share of each grade in the judgements of both judges together."""
        return tuple(Fraction(r + c, 2 * self.n) for r, c in zip(self.rows, self.columns, strict=True))

    def terms(self, chance: str) -> tuple[Fraction, ...]:
        """Return what each grade adds to P(E); `chance` is "pooled" or "unpooled"."""
        first, second = (self.pooled_shares,) * 2 if chance == "pooled" else (self.shares(True), self.shares(False))
        return products(first, second)


def products(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return the products of two sequences, element by element."""
    return tuple(p * q for p, q in zip(first, second, strict=True))
