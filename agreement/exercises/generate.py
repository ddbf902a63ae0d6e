"""A table of two judges with a wished kappa.

The marginals follow prevalence and bias (`agreement.exercises.shares`), and of all tables with these marginals it is
one with the nearest kappa (`agreement.exercises.reach`), the lower of two that are equally near. On two grades this
is one table; on more the seed chooses how the disagreements are spread (`agreement.exercises.spread`). The seed also
orders the documents of the judgements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from agreement.coefficients.pairs import observed_agreement
from agreement.exercises.reach import nearest, traces
from agreement.exercises.shares import marginals_from, mean_shares, number
from agreement.exercises.spread import spread
from agreement.exercises.tables import (
    JUDGES,
    Table,
    expected,
    items,
    judgements,
    kappa,
    kappa_of,
    marginals,
    seeded,
    whole,
)
from agreement.exercises.words import beside, counted, shown

MOST_DOCUMENTS = 10_000
MOST_GRADES = 10
TABLE, ORDER = 0, 1  # what the seed is used for, so that one use does not tell of the other


@dataclass(frozen=True)
class Exercise:
    """A table of two judges, and the kappa that was wished.

    Attributes
    ----------
    table : tuple of tuple of int, shape (grades, grades)
        Rows are the grades of judge 1, columns those of judge 2; grades 0, 1, ... ascending.
    wished : Fraction
    kind : str
        Which kappa the wish is about, "unpooled" or "pooled".
    lowest, highest : Fraction
        Of the kappas of that kind that these marginals allow.
    seed : int
    """

    table: Table
    wished: Fraction
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
        """How often judge 1, and judge 2, used each grade."""
        return marginals(self.table)

    @property
    def observed(self) -> Fraction:
        """P(A)."""
        return observed_agreement(self.table)

    @property
    def unpooled_kappa(self) -> Fraction:
        """Kappa with a distribution of grades for each judge."""
        return kappa(self.table, "unpooled")

    @property
    def pooled_kappa(self) -> Fraction:
        """Kappa with one distribution of grades for both."""
        return kappa(self.table, "pooled")

    @property
    def kappa(self) -> Fraction:
        """The kappa that the wish is about."""
        return kappa(self.table, self.kind)

    @property
    def distance(self) -> Fraction:
        """How far the kappa is from the one wished; 0 where it is that one."""
        return abs(self.kappa - self.wished)

    @property
    def prevalence(self) -> Fraction:
        """The share of the judgements of both above the lowest grade."""
        rows, columns = self.marginals
        return 1 - Fraction(rows[0] + columns[0], 2 * self.n)

    @property
    def bias(self) -> Fraction:
        """The share above the lowest grade of judge 1 less that of judge 2."""
        rows, columns = self.marginals
        return Fraction(columns[0] - rows[0], self.n)

    @property
    def sentence(self) -> str:
        """How near the kappa is to the one wished."""
        asked, documents = shown(self.wished), counted(self.n, "document")
        if not self.distance:
            return f"{self.kind.capitalize()} kappa: asked {asked}, got exactly that on {documents}."
        which = "highest" if self.wished > self.highest else "lowest" if self.wished < self.lowest else "nearest"
        allow = f"the {which} that {documents} with these marginals {'allows' if self.n == 1 else 'allow'}"
        return f"{self.kind.capitalize()} kappa: asked {asked}, got {beside(self.kappa, self.wished)}, {allow}."

    def judgements(self, topics: int = 1, judges: Sequence[str] = JUDGES) -> pd.DataFrame:
        """The table as judgements, in an order that follows from the seed.

        Parameters
        ----------
        topics : int
            Into how many topics, as equal as can be, the documents are dealt; 1 to n.
        judges : sequence of two str

        Returns
        -------
        DataFrame
            assessor, query_id, doc_id, relevance; 2n rows.
        """
        topics = whole(topics, "topics", 1, self.n)
        every = items(self.table, np.random.default_rng([self.seed, ORDER]))
        return judgements(np.array_split(every, topics), judges)


def generate(
    n: int, grades: int = 2, kappa=0.6, prevalence=None, bias=0, seed: int = 0, pooled: bool = False
) -> Exercise:
    """A table of two judges whose kappa is as near to a wished one as any with these marginals.

    Parameters
    ----------
    n : int
        Number of documents, 1 to 10,000.
    grades : int
        2 to 10.
    kappa : number or str
        -1 to 1. Decimals are taken as written: 0.6 is 3/5. A string may be a fraction, "1/3".
    prevalence : number or str, or sequence of them, optional
        The share of the judgements of both above the lowest grade, or one share for each grade; left out, all grades
        are alike.
    bias : number or str
        The share above the lowest grade of judge 1 less that of judge 2, -1 to 1.
    seed : int
        From 0 on.
    pooled : bool
        Whether the wish is about pooled kappa, not unpooled.

    Raises
    ------
    ValueError
        An argument is out of its range, the bias does not go with the prevalence, or every judgement would have the
        same grade, so that kappa is undefined.
    """
    n, size, seed = whole(n, "n", 1, MOST_DOCUMENTS), whole(grades, "grades", 2, MOST_GRADES), seeded(seed)
    wished, bias = number(kappa, "kappa", -1), number(bias, "bias", -1)
    if not isinstance(pooled, bool):
        raise ValueError(f"pooled is True or False; got {pooled!r}")
    rows, columns = marginals_from(n, mean_shares(prevalence, size), bias)
    kind = "pooled" if pooled else "unpooled"
    by_chance = expected(rows, columns, kind)
    if by_chance == 1:
        raise ValueError(
            f"kappa is undefined where every judgement has the same grade, as here with {counted(n, 'document')}: "
            "ask for more documents, another prevalence or another bias"
        )
    reachable = traces(rows, columns)
    trace = nearest(reachable, n * (by_chance + wished * (1 - by_chance)))
    lowest, highest = (kappa_of(Fraction(least, n), by_chance) for least in (reachable[0], reachable[-1]))
    table = spread(rows, columns, trace, np.random.default_rng([seed, TABLE]))
    return Exercise(table, wished, kind, lowest, highest, seed)
