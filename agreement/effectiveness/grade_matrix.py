"""The ranks-by-grade matrix that every measure works on: systems x topics x ranks.

A place holds the grade of the document at that rank, and `unjudged` (below every grade) where the gold says
nothing about it or the ranking is shorter. The topics are those of the gold, all of them, whether or not a run has
them; topics that only runs have are left out.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """The grades that one gold gives to the rankings of several systems.

    Attributes
    ----------
    systems : tuple of str, length n_systems
    query_ids : tuple of str, length n_topics
        The topics of the gold, ascending.
    grades : ndarray, shape (n_systems, n_topics, n_ranks)
        Grade of the document at each rank; `unjudged` where there is none.
    retrieved : ndarray of int, shape (n_systems, n_topics)
        Length of each ranking; 0 where the run lacks the topic.
    gold : ndarray, shape (n_topics, most judged documents of a topic)
        All grades of each topic, highest first, then `unjudged`.
    unjudged : number
        Lower than every grade.
    highest : number or None
        The highest grade of the declared scale; None where no scale was declared.
    collection_size : int or None
        Number of documents that could have been retrieved; None where it was not given.
    known : ndarray of bool, shape of `grades`, or None
        Whether the reader knew the document at each rank before; None where nothing was said.
    known_gold : ndarray of bool, shape of `gold`, or None
        The same of the documents of the gold.
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
        """Number of documents of each topic with a grade of `rel` or more, shape (n_topics,)."""
        return (self.gold >= rel).sum(axis=1)

    def relevant_retrieved(self, rel: float, cutoff: int | None = None) -> np.ndarray:
        """Number of documents among the first `cutoff` with a grade of `rel` or more, (n_systems, n_topics)."""
        return np.count_nonzero(self.grades[..., :cutoff] >= rel, axis=-1)

    def judged(self, cutoff: int | None = None) -> np.ndarray:
        """Number of documents with a grade of 0 or more among the first `cutoff`, shape (n_systems, n_topics)."""
        return (self.grades[..., :cutoff] >= 0).sum(axis=-1)

    def judged_only(self) -> "GradeMatrix":
        """The rankings without unjudged documents, closed up, as trec_eval ranks with `-J`.

        A document with a negative grade is dropped too, as trec_eval does. `gold` stays as it is.
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


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """`part` / `whole`, and 0 where the whole is 0."""
    out = np.zeros(np.broadcast_shapes(np.shape(part), np.shape(whole)))
    return np.divide(part, whole, out=out, where=np.broadcast_to(np.asarray(whole) > 0, out.shape))
