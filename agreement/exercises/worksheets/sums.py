"""A table of two judges with its sums, exactly: what every step to kappa is worked out of, rightly or wrongly."""

from dataclasses import dataclass
from fractions import Fraction

from agreement.coefficients.pairs import Counts, counts_of, expected_agreement, observed_agreement, total


@dataclass(frozen=True)
class Sums:
    """A table of two judges and its sums, exactly.

    Attributes
    ----------
    counts : tuple of tuple of int, shape (n_grades, n_grades)
        Rows: grades of the first judge.
    rows, columns : tuple of int
        How often the first and the second judge used each grade.
    n : int
    """

    counts: Counts
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    n: int

    @classmethod
    def of(cls, table) -> "Sums":
        """The sums of a table; ValueError for none of counts, and for one of zeros."""
        counts = counts_of(table)
        if not total(counts):
            raise ValueError("a worksheet needs a table with one item or more; all its cells are 0")
        rows, columns = map(sum, counts), map(sum, zip(*counts, strict=True))
        return cls(counts, tuple(rows), tuple(columns), total(counts))

    @property
    def observed(self) -> Fraction:
        """P(A)."""
        return observed_agreement(self.counts)

    def expected(self, chance: str) -> Fraction:
        """P(E), "pooled" or "unpooled"."""
        return expected_agreement(self.counts, chance)

    def judge(self, first: bool) -> tuple[int, ...]:
        """The totals of one judge."""
        return self.rows if first else self.columns

    def shares(self, first: bool) -> tuple[Fraction, ...]:
        """How often one judge used each grade, as shares."""
        return tuple(Fraction(count, self.n) for count in self.judge(first))

    @property
    def pooled_shares(self) -> tuple[Fraction, ...]:
        """How often both judges together used each grade, as shares."""
        return tuple(Fraction(r + c, 2 * self.n) for r, c in zip(self.rows, self.columns, strict=True))

    def terms(self, chance: str) -> tuple[Fraction, ...]:
        """What each grade adds to P(E)."""
        first, second = (self.pooled_shares,) * 2 if chance == "pooled" else (self.shares(True), self.shares(False))
        return products(first, second)


def products(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Grade by grade, one share times the other."""
    return tuple(p * q for p, q in zip(first, second, strict=True))
