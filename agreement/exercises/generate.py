"""A table of two judges with a requested kappa.

The marginals follow from prevalence and bias. Of all tables with these marginals, `generate` returns one with the
kappa nearest to the requested one, and the lower one of two that are equally near. On two grades there is only one such
table; on more grades the seed determines how the disagreements are distributed. The seed also determines the order of
the documents in the judgements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from agreement.exercises.formatting import format_count, format_distinct, format_fraction
from agreement.exercises.marginals import Decimal, marginals_from_shares, mean_shares, parse_fraction
from agreement.exercises.random_table import nearest_trace, possible_traces, random_table
from agreement.exercises.tables import (
    JUDGES,
    Table,
    check_seed,
    check_whole,
    expected_agreement,
    graded_items,
    judgements_frame,
    marginals,
    observed_agreement,
    table_kappa,
)

MAX_DOCUMENTS = 10_000
MAX_GRADES = 10
TABLE_STREAM, ORDER_STREAM = 0, 1  # separate random streams, so that the order reveals nothing about the table


@dataclass(frozen=True)
class Exercise:
    """A table of two judges, and the kappa that was requested.

    Attributes
    ----------
    table : tuple of tuple of int, shape (n_grades, n_grades)
        Rows are the grades of judge 1, columns the grades of judge 2; grades 0, 1, ... ascending.
    requested : Fraction
        The requested kappa.
    kind : str
        Which kappa was requested, "unpooled" or "pooled".
    lowest, highest : Fraction
        The lowest and the highest kappa of that kind that these marginals allow.
    seed : int
        The seed that the table and the order of the judgements were drawn with.
    """

    table: Table
    requested: Fraction
    kind: str
    lowest: Fraction
    highest: Fraction
    seed: int

    @property
    def n(self) -> int:
        """Number of documents."""
        return sum(map(sum, self.table))

    @property
    def grades(self) -> tuple[int, ...]:
        """The scale, lowest grade first."""
        return tuple(range(len(self.table)))

    @property
    def marginals(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How often judge 1 and judge 2 used each grade."""
        return marginals(self.table)

    @property
    def observed(self) -> Fraction:
        """P(A), the share of documents on which the judges agree."""
        return observed_agreement(self.table)

    @property
    def unpooled_kappa(self) -> Fraction:
        """Kappa with a separate distribution of grades for each judge (Cohen 1960)."""
        return self._kappa("unpooled")

    @property
    def pooled_kappa(self) -> Fraction:
        """Kappa with one distribution of grades for both judges (Scott 1955)."""
        return self._kappa("pooled")

    @property
    def kappa(self) -> Fraction:
        """Kappa of the requested kind."""
        return self._kappa(self.kind)

    def _kappa(self, kind: str) -> Fraction:
        value = table_kappa(self.table, kind)
        if value is None:  # `generate` never makes such a table
            raise ValueError("Kappa is undefined, because every judgement has the same grade.")
        return value

    @property
    def distance(self) -> Fraction:
        """Absolute difference between the kappa and the requested one."""
        return abs(self.kappa - self.requested)

    @property
    def prevalence(self) -> Fraction:
        """The share of both judges' judgements above the lowest grade."""
        rows, columns = self.marginals
        return 1 - Fraction(rows[0] + columns[0], 2 * self.n)

    @property
    def bias(self) -> Fraction:
        """Judge 1's share above the lowest grade minus judge 2's."""
        rows, columns = self.marginals
        return Fraction(columns[0] - rows[0], self.n)

    @property
    def sentence(self) -> str:
        """One sentence that compares the kappa with the requested one."""
        requested, documents = format_fraction(self.requested), format_count(self.n, "document")
        if not self.distance:
            return f"{self.kind.capitalize()} kappa is exactly {requested}, as requested, on {documents}."
        which = "highest" if self.requested > self.highest else "lowest" if self.requested < self.lowest else "nearest"
        return (
            f"{self.kind.capitalize()} kappa is {format_distinct(self.kappa, self.requested)} instead of the requested "
            f"{requested}, the {which} that {documents} with these marginals {'allows' if self.n == 1 else 'allow'}."
        )

    def judgements(self, topics: int = 1, judges: Sequence[str] = JUDGES) -> pd.DataFrame:
        """Return the table as judgements, in an order determined by the seed.

        Parameters
        ----------
        topics : int
            Number of topics, 1 to n. The documents are distributed over them as evenly as possible.
        judges : sequence of two str
            Two different names.

        Returns
        -------
        DataFrame
            Columns assessor, query_id, doc_id, relevance; 2n rows.

        Raises
        ------
        ValueError
            `topics` is out of range, or `judges` are not two different names.

        Examples
        --------
        >>> from agreement.exercises import generate
        >>> generate(2, kappa=1).judgements()
          assessor query_id doc_id  relevance
        0  judge 1        1     d1          0
        1  judge 1        1     d2          1
        2  judge 2        1     d1          0
        3  judge 2        1     d2          1
        """
        topics = check_whole(topics, "topics", 1, self.n)
        items = graded_items(self.table, np.random.default_rng([self.seed, ORDER_STREAM]))
        return judgements_frame(np.array_split(items, topics), judges)


