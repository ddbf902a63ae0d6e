"""Many rankings against some references: tau_b with each of them, and how often each system is ahead of each other.

Who is ahead of whom is one bit for every two systems, in either order, and 64 of them make a machine word. With a
reference made into bits alike, the concordant pairs of a ranking are the bits that both have, and the discordant ones
those that it shares with the reference turned round. A block of rankings is compared once, for all references.

It gives what `tau_b_batch` and `order_counts` of `agreement.rank_correlation` give, to the last bit. These sort anew
for each reference; this is several times faster where there are many.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agreement.rank_correlation import Levels, order_signs

MOST_RANKINGS = 255  # a byte counts no further
MOST_BYTES = 1 << 22


@dataclass(frozen=True, eq=False)
class References:
    """Rankings to compare with.

    Attributes
    ----------
    ahead, behind : ndarray of uint64, shape (n_references, n_words)
        For every two systems a bit: whether the first is better, or worse.
    untied : ndarray of int, shape (n_references,)
        Number of pairs that are not tied.
    """

    ahead: np.ndarray
    behind: np.ndarray
    untied: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray) -> "References":
        """References by their scores, shape (n_references, n_systems)."""
        signs = np.array([order_signs(row) for row in scores])
        return cls(_words(signs > 0), _words(signs < 0), np.count_nonzero(signs, axis=(1, 2)) // 2)


@dataclass(frozen=True, eq=False)
class Compared:
    """Some rankings, compared.

    Attributes
    ----------
    tau_b : ndarray of float, shape (n_references, n_rankings)
        0, which means nothing, where it is not defined.
    defined : ndarray of bool, of the same shape
    wins : ndarray of int, shape (n_systems, n_systems)
        Under how many rankings the first system is better.
    """

    tau_b: np.ndarray
    defined: np.ndarray
    wins: np.ndarray


def compare(references: References, compact: Levels) -> Compared:
    """Compare rankings of the same systems with the references.

    Parameters
    ----------
    references : References
    compact : Levels
    """
    pairs = compact.n_systems * (compact.n_systems - 1) // 2
    untied = pairs - compact.tied
    excess = np.zeros((len(references.untied), compact.n_rankings), dtype=np.int64)
    wins = np.zeros((compact.n_systems, compact.n_systems), dtype=np.int64)
    for block, ahead in _ahead(compact):
        wins += np.add.reduce(ahead.view(np.uint8), axis=0, dtype=np.uint8)
        bits = _words(ahead)
        for row, (same, turned) in enumerate(zip(references.ahead, references.behind, strict=True)):
            concordant = _in_common(bits, same)
            none_tied = references.untied[row] == pairs
            discordant = untied[block] - concordant if none_tied else _in_common(bits, turned)
            excess[row, block] = concordant - discordant
    product = references.untied[:, None] * untied
    return Compared(excess / np.sqrt(np.maximum(product, 1)), product > 0, wins)


def _ahead(compact: Levels) -> Iterator[tuple[slice, np.ndarray]]:
    """Some rankings at a time, and for every two systems whether the first is better, (n, n_systems, n_systems)."""
    better = np.ascontiguousarray(compact.better.T)
    size = min(MOST_RANKINGS, max(MOST_BYTES // max(compact.n_systems, 1) ** 2, 1))
    for start in range(0, compact.n_rankings, size):
        some = better[start : start + size]
        ahead = some[:, :, None] < some[:, None, :]
        for ranking in np.flatnonzero((compact.chained >= start) & (compact.chained < start + size)):
            ahead[compact.chained[ranking] - start] = order_signs(compact.chained_scores[ranking]) > 0
        yield slice(start, start + len(some)), ahead


def _words(ahead: np.ndarray) -> np.ndarray:
    """The bits of every ranking (n, n_systems, n_systems) in words, shape (n, n_words)."""
    packed = np.packbits(ahead.reshape(len(ahead), -1), axis=1)
    whole = np.zeros((len(ahead), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    whole[:, : packed.shape[1]] = packed
    return whole.view(np.uint64)


def _in_common(bits: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """How many bits every ranking has in common with the reference."""
    return np.bitwise_count(bits & reference).sum(axis=1, dtype=np.int64)
