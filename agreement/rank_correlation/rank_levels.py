"""Many rankings of the same systems, laid out so that they can be compared at the speed of bytes.

`levels` turns a matrix of scores into small integers, once; all batched correlations, with any number of
references, take the result instead of the scores:

    compact = levels(scores)                                  # scores: (n_rankings, n_systems)
    tau_b_batch(first_reference, compact).values              # (n_rankings,)
    tau_b_batch(second_reference, compact).values
    wins, ties = order_counts(compact)

The level of a system is the number of systems that are better (0 for the best, its competition rank less 1),
so that tied systems have the same level, and comparing two levels compares the two scores. Levels lie systems x
rankings: a row holds one system in all rankings and two rows are compared as a whole. One byte holds a level of
up to 256 systems, so that 100,000 rankings of 129 systems take 13 MB; no step needs more than a few MB besides.
Whoever draws rankings by the million makes the levels of some thousand at a time.

A tie, scores closer than 1e-12, is a rule for pairs, and no level can express a chain of near ties whose ends
are in order. Rankings with such a chain (there are none unless scores differ by rounding) keep their scores in
`chained_scores`, and are compared pair by pair.
"""

from dataclasses import dataclass

import numpy as np

from agreement.rank_correlation.orders import TIE, order_signs
from agreement.rank_correlation.row_order import row_order

# Rankings that are sorted together: their scores stay in the cache.
BLOCK = 1024


@dataclass(frozen=True)
class Levels:
    """Rankings of the same systems, ready to be compared.

    Attributes
    ----------
    better : ndarray of unsigned int, shape (n_systems, n_rankings)
        How many systems are better than this one, in every ranking; meaningless in a chained ranking.
    tied : ndarray of int, shape (n_rankings,)
        Number of tied pairs of systems.
    chained : ndarray of int, shape (n_chained,)
        Positions of the rankings whose ties are not transitive.
    chained_scores : ndarray of float, shape (n_chained, n_systems)
        The scores of those.
    """

    better: np.ndarray
    tied: np.ndarray
    chained: np.ndarray
    chained_scores: np.ndarray

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return self.better.shape[0]

    @property
    def n_rankings(self) -> int:
        """Number of rankings."""
        return self.better.shape[1]


def levels(scores: np.ndarray) -> Levels:
    """The levels of the systems in every ranking.

    Parameters
    ----------
    scores : ndarray of float, shape (n_rankings, n_systems)
        Higher is better. `Levels` are returned as they are.

    Returns
    -------
    Levels

    Raises
    ------
    ValueError
        The scores are no matrix, or one is not finite.
    """
    if isinstance(scores, Levels):
        return scores
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim != 2:
        raise ValueError(f"rankings are a matrix (rankings x systems); got an array of {scores.ndim} dimensions")
    n_rankings, n_systems = scores.shape
    better = np.empty((n_systems, n_rankings), dtype=np.min_scalar_type(max(n_systems - 1, 0)))
    tied = np.zeros(n_rankings, dtype=np.int64)
    chained = [np.zeros(0, dtype=np.int64)]
    for start in range(0, n_rankings, BLOCK):
        block = slice(start, start + BLOCK)
        better[:, block], tied[block], chains = _block_levels(scores[block], better.dtype)
        chained.append(start + chains)
    return _with_exact_ties(better, tied, np.concatenate(chained), scores)


def _block_levels(scores: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not np.isfinite(scores).all():
        raise ValueError("every score of a ranking is a finite number; got one that is not")
    n_rankings, n_systems = scores.shape
    order, falling = row_order(np.negative(scores, order="C"))
    place = np.broadcast_to(np.arange(n_systems, dtype=dtype), scores.shape)
    gaps = np.diff(falling, axis=1)
    near = gaps < TIE
    tied, chains = np.zeros(n_rankings, dtype=np.int64), np.zeros(0, dtype=np.int64)
    if near.any():
        place = _shared_places(near, place)
        tied = n_systems * (n_systems - 1) // 2 - place.sum(axis=1, dtype=np.int64)
        chains = _chains(falling, place, near & (gaps > 0))
    better = np.empty(scores.shape, dtype=dtype)
    better.ravel()[order] = place
    return better.T, tied, chains


def _shared_places(near: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The place of the first of every group of neighbours, for all of the group."""
    starts = place.copy()
    starts[:, 1:][near] = 0
    return np.maximum.accumulate(starts, axis=1)


def _chains(falling: np.ndarray, place: np.ndarray, close: np.ndarray) -> np.ndarray:
    """Rankings in which a group of neighbours is wider than a tie; only rounding makes gaps that are `close`."""
    rows = np.flatnonzero(close.any(axis=1))
    heads = np.take_along_axis(falling[rows], place[rows].astype(np.intp), axis=1)
    return rows[(falling[rows] - heads >= TIE).any(axis=1)]


def _with_exact_ties(better: np.ndarray, tied: np.ndarray, chained: np.ndarray, scores: np.ndarray) -> Levels:
    for ranking in chained:
        signs = order_signs(scores[ranking])
        tied[ranking] = (np.count_nonzero(signs == 0) - len(signs)) // 2
    return Levels(better, tied, chained, scores[chained])
