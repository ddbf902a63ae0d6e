"""AP correlation of one or several references, the truth, with many rankings of the same systems, all at once.

`tau_ap_batch`, `tau_ap_a_batch` and `tau_ap_b_batch` give for every ranking what `tau_ap`, `tau_ap_a` and
`tau_ap_b` give for one, to within rounding (1e-12), and are undefined where those are. Rankings are a matrix of
scores, or their `levels`. A level is the number of systems ahead, so that only c_i, the number ahead in both, is
left to be counted; and for the ties of the truth z_i, those tied there and ahead in the ranking:
c_i - d_i = 2 c_i + z_i - a_i.
"""

from collections.abc import Callable

import numpy as np

from agreement.rank_correlation import ap_correlation as top_weighted
from agreement.rank_correlation.rank_levels import Levels, levels
from agreement.rank_correlation.batch import Batch, Reference, count, in_order, no_ties, over_references


def tau_ap_batch(reference: np.ndarray, rankings: np.ndarray | Levels) -> Batch:
    """`tau_ap` of every ranking, the estimate, with the reference, the truth; all without ties.

    Parameters
    ----------
    reference : ndarray of float, shape (n_systems,) or (n_references, n_systems)
        Higher is better.
    rankings : ndarray of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order.

    Returns
    -------
    Batch
        Range -1 to 1; shape (n_rankings,), or (n_references, n_rankings) for several references.

    Raises
    ------
    ValueError
        A reference or ranking has ties, the number of systems differs, or a score is not finite.
    """
    compact = levels(rankings)
    no_ties("tau_ap", "tau_ap_a_batch or tau_ap_b_batch", reference, compact)
    return _mean_over_breakings("tau_ap", top_weighted.tau_ap, reference, compact)


def tau_ap_a_batch(reference: np.ndarray, rankings: np.ndarray | Levels) -> Batch:
    """`tau_ap_a` of every ranking; arguments and result as for `tau_ap_batch`, ties allowed."""
    return _mean_over_breakings("tau_ap_a", top_weighted.tau_ap_a, reference, levels(rankings))


def tau_ap_b_batch(reference: np.ndarray, rankings: np.ndarray | Levels) -> Batch:
    """`tau_ap_b` of every ranking; arguments and result as for `tau_ap_batch`, ties allowed."""
    compact = levels(rankings)

    def each(one: Reference) -> tuple[np.ndarray, np.ndarray]:
        values = np.zeros(compact.n_rankings)
        defined = np.zeros(compact.n_rankings, dtype=bool)
        for block, rows in in_order(one, compact):
            values[block], defined[block] = _corrected(one, rows)
        return values, defined

    return over_references("tau_ap_b", each, top_weighted.tau_ap_b, reference, compact)


def _mean_over_breakings(name: str, single: Callable, reference: np.ndarray, compact: Levels) -> Batch:
    shares = _shares(compact.n_systems) if compact.tied.any() else None

    def each(one: Reference) -> tuple[np.ndarray, np.ndarray]:
        values = np.zeros(compact.n_rankings)
        for block, rows in in_order(one, compact):
            values[block] = _expected(one, rows, shares)
        return values / max(compact.n_systems - 1, 1), np.full(compact.n_rankings, compact.n_systems > 1)

    return over_references(name, each, single, reference, compact)


def _shares(n_systems: int) -> np.ndarray:
    """Mean of 1 / (place - 1) over the places of a group of ties, by the number ahead of it and its size."""
    sums = np.zeros((n_systems + 1, n_systems + 1))
    for ahead in range(1, n_systems):
        sizes = np.arange(1, n_systems - ahead + 1)
        sums[ahead, sizes] = np.cumsum(1 / (ahead + sizes - 1)) / sizes
    return sums


def _expected(reference: Reference, rows: np.ndarray, shares: np.ndarray | None) -> np.ndarray:
    total = np.zeros(rows.shape[1])
    for place, (start, end) in enumerate(zip(reference.starts, reference.ends, strict=True)):
        ahead = rows[place].astype(np.int64)
        excess = 2 * _ahead(rows, 0, start, place) + _ahead(rows, start, end, place) - ahead
        each = _share(excess, ahead)
        if shares is not None:
            tied = count(rows == rows[place])
            each = np.where(tied > 1, excess * shares[ahead, tied], each)
        total += each
    return total


def _corrected(reference: Reference, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    by_ranking, by_reference = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    for place, start in enumerate(reference.starts):
        concordant = _ahead(rows, 0, start, place)
        ahead = rows[place].astype(np.int64)
        by_ranking += _share(2 * concordant - ahead, ahead)
        by_reference += _share(2 * concordant - start, start)
    later_there, later_here = np.count_nonzero(reference.starts), np.count_nonzero(rows, axis=0)
    defined = (later_here > 0) & (later_there > 0)
    return (by_ranking / np.maximum(later_here, 1) + by_reference / max(later_there, 1)) / 2, defined


def _ahead(rows: np.ndarray, start: int, end: int, place: int) -> np.ndarray:
    """How many of the systems from `start` to `end` are ahead of the one at `place`, in every ranking."""
    return count(rows[start:end] < rows[place]).astype(np.int64)


def _share(part: np.ndarray, whole: np.ndarray | int) -> np.ndarray:
    """Part of the whole, and 0 of nothing."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
