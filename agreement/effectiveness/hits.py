"""The places of rankings that count, as short lists: few documents of a ranking are relevant.

A *hit* is a marked place of a ranks-by-grade matrix, mostly a relevant document. Hits stand by ranking, and in
each ranking by rank; a ranking is numbered system * n_topics + topic.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Hits:
    """Marked places.

    Attributes
    ----------
    ranking : ndarray of int, shape (n_hits,)
        Ascending.
    place : ndarray of int, shape (n_hits,)
        Rank - 1, ascending in a ranking.
    shape : tuple of int
        n_systems, n_topics, n_ranks.
    """

    ranking: np.ndarray
    place: np.ndarray
    shape: tuple[int, int, int]

    @property
    def rank(self) -> np.ndarray:
        """Rank of every hit, from 1."""
        return self.place + 1

    @cached_property
    def found(self) -> np.ndarray:
        """1 for the first hit of a ranking, 2 for the second, and so on."""
        count = self.count().reshape(-1)
        return np.arange(1, len(self.ranking) + 1) - np.repeat(np.cumsum(count) - count, count)

    @property
    def topic(self) -> np.ndarray:
        """Topic of every hit, to look up what belongs to topics."""
        return self.ranking % max(self.shape[1], 1)

    def count(self) -> np.ndarray:
        """Number of hits of every ranking, shape (n_systems, n_topics)."""
        return np.bincount(self.ranking, minlength=self.shape[0] * self.shape[1]).reshape(self.shape[:2])

    def summed(self, values: np.ndarray) -> np.ndarray:
        """Sums over the hits of every ranking, shape (n_systems, n_topics); `values` has one for each hit."""
        n_rankings = self.shape[0] * self.shape[1]
        return np.bincount(self.ranking, values, minlength=n_rankings).reshape(self.shape[:2])

    def of(self, grades: np.ndarray) -> np.ndarray:
        """What an array of `shape` holds at every hit."""
        return grades.reshape(-1, self.shape[2])[self.ranking, self.place]

    def table(self, values: np.ndarray, fill: float) -> np.ndarray:
        """One row for each ranking with the values of its hits, then `fill`; at least one column."""
        rows = np.full((self.shape[0] * self.shape[1], self.found.max(initial=1)), fill)
        rows[self.ranking, self.found - 1] = values
        return rows


def hits(marked: np.ndarray) -> Hits:
    """The marked places of a boolean array of shape (n_systems, n_topics, n_ranks)."""
    places = np.flatnonzero(marked)  # far quicker than np.nonzero of a table
    return Hits(*np.divmod(places, max(marked.shape[2], 1)), marked.shape)


def count_before(marked: np.ndarray, at: Hits) -> np.ndarray:
    """Number of marked places above every hit in its ranking, shape (n_hits,)."""
    begin = at.ranking * at.shape[2]
    places = np.flatnonzero(marked)
    return np.searchsorted(places, begin + at.place) - np.searchsorted(places, begin)
