"""Tables of two judges on which kappa surprises, each found by search and exactly as it says.

========================================================= ===== ===============================================
name                                                      least what holds, of both kappas where nothing is said
========================================================= ===== ===============================================
high agreement, low kappa                                    20 P(A) at least 0.85, kappa from 0 to 0.4
same agreement, different kappa                              20 two tables of n with one P(A), at least 0.7;
                                                                kappas from 0, and at least 0.3 apart
pooled and unpooled far apart                                10 pooled kappa below 0, unpooled above, at least
                                                                0.2 apart
topics that each disagree but pool to agreement              20 two topics with kappas below 0; one table over
                                                                both with kappas of at least 0.5
========================================================= ===== ===============================================

Grade 1 is relevant. Candidates are tried in an order drawn by the seed until what is claimed holds of one, and there
are some for every n from the least on. Every judge uses both grades in every table.

References
----------
A. R. Feinstein and D. V. Cicchetti (1990). High agreement but low kappa: I. The problems of two paradoxes. Journal of
Clinical Epidemiology 43(6), 543-549.
D. V. Cicchetti and A. R. Feinstein (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal of
Clinical Epidemiology 43(6), 551-558.
T. Byrt, J. Bishop and J. B. Carlin (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5), 423-429.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.exercises import paradox_kinds as surprises
from agreement.exercises.paradox_kinds import Tables
from agreement.exercises.tables import JUDGES, Table, items, judgements, seeded, summed, whole

MOST_DOCUMENTS = 1000
TABLE, ORDER = 0, 1  # what the seed is used for, as in `agreement.exercises.generate`


@dataclass(frozen=True)
class Kind:
    """How a paradox is sought, known and told.

    Attributes
    ----------
    least : int
        The smallest n.
    candidates : callable
        (n, rng) to tables in an order drawn by rng.
    holds : callable
        Whether tables are this paradox.
    told : callable
        Tables to a sentence.
    """

    least: int
    candidates: Callable[[int, np.random.Generator], Iterator[Tables]]
    holds: Callable[[Tables], bool]
    told: Callable[[Tables], str]


PARADOXES = {
    "high agreement, low kappa": Kind(
        20, surprises.high_and_low, surprises.is_high_and_low, surprises.tell_high_and_low
    ),
    "same agreement, different kappa": Kind(
        20, surprises.same_and_different, surprises.is_same_and_different, surprises.tell_same_and_different
    ),
    "pooled and unpooled far apart": Kind(10, surprises.far_apart, surprises.is_far_apart, surprises.tell_far_apart),
    "topics that each disagree but pool to agreement": Kind(
        20, surprises.topics_that_pool, surprises.is_topics_that_pool, surprises.tell_topics_that_pool
    ),
}


@dataclass(frozen=True)
class Paradox:
    """Tables that surprise, and what they show.

    Attributes
    ----------
    name : str
        A key of `PARADOXES`.
    tables : tuple of table
        One or two, each rows (judge 1) of columns (judge 2), grades 0 and 1.
    sentence : str
        What they show, with their figures.
    seed : int
    """

    name: str
    tables: Tables
    sentence: str
    seed: int

    @property
    def together(self) -> Table:
        """One table over the documents of all tables."""
        return summed(self.tables)

    def judgements(self, judges: Sequence[str] = JUDGES) -> pd.DataFrame:
        """Every table as a topic: assessor, query_id, doc_id, relevance, in an order that follows from the seed."""
        rng = np.random.default_rng([self.seed, ORDER])
        return judgements([items(table, rng) for table in self.tables], judges)


def paradox(name: str, n: int, seed: int = 0) -> Paradox:
    """A paradox with `n` documents.

    Parameters
    ----------
    name : str
        A key of `PARADOXES`.
    n : int
        Number of documents: of each table, or of both topics together. From the least of this paradox to 1000.
    seed : int
        From 0 on; which of the many it is.

    Raises
    ------
    ValueError
        An unknown name, or n or the seed is out of its range.
    """
    if name not in PARADOXES:
        raise ValueError(f"a paradox is one of {'; '.join(PARADOXES)}; got {name!r}")
    kind, seed = PARADOXES[name], seeded(seed)
    n = whole(n, f"n of '{name}'", kind.least, MOST_DOCUMENTS)
    rng = np.random.default_rng([seed, TABLE])
    tables = next(filter(kind.holds, kind.candidates(n, rng)))
    return Paradox(name, tables, kind.told(tables), seed)
