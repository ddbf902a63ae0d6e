"""Compare many rankings with some references: tau_b with each, and how often each system is ahead of each other one.

For every ordered pair of systems, one bit says whether the first is ahead; 64 bits make a machine word. The references
are stored as bits in the same way. The concordant pairs of a ranking are the bits that it shares with the reference,
and the discordant pairs the bits that it shares with the reversed reference. A block of rankings is packed once for all
references.

The results equal those of `tau_b_batch` and `order_counts` of `agreement.rank_correlation` to the last bit. Those sort
again for each reference, so this is several times faster with many references.

`Tally` holds the figures that are updated while mixed golds are drawn, a few thousand at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agreement.rank_correlation import Levels, competition_ranks, order_signs

MOST_RANKINGS = 255  # one byte cannot count more
MOST_BYTES = 1 << 22


@dataclass(frozen=True, eq=False)
class References:
    """Reference rankings as bits.

    Attributes
    ----------
    ahead, behind : ndarray of uint64, shape (n_references, n_words)
        One bit for every two systems: whether the first is better, or worse.
    untied : ndarray of int, shape (n_references,)
        Number of pairs that are not tied.
    """

    ahead: np.ndarray
    behind: np.ndarray
    untied: np.ndarray

    @classmethod
    def from_scores(cls, scores: np.ndarray) -> "References":
        """Return the references of scores, shape (n_references, n_systems)."""
        signs = np.array([order_signs(row) for row in scores])
        return cls(_words(signs > 0), _words(signs < 0), np.count_nonzero(signs, axis=(1, 2)) // 2)


@dataclass(frozen=True, eq=False)
class Compared:
    """The comparison of some rankings with the references.

    Attributes
    ----------
    tau_b : ndarray of float, shape (n_references, n_rankings)
        A meaningless 0 if it is not defined.
    defined : ndarray of bool, shape (n_references, n_rankings)
        Whether tau_b is defined.
    wins : ndarray of int, shape (n_systems, n_systems)
        In how many rankings the first system is better.
    """

    tau_b: np.ndarray
    defined: np.ndarray
    wins: np.ndarray


def compare(references: References, compact: Levels) -> Compared:
    """Compare rankings of the same systems with the references."""
    pairs = compact.n_systems * (compact.n_systems - 1) // 2
    untied = pairs - compact.tied
    excess = np.zeros((len(references.untied), compact.n_rankings), dtype=np.int64)
    wins = np.zeros((compact.n_systems, compact.n_systems), dtype=np.int64)
    for block, ahead in _ahead(compact):
        wins += np.add.reduce(ahead.view(np.uint8), axis=0, dtype=np.uint8)
        bits = _words(ahead)
        for row, (same, reverse) in enumerate(zip(references.ahead, references.behind, strict=True)):
            concordant = _in_common(bits, same)
            # Without ties in the reference, the rest of the untied pairs is discordant and needs no second count.
            none_tied = references.untied[row] == pairs
            discordant = untied[block] - concordant if none_tied else _in_common(bits, reverse)
            excess[row, block] = concordant - discordant
    product = references.untied[:, None] * untied
    return Compared(excess / np.sqrt(np.maximum(product, 1)), product > 0, wins)


def _ahead(compact: Levels) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield blocks of rankings with whether the first of two systems is better, shape (n, n_systems, n_systems)."""
    better = np.ascontiguousarray(compact.better.T)
    size = min(MOST_RANKINGS, max(MOST_BYTES // max(compact.n_systems, 1) ** 2, 1))
    for start in range(0, compact.n_rankings, size):
        rows = better[start : start + size]
        ahead = rows[:, :, None] < rows[:, None, :]
        for ranking in np.flatnonzero((compact.chained >= start) & (compact.chained < start + size)):
            ahead[compact.chained[ranking] - start] = order_signs(compact.chained_scores[ranking]) > 0
        yield slice(start, start + len(rows)), ahead


def _words(ahead: np.ndarray) -> np.ndarray:
    """Pack the bits of every ranking (n, n_systems, n_systems) into words, shape (n, n_words)."""
    packed = np.packbits(ahead.reshape(len(ahead), -1), axis=1)
    # Zeros fill the last word: they are in common with nothing.
    whole = np.zeros((len(ahead), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    whole[:, : packed.shape[1]] = packed
    return whole.view(np.uint64)


def _in_common(bits: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Count the bits that every ranking shares with the reference."""
    counts: np.ndarray = np.bitwise_count(bits & reference).sum(axis=1, dtype=np.int64)
    return counts


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
        # From the mean, which is known before: a difference of two sums of squares loses digits.
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
