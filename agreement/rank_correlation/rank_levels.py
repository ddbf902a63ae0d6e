"""Many rankings of the same systems, stored so that they can be compared as bytes.

`levels` converts a matrix of scores into small integers once. All batched correlations, with any number of references,
take the result instead of the scores:

    compact = levels(scores)                                  # scores: (n_rankings, n_systems)
    tau_b_batch(first_reference, compact).values              # (n_rankings,)
    tau_b_batch(second_reference, compact).values
    wins, ties = order_counts(compact)

The level of a system is the number of better systems (0 for the best: its competition rank minus 1). Tied systems have
the same level, and comparing two levels compares the two scores. Levels have the shape systems x rankings: a row holds
one system in all rankings, and two rows are compared as a whole. One byte holds the level of up to 256 systems, so that
100,000 rankings of 129 systems take 13 MB, and no step needs more than a few MB in addition. To process millions of
rankings, compute the levels of a few thousand at a time.

A tie (scores closer than 1e-12) is a rule for pairs. No level can express a chain of near ties whose ends are in order.
Rankings with such a chain, which exist only if scores differ by rounding, keep their scores in `chained_scores` and are
compared pair by pair.

`row_order` finds the order of the numbers within every row. Sorting numbers is several times faster than sorting
positions by numbers. Therefore the position replaces the last bits of each number, and these keys are sorted. Two
numbers that only differ in those bits can come out in the wrong order. Rows where this happens are detected and sorted
by argsort, so that the result is always exact.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from agreement.rank_correlation.orders import TIE, order_signs

_ALL_BUT_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)


def row_order(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions and the values of every row in ascending order.

    Shapes: `numbers`, `order`, `rising` (n_rows, n_columns).
    """
    n_rows, n_columns = numbers.shape
    first = n_columns * np.arange(n_rows)[:, None]
    order = _approximate_order(numbers)
    order += first
    rising = numbers.ravel()[order]
    wrong = np.flatnonzero((rising[:, 1:] < rising[:, :-1]).any(axis=1))
    if len(wrong):
        order[wrong] = first[wrong] + np.argsort(numbers[wrong], axis=1)
        rising[wrong] = numbers.ravel()[order[wrong]]
    return order, rising


def _approximate_order(numbers: np.ndarray) -> np.ndarray:
    """Return the order of the numbers without their last bits."""
    n_columns = numbers.shape[1]
    last_bits = np.int64((1 << max(n_columns - 1, 0).bit_length()) - 1)
    keys = numbers.view(np.int64)
    # As integers, the bits of floats have the order of the floats, but those of negative floats are reversed.
    keys = keys ^ ((keys >> 63) & _ALL_BUT_SIGN)
    keys &= ~last_bits
    keys |= np.arange(n_columns)
    keys.sort(axis=1)
    keys &= last_bits
    return keys


# Number of rankings that are sorted together; their scores fit into the cache.
BLOCK = 1024


@dataclass(frozen=True)
class Levels:
    """Rankings of the same systems, ready to be compared; returned by `levels`.

    Attributes
    ----------
    better : ndarray of unsigned int, shape (n_systems, n_rankings)
        Number of better systems in every ranking; meaningless in a chained ranking.
    tied : ndarray of int, shape (n_rankings,)
        Number of tied pairs of systems.
    chained : ndarray of int, shape (n_chained,)
        Positions of the rankings whose ties are not transitive.
    chained_scores : ndarray of float, shape (n_chained, n_systems)
        Scores of these rankings.

    Examples
    --------
    >>> from agreement.rank_correlation import levels
    >>> compact = levels([[0.9, 0.5, 0.5], [0.1, 0.2, 0.3]])
    >>> compact.better.T.tolist(), compact.tied.tolist()
    ([[0, 1, 1], [2, 1, 0]], [1, 0])
    """

    better: np.ndarray
    tied: np.ndarray
    chained: np.ndarray
    chained_scores: np.ndarray

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return int(self.better.shape[0])

    @property
    def n_rankings(self) -> int:
        """Number of rankings."""
        return int(self.better.shape[1])


