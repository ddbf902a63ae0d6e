"""The marked ranks of rankings, such as the relevant documents, as short lists; few documents are relevant.

A *hit* is a marked cell of a ranks-by-grade matrix, usually a relevant document. Hits are sorted by ranking, and within
a ranking by rank. The number of a ranking is system * n_topics + topic.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Hits:
    """The hits of all rankings.

    Attributes
    ----------
    ranking : ndarray of int, shape (n_hits,)
        Number of the ranking of each hit, ascending.
    position : ndarray of int, shape (n_hits,)
        Rank - 1 of each hit, ascending within a ranking.
    shape : tuple of int
        n_systems, n_topics and n_ranks of the matrix.
    """

    ranking: np.ndarray
    position: np.ndarray
    shape: tuple[int, int, int]

    @property
    def rank(self) -> np.ndarray:
        """Rank of every hit, from 1."""
        return self.position + 1

    @cached_property
    def ordinal(self) -> np.ndarray:
        """1 for the first hit of a ranking, 2 for the second, and so on."""
        count = self.count().reshape(-1)
        earlier: np.ndarray = np.repeat(np.cumsum(count) - count, count)
        return np.asarray(np.arange(1, len(self.ranking) + 1) - earlier)

    @property
    def topic(self) -> np.ndarray:
        """Position of the topic of every hit."""
        return np.asarray(self.ranking % max(self.shape[1], 1))

    def count(self) -> np.ndarray:
        """Count the hits of every ranking, shape (n_systems, n_topics)."""
        return np.bincount(self.ranking, minlength=self.shape[0] * self.shape[1]).reshape(self.shape[:2])

    def summed(self, values: np.ndarray) -> np.ndarray:
        """Sum values, one for each hit, over the hits of every ranking, shape (n_systems, n_topics)."""
        n_rankings = self.shape[0] * self.shape[1]
        return np.bincount(self.ranking, values, minlength=n_rankings).reshape(self.shape[:2])

    def values_of(self, grades: np.ndarray) -> np.ndarray:
        """Return the value of an array of shape `shape` at every hit."""
        return np.asarray(grades.reshape(-1, self.shape[2])[self.ranking, self.position])

    def table(self, values: np.ndarray, fill: float) -> np.ndarray:
        """Return one row for each ranking with the values of its hits, padded with `fill`; at least one column."""
        rows = np.full((self.shape[0] * self.shape[1], self.ordinal.max(initial=1)), fill)
        rows[self.ranking, self.ordinal - 1] = values
        return rows


def hits(marked: np.ndarray) -> Hits:
    """Return the hits of a boolean array of shape (n_systems, n_topics, n_ranks)."""
    cells = np.flatnonzero(marked)  # much faster than np.nonzero of three dimensions
    ranking, position = np.divmod(cells, max(marked.shape[2], 1))
    return Hits(ranking, position, (marked.shape[0], marked.shape[1], marked.shape[2]))


def count_before(marked: np.ndarray, at: Hits) -> np.ndarray:
    """Count the marked ranks above every hit in its ranking, shape (n_hits,)."""
    begin = at.ranking * at.shape[2]
    cells = np.flatnonzero(marked)
    counts: np.ndarray = np.searchsorted(cells, begin + at.position) - np.searchsorted(cells, begin)
    return counts
