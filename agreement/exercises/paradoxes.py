"""Tables of two judges with a surprising kappa, found by search.

========================================================= ============= ===============================================
name                                                      smallest n    condition, for pooled and unpooled kappa
========================================================= ============= ===============================================
high agreement, low kappa                                 20            P(A) at least 0.85, kappas from 0 to 0.4
same agreement, different kappa                           20            two tables of n with the same P(A), at least
                                                                        0.7; kappas of at least 0, and at least 0.3
                                                                        apart
pooled and unpooled far apart                             10            pooled kappa below 0, unpooled kappa above, at
                                                                        least 0.2 apart
topics that each disagree but pool to agreement           20            two topics with kappas below 0; one table over
                                                                        both has kappas of at least 0.5
========================================================= ============= ===============================================

Grade 1 is relevant. Candidates are tried in an order drawn from the seed until one satisfies the condition; for every
n from the smallest one up, at least one candidate does. Each judge uses both grades in every table.

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

from agreement.exercises import paradox_kinds as kinds
from agreement.exercises.paradox_kinds import Tables
from agreement.exercises.tables import (
    JUDGES,
    Table,
    check_seed,
    check_whole,
    graded_items,
    judgements_frame,
    sum_tables,
)

MAX_DOCUMENTS = 1000
TABLE_STREAM, ORDER_STREAM = 0, 1  # separate random streams, so that the order reveals nothing about the table


@dataclass(frozen=True)
class Kind:
    """One kind of paradox: how to search for it, recognise it and describe it.

    Attributes
    ----------
    min_documents : int
        The smallest n.
    candidates : callable
        Takes n and a numpy.random.Generator, and yields candidate tables in random order.
    holds : callable
        Takes tables, and returns whether they are this paradox.
    describe : callable
        Takes tables, and returns a sentence with their figures.
    """

    min_documents: int
    candidates: Callable[[int, np.random.Generator], Iterator[Tables]]
    holds: Callable[[Tables], bool]
    describe: Callable[[Tables], str]


PARADOXES = {
    "high agreement, low kappa": Kind(
        20, kinds.high_and_low_candidates, kinds.is_high_and_low, kinds.describe_high_and_low
    ),
    "same agreement, different kappa": Kind(
        20, kinds.same_and_different_candidates, kinds.is_same_and_different, kinds.describe_same_and_different
    ),
    "pooled and unpooled far apart": Kind(10, kinds.far_apart_candidates, kinds.is_far_apart, kinds.describe_far_apart),
    "topics that each disagree but pool to agreement": Kind(
        20, kinds.topics_that_pool_candidates, kinds.is_topics_that_pool, kinds.describe_topics_that_pool
    ),
}


@dataclass(frozen=True)
class Paradox:
    """Tables with a surprising kappa.

    Attributes
    ----------
    name : str
        A key of `PARADOXES`.
    tables : tuple of tables
        One or two tables; rows are the grades 0 and 1 of judge 1, columns those of judge 2.
    sentence : str
        What is surprising about the tables, with their figures.
    seed : int
        The seed that the tables and the order of the judgements were drawn with.

    Examples
    --------
    >>> from agreement.exercises import paradox
    >>> example = paradox("high agreement, low kappa", 40, seed=1)
    >>> example.name, example.combined
    ('high agreement, low kappa', ((34, 3), (2, 1)))
    """

    name: str
    tables: Tables
    sentence: str
    seed: int

    @property
    def combined(self) -> Table:
        """One table over the documents of all tables."""
        return sum_tables(self.tables)

    def judgements(self, judges: Sequence[str] = JUDGES) -> pd.DataFrame:
        """Return the judgements behind the tables, each table as a topic, in an order determined by the seed.

        Parameters
        ----------
        judges : sequence of two str
            Two different names.

        Returns
        -------
        DataFrame
            Columns assessor, query_id, doc_id, relevance; two rows for each document.

        Raises
        ------
        ValueError
            `judges` are not two different names.
        """
        rng = np.random.default_rng([self.seed, ORDER_STREAM])
        return judgements_frame([graded_items(table, rng) for table in self.tables], judges)


def paradox(name: str, n: int, seed: int = 0) -> Paradox:
    """Find a paradox with `n` documents.

    Parameters
    ----------
    name : str
        A key of `PARADOXES`.
    n : int
        Number of documents of each table; for "topics that each disagree but pool to agreement", of both topics
        together. From `PARADOXES[name].min_documents` to 1000.
    seed : int
        At least 0. Determines which of the many possible results is returned.

    Returns
    -------
    Paradox

    Raises
    ------
    ValueError
        The name is unknown, or `n` or `seed` is out of range.

    Examples
    --------
    >>> from agreement.exercises import paradox
    >>> example = paradox("high agreement, low kappa", 40, seed=1)
    >>> example.tables
    (((34, 3), (2, 1)),)
    """
    if name not in PARADOXES:
        raise ValueError(f"A paradox must be one of {'; '.join(PARADOXES)}, not {name!r}.")
    kind, seed = PARADOXES[name], check_seed(seed)
    n = check_whole(n, f"n of {name!r}", kind.min_documents, MAX_DOCUMENTS)
    rng = np.random.default_rng([seed, TABLE_STREAM])
    tables = next(filter(kind.holds, kind.candidates(n, rng)))
    return Paradox(name, tables, kind.describe(tables), seed)
