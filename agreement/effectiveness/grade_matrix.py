"""The ranks-by-grade matrix that all measures use: systems x topics x ranks.

A cell holds the grade of the document at that rank. It holds `unjudged`, a number below every grade, if the document is
not in the gold or the ranking is shorter. The topics are all topics of the gold, with or without rankings; topics that
only runs have are left out.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """The grades of the rankings of several systems under one gold; returned by `RankedRuns.under`.

    Attributes
    ----------
    systems : tuple of str, length n_systems
        Names of the systems, ascending.
    query_ids : tuple of str, length n_topics
        The topics of the gold, ascending.
    grades : ndarray, shape (n_systems, n_topics, n_ranks)
        Grade of the document at each rank; `unjudged` if there is none.
    retrieved : ndarray of int, shape (n_systems, n_topics)
        Length of each ranking; 0 if the run lacks the topic.
    gold : ndarray, shape (n_topics, largest number of judged documents of a topic)
        All grades of each topic, highest first, then `unjudged`.
    unjudged : number
        A number below every grade.
    highest : number or None
        The highest grade of the declared scale; None without a scale.
    collection_size : int or None
        Number of documents in the collection; None if it is unknown.
    known : ndarray of bool, shape of `grades`, or None
        Whether the reader knew the document at each rank; None if this is unknown.
    known_gold : ndarray of bool, shape of `gold`, or None
        Whether the reader knew each document of the gold; None if this is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.effectiveness import prepare
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> matrix = prepare(runs).under(gold)
    >>> matrix.systems, matrix.grades.tolist()
    (('bm25', 'lsa'), [[[0, 1]], [[1, 0]]])
    >>> matrix.relevant(1).tolist(), matrix.relevant_retrieved(1, cutoff=1).tolist()
    ([1], [[0], [1]])
    """

    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    grades: np.ndarray
    retrieved: np.ndarray
    gold: np.ndarray
    unjudged: float
    highest: float | None = None
    collection_size: int | None = None
    known: np.ndarray | None = None
    known_gold: np.ndarray | None = None

    def relevant(self, rel: float) -> np.ndarray:
        """Count the documents of each topic with a grade of `rel` or more, shape (n_topics,).

        Parameters
        ----------
        rel : float
            Lowest grade that counts as relevant.
        """
        return np.asarray((self.gold >= rel).sum(axis=1))

    def relevant_retrieved(self, rel: float, cutoff: int | None = None) -> np.ndarray:
        """Count the documents among the first `cutoff` with a grade of `rel` or more, shape (n_systems, n_topics).

        Parameters
        ----------
        rel : float
            Lowest grade that counts as relevant.
        cutoff : int or None
            Number of documents from the top of the ranking; None for all.
        """
        return np.asarray(np.count_nonzero(self.grades[..., :cutoff] >= rel, axis=-1))

    def judged(self, cutoff: int | None = None) -> np.ndarray:
        """Count the documents among the first `cutoff` with a grade of 0 or more, shape (n_systems, n_topics).

        Parameters
        ----------
        cutoff : int or None
            Number of documents from the top of the ranking; None for all.
        """
        return np.asarray((self.grades[..., :cutoff] >= 0).sum(axis=-1))

    def judged_only(self) -> "GradeMatrix":
        """Return the rankings without unjudged documents, as trec_eval ranks them with `-J`.

        Documents with a negative grade are removed too. `gold` does not change.
        """
        return self._judged_only

    @cached_property
    def _judged_only(self) -> "GradeMatrix":
        kept = self.grades >= 0
        retrieved = kept.sum(axis=-1)
        ranks = np.arange(retrieved.max(initial=1))
        filled = ranks < retrieved[..., None]
        grades = np.full(filled.shape, self.unjudged, dtype=self.grades.dtype)
        grades[filled] = self.grades[kept]
        known = None
        if self.known is not None:
            known = np.zeros(filled.shape, dtype=bool)
            known[filled] = self.known[kept]
        return replace(self, grades=grades, retrieved=retrieved, known=known)


@dataclass(frozen=True, eq=False)
class GradesByItem:
    """The grades of a gold by item, a pair of topic and document of runs: what rankings need to be scored.

    Attributes
    ----------
    query_ids : tuple of str, length n_topics
        The topics of the gold, ascending.
    positions : slice or ndarray of int, shape (n_topics,)
        Their positions among the topics of the runs; -1, the empty last topic, if no run has the topic.
    grades : ndarray, shape (n_items + 1,)
        The grade of each item; `unjudged` if it is not in the gold, and at the end, for "no document".
    gold, unjudged, highest, collection_size, known_gold
        As in `GradeMatrix`.
    known : ndarray of bool, shape (n_items + 1,), or None
        Whether the reader knew each item.
    """

    query_ids: tuple[str, ...]
    positions: slice | np.ndarray
    grades: np.ndarray
    gold: np.ndarray
    unjudged: float
    highest: float | None = None
    collection_size: int | None = None
    known: np.ndarray | None = None
    known_gold: np.ndarray | None = None

    def matrix(self, systems: tuple[str, ...], items: np.ndarray, retrieved: np.ndarray) -> GradeMatrix:
        """The grades of rankings.

        Shapes: `items` (n_systems, number of topics of the runs + 1, n_ranks); `retrieved` (n_systems, number of topics
        of the runs + 1).
        """
        at_ranks = items[:, self.positions]
        matrix = GradeMatrix(
            systems=systems,
            query_ids=self.query_ids,
            grades=self.grades[at_ranks],
            retrieved=retrieved[:, self.positions],
            gold=self.gold,
            unjudged=self.unjudged,
            highest=self.highest,
            collection_size=self.collection_size,
            known=None if self.known is None else self.known[at_ranks],
            known_gold=self.known_gold,
        )
        _check_collection_size(matrix)
        return matrix

    def of_block(self, query_ids: pd.Index, numbers: np.ndarray) -> "GradesByItem":
        """The same for runs with other topics, whose items have the positions `numbers` here."""
        known = None if self.known is None else self.known[numbers]
        positions = query_ids.get_indexer(pd.Index(self.query_ids, dtype="str"))
        return replace(self, positions=positions, grades=self.grades[numbers], known=known)


def _check_collection_size(matrix: GradeMatrix) -> None:
    size = matrix.collection_size
    if size is None:
        return
    least = int(max(matrix.retrieved.max(initial=0), (matrix.gold != matrix.unjudged).sum(axis=1).max(initial=0)))
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < max(least, 1):
        raise ValueError(
            f"collection_size must be at least {max(least, 1)}, the retrieved or judged documents of a topic, "
            f"not {size!r}."
        )


def share(part: np.ndarray, whole: np.ndarray | int) -> np.ndarray:
    """Return part / whole, and 0 where the whole is 0; arrays of any shapes that can be broadcast together."""
    out = np.zeros(np.broadcast_shapes(np.shape(part), np.shape(whole)))
    quotient: np.ndarray = np.divide(part, whole, out=out, where=np.broadcast_to(np.asarray(whole) > 0, out.shape))
    return quotient
