"""AP correlation of one or several references (the truth) with many rankings of the same systems.

`tau_ap_batch`, `tau_ap_a_batch` and `tau_ap_b_batch` return the same values as `tau_ap`, `tau_ap_a` and `tau_ap_b`, up
to rounding (1e-12), and are undefined in the same cases. Rankings are a matrix of scores, or the `Levels` that
`agreement.rank_correlation.levels` computes once for any number of references.

Method: the level of a system is a_i, the number of systems ahead of it in the ranking. What remains to count is c_i,
the number of systems ahead in both lists, and z_i, the number tied in the truth and ahead in the ranking. Then
c_i - d_i = 2 c_i + z_i - a_i.

References
----------
E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for information retrieval.
SIGIR, 587-594.
J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.
"""

import numpy as np
from numpy.typing import ArrayLike

from agreement.rank_correlation.ap_correlation import tau_ap, tau_ap_a, tau_ap_b
from agreement.rank_correlation.batch import Batch, Reference, Values, blocks_in_order, correlate, count_systems
from agreement.rank_correlation.rank_levels import Levels


def tau_ap_batch(reference: ArrayLike, rankings: ArrayLike | Levels) -> Batch:
    """Compute the AP correlation of every ranking (the estimate) with every reference (the truth), without ties.

    Parameters
    ----------
    reference : array-like of float, shape (n_systems,) or (n_references, n_systems)
        Scores of the systems in each reference; higher is better.
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order; higher is better.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,), or (n_references, n_rankings) for several references.
        Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        A reference or a ranking has ties (scores closer than 1e-12), the number of systems differs, or a score is
        not finite.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for information retrieval.
    SIGIR, 587-594.

    Examples
    --------
    A swap at the top costs more than a swap at the bottom.

    >>> from agreement.rank_correlation import tau_ap_batch
    >>> tau_ap_batch([9, 8, 7], [[3, 2, 1], [2, 3, 1], [3, 1, 2]]).values.round(3).tolist()
    [1.0, 0.0, 0.5]
    """
    instead = "tau_ap_a_batch or tau_ap_b_batch"
    return correlate("tau_ap", reference, rankings, _mean_over_tie_breaks, tau_ap, instead=instead)


def tau_ap_a_batch(reference: ArrayLike, rankings: ArrayLike | Levels) -> Batch:
    """Compute tau_ap_a of every ranking (the estimate) with every reference (the truth).

    tau_ap_a is the mean of the AP correlation over all ways to break the ties.

    Parameters
    ----------
    reference : array-like of float, shape (n_systems,) or (n_references, n_systems)
        Scores of the systems in each reference; higher is better. Scores closer than 1e-12 are tied.
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order; higher is better.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,), or (n_references, n_rankings) for several references.
        Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        The number of systems differs, or a score is not finite.

    References
    ----------
    J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_ap_a_batch
    >>> tau_ap_a_batch([9, 8, 7], [[3, 2, 1], [2, 2, 1]]).values.round(3).tolist()
    [1.0, 0.5]
    """
    return correlate("tau_ap_a", reference, rankings, _mean_over_tie_breaks, tau_ap_a)


def tau_ap_b_batch(reference: ArrayLike, rankings: ArrayLike | Levels) -> Batch:
    """Compute tau_ap_b, the symmetric AP correlation corrected for ties, of every ranking with every reference.

    Parameters
    ----------
    reference : array-like of float, shape (n_systems,) or (n_references, n_systems)
        Scores of the systems in each reference; higher is better. Scores closer than 1e-12 are tied.
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order; higher is better.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,), or (n_references, n_rankings) for several references.
        Undefined with fewer than two systems (reason "one_system"), and if all systems are tied in the reference
        or in the ranking (reason "all_tied").

    Raises
    ------
    ValueError
        The number of systems differs, or a score is not finite.

    References
    ----------
    J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_ap_b_batch
    >>> tau_ap_b_batch([9, 8, 7], [[3, 2, 1], [2, 2, 1]]).values.round(3).tolist()
    [1.0, 0.5]
    """
    return correlate("tau_ap_b", reference, rankings, _corrected_for_ties, tau_ap_b)


def _mean_over_tie_breaks(reference: Reference, compact: Levels) -> Values:
    weights = _tie_weights(compact.n_systems) if compact.tied.any() else None
    sums = np.zeros(compact.n_rankings)
    for block, rows in blocks_in_order(reference, compact):
        sums[block] = _summed(reference, rows, weights)
    return sums / max(compact.n_systems - 1, 1), np.full(compact.n_rankings, compact.n_systems > 1)


def _tie_weights(n_systems: int) -> np.ndarray:
    """Mean of 1 / (position - 1) over the positions of a group of ties, by the number ahead of it and its size."""
    weights = np.zeros((n_systems + 1, n_systems + 1))
    for ahead in range(1, n_systems):
        sizes = np.arange(1, n_systems - ahead + 1)
        weights[ahead, sizes] = np.cumsum(1 / (ahead + sizes - 1)) / sizes
    return weights


def _summed(reference: Reference, rows: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Sum over systems of the mean of (c_i - d_i) / a_i over all ways to break ties, shape (n_rankings,)."""
    total = np.zeros(rows.shape[1])
    for position, (start, end) in enumerate(zip(reference.starts, reference.ends, strict=True)):
        ahead = rows[position].astype(np.int64)
        excess = 2 * _count_ahead(rows, 0, start, position) + _count_ahead(rows, start, end, position) - ahead
        terms = _ratio(excess, ahead)
        if weights is not None:
            tied = count_systems(rows == rows[position])
            terms = np.where(tied > 1, excess * weights[ahead, tied], terms)
        total += terms
    return total


def _corrected_for_ties(reference: Reference, compact: Levels) -> Values:
    values = np.zeros(compact.n_rankings)
    defined = np.zeros(compact.n_rankings, dtype=bool)
    for block, rows in blocks_in_order(reference, compact):
        values[block], defined[block] = _both_directions(reference, rows)
    return values, defined


def _both_directions(reference: Reference, rows: np.ndarray) -> Values:
    """tau_ap_b of a block: the mean of the direction by the ranking and the direction by the reference."""
    by_ranking, by_reference = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    for position, start in enumerate(reference.starts):
        concordant = _count_ahead(rows, 0, start, position)
        ahead = rows[position].astype(np.int64)
        by_ranking += _ratio(2 * concordant - ahead, ahead)
        by_reference += _ratio(2 * concordant - start, np.full(len(ahead), start))
    n_by_reference = sum(start > 0 for start in reference.starts)
    n_by_ranking: np.ndarray = np.asarray(np.count_nonzero(rows, axis=0))
    defined = (n_by_ranking > 0) & (n_by_reference > 0)
    return (by_ranking / np.maximum(n_by_ranking, 1) + by_reference / max(n_by_reference, 1)) / 2, defined


def _count_ahead(rows: np.ndarray, start: int, end: int, position: int) -> np.ndarray:
    """Count the systems from `start` to `end` that are ahead of the one at `position`, in every ranking."""
    counts: np.ndarray = count_systems(rows[start:end] < rows[position]).astype(np.int64)
    return counts


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, and 0 where the whole is 0."""
    return np.asarray(np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0))
