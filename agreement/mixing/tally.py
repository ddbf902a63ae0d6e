"""Figures that are updated while mixed golds are drawn, a few thousand at a time."""

from dataclasses import dataclass

import numpy as np

from agreement.mixing.kernel import Compared
from agreement.rank_correlation import Levels, competition_ranks


@dataclass(eq=False)
class Tally:
    """Running figures of every system, and of every two.

    Attributes
    ----------
    mean : ndarray of float, shape (n_systems,)
        Mean score over all draws, computed in advance.
    squares : ndarray of float, shape (n_systems,)
        Sum of squared differences from that mean.
    least, greatest : ndarray of float, shape (n_systems,)
        Lowest and highest score.
    ranks : ndarray of int, shape (3, n_systems)
        Lowest rank, highest rank, and sum of the ranks.
    tops : ndarray of int, shape (2, n_systems)
        How often a system is at rank 1, and how often it is there alone.
    wins : ndarray of int, shape (n_systems, n_systems)
        How often the first system is ahead of the second.
    """

    mean: np.ndarray
    squares: np.ndarray
    least: np.ndarray
    greatest: np.ndarray
    ranks: np.ndarray
    tops: np.ndarray
    wins: np.ndarray

    @classmethod
    def empty(cls, mean: np.ndarray) -> "Tally":
        """Return a tally of no draws."""
        n = len(mean)
        infinite = np.full(n, np.inf)
        ranks, tops = np.array([[n], [1], [0]]).repeat(n, axis=1), np.zeros((2, n), dtype=np.int64)
        return cls(mean, np.zeros(n), infinite, -infinite, ranks, tops, np.zeros((n, n), dtype=np.int64))

    def add(self, scores: np.ndarray, compact: Levels, compared: Compared) -> None:
        """Add a block of draws: the scores (n, n_systems), their levels, and their comparison."""
        self.squares += ((scores - self.mean) ** 2).sum(axis=0)
        self.least = np.minimum(self.least, scores.min(axis=0))
        self.greatest = np.maximum(self.greatest, scores.max(axis=0))
        self._add_better(_better(compact))
        self.wins += compared.wins

    def _add_better(self, better: np.ndarray) -> None:
        self.ranks[0] = np.minimum(self.ranks[0], better.min(axis=1) + 1)
        self.ranks[1] = np.maximum(self.ranks[1], better.max(axis=1).astype(np.int64) + 1)
        self.ranks[2] += better.sum(axis=1, dtype=np.int64) + better.shape[1]
        first = better == 0
        self.tops[0] += np.count_nonzero(first, axis=1)
        self.tops[1] += np.count_nonzero(first & (np.count_nonzero(first, axis=0) == 1), axis=1)


def _better(compact: Levels) -> np.ndarray:
    """Return the number of better systems in every ranking, also if near ties are not transitive."""
    if not len(compact.chained):
        return compact.better
    better = compact.better.copy()
    for ranking, scores in zip(compact.chained, compact.chained_scores, strict=True):
        better[:, ranking] = competition_ranks(scores) - 1
    return better