def levels(scores: "ArrayLike | Levels") -> Levels:
    """Compute the level of every system in every ranking: the number of better systems.

    Parameters
    ----------
    scores : array-like of float, shape (n_rankings, n_systems), or Levels
        Higher is better. Scores closer than 1e-12 are tied. `Levels` are returned unchanged.

    Returns
    -------
    Levels

    Raises
    ------
    ValueError
        The scores are not a matrix, or a score is not finite.

    Examples
    --------
    >>> from agreement.rank_correlation import levels
    >>> levels([[0.9, 0.5, 0.5]]).better.T.tolist()
    [[0, 1, 1]]
    """
    if isinstance(scores, Levels):
        return scores
    matrix = score_array(scores, "Rankings")
    if matrix.ndim != 2:
        raise ValueError(f"Rankings must be a matrix (rankings x systems), not an array of {matrix.ndim} dimensions.")
    n_rankings, n_systems = matrix.shape
    better = np.empty((n_systems, n_rankings), dtype=np.min_scalar_type(max(n_systems - 1, 0)))
    tied = np.zeros(n_rankings, dtype=np.int64)
    chained = [np.zeros(0, dtype=np.int64)]
    for start in range(0, n_rankings, BLOCK):
        block = slice(start, start + BLOCK)
        better[:, block], tied[block], chains = _block_levels(matrix[block], better.dtype)
        chained.append(start + chains)
    return _with_exact_ties(better, tied, np.concatenate(chained), matrix)


def score_array(scores: "ArrayLike", name: str) -> np.ndarray:
    """Return scores as float64; ValueError if they are no array, list or table of numbers."""
    try:
        if isinstance(scores, str | bytes | Mapping | Set) or scores is None:
            raise TypeError
        return np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be lists of numbers or a matrix, not {type(scores).__name__}.") from None


def _block_levels(scores: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not np.isfinite(scores).all():
        raise ValueError("Every score of a ranking must be a finite number.")
    n_rankings, n_systems = scores.shape
    order, falling = row_order(np.negative(scores, order="C"))
    position = np.broadcast_to(np.arange(n_systems, dtype=dtype), scores.shape)
    gaps = np.diff(falling, axis=1)
    near = gaps < TIE
    tied, chains = np.zeros(n_rankings, dtype=np.int64), np.zeros(0, dtype=np.int64)
    if near.any():
        position = _shared_positions(near, position)
        tied = n_systems * (n_systems - 1) // 2 - position.sum(axis=1, dtype=np.int64)
        chains = _chains(falling, position, near & (gaps > 0))
    better = np.empty(scores.shape, dtype=dtype)
    better.ravel()[order] = position
    return better.T, tied, chains


def _shared_positions(near: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Return the position of the first system of every group of near ties, for the whole group."""
    starts = position.copy()
    starts[:, 1:][near] = 0
    return np.maximum.accumulate(starts, axis=1)


def _chains(falling: np.ndarray, position: np.ndarray, close: np.ndarray) -> np.ndarray:
    """Return the rankings in which a group of near ties is wider than a tie; `close` marks gaps from rounding."""
    rows = np.flatnonzero(close.any(axis=1))
    heads = np.take_along_axis(falling[rows], position[rows].astype(np.intp), axis=1)
    chains: np.ndarray = rows[(falling[rows] - heads >= TIE).any(axis=1)]
    return chains


def _with_exact_ties(better: np.ndarray, tied: np.ndarray, chained: np.ndarray, scores: np.ndarray) -> Levels:
    for ranking in chained:
        signs = order_signs(scores[ranking])
        tied[ranking] = (np.count_nonzero(signs == 0) - len(signs)) // 2
    return Levels(better, tied, chained, scores[chained])