def generate(
    n: int,
    grades: int = 2,
    kappa: Decimal = 0.6,
    prevalence: Decimal | Sequence[Decimal] | None = None,
    bias: Decimal = 0,
    seed: int = 0,
    pooled: bool = False,
) -> Exercise:
    """Make a table of two judges whose kappa is as near to a requested one as the marginals allow.

    Parameters
    ----------
    n : int
        Number of documents, 1 to 10,000.
    grades : int
        Number of grades, 2 to 10.
    kappa : number or str
        The requested kappa, -1 to 1. Decimals are taken as written: 0.6 is 3/5. A string may be a fraction such as
        "1/3".
    prevalence : number or str, or sequence of them, optional
        The share of both judges' judgements above the lowest grade, or one share for each grade, lowest grade first.
        By default all grades have the same share.
    bias : number or str
        Judge 1's share above the lowest grade minus judge 2's, -1 to 1.
    seed : int
        At least 0. The same arguments and seed give the same exercise.
    pooled : bool
        Whether the requested kappa is pooled kappa; otherwise it is unpooled kappa.

    Returns
    -------
    Exercise
        The table, its exact figures, and its judgements.

    Raises
    ------
    ValueError
        An argument is out of its range, the bias is impossible with the prevalence, or every judgement would have the
        same grade, so that kappa is undefined.

    Examples
    --------
    >>> from agreement.exercises import generate
    >>> exercise = generate(10, kappa=0.5, prevalence=0.5, bias=0.2)
    >>> exercise.table
    ((4, 0), (2, 4))
    >>> exercise.unpooled_kappa, exercise.pooled_kappa
    (Fraction(8, 13), Fraction(3, 5))
    """
    n, size = check_whole(n, "n", 1, MAX_DOCUMENTS), check_whole(grades, "grades", 2, MAX_GRADES)
    seed, requested = check_seed(seed), parse_fraction(kappa, "kappa", -1)
    if not isinstance(pooled, bool):
        raise ValueError(f"pooled must be True or False, not {pooled!r}.")
    rows, columns = marginals_from_shares(n, mean_shares(prevalence, size), parse_fraction(bias, "bias", -1))
    kind = "pooled" if pooled else "unpooled"
    expected = expected_agreement(rows, columns, kind)
    if expected == 1:
        raise ValueError(
            f"Kappa is undefined if every judgement has the same grade, as here with {format_count(n, 'document')}. "
            "Use more documents, another prevalence or another bias."
        )
    traces = possible_traces(rows, columns)
    trace = nearest_trace(traces, n * (expected + requested * (1 - expected)))
    lowest, highest = ((Fraction(end, n) - expected) / (1 - expected) for end in (traces[0], traces[-1]))
    table = random_table(rows, columns, trace, np.random.default_rng([seed, TABLE_STREAM]))
    return Exercise(table, requested, kind, lowest, highest, seed)
