"""GAP correlation: AP correlation in which a pair of systems counts by the gap between their true scores.

Take the systems in the order of the estimate. For each system but the first, the gaps between its true score and those
of the systems above it are summed, once over the systems that are rightly above it, and once over all:

    tau_GAP(truth, estimate) = 2 / (n - 1) * sum over systems of (rightly ordered gaps) / (all gaps) - 1

A swap at the top costs more than one at the bottom, and a swap of nearly equal systems costs less than one of different
systems. Pairs that are tied in the truth have no gap, so they do not count; a system whose gaps are all 0 is left out
of the mean. The value depends on the order of the arguments. Range -1 to 1.

The article has no ties in the estimate. Here, systems that the estimate ties are above each other half of the time, and
rightly so half of that time: their gap counts one quarter as right and one half in all. The systems of the first group
of t ties count 1 - 1 / t each, because one of them would be the first. So no tie is broken by name, and all systems
tied have the value 0.

Undefined with fewer than two systems (reason "one_system"), and if the truth ties all systems ("all_tied").

References
----------
N. Gao and D. W. Oard (2015). A head-weighted gap-sensitive correlation coefficient. SIGIR, 799-802.
"""

import numpy as np
from numpy.typing import ArrayLike

from agreement.estimate import Estimate
from agreement.rank_correlation.batch import Batch
from agreement.rank_correlation.orders import TIE, Scores, both_orders, one_list
from agreement.rank_correlation.paired import Values, paired

NAME = "tau_gap"


def tau_gap(truth: Scores, estimate: Scores) -> Estimate:
    """Compute the GAP correlation of an estimated ranking with the true one.

    Parameters
    ----------
    truth, estimate : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system"),
        and if the truth ties all systems ("all_tied").

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    References
    ----------
    N. Gao and D. W. Oard (2015). A head-weighted gap-sensitive correlation coefficient. SIGIR, 799-802.

    Examples
    --------
    A swap of two nearly equal systems costs less than one of different systems.

    >>> from agreement.rank_correlation import tau_gap
    >>> round(tau_gap([3, 1.1, 1], [3, 1, 2]).value, 3), tau_gap([3, 2, 1], [3, 1, 2]).value
    (0.95, 0.5)
    """
    both_orders(truth, estimate)
    return tau_gap_paired([one_list(truth)], [one_list(estimate)])[0]


def tau_gap_paired(truth: ArrayLike, estimate: ArrayLike) -> Batch:
    """Compute the GAP correlation of each ranking in `estimate` with the truth in the same row.

    Parameters
    ----------
    truth, estimate : array-like of float, shape (n_rankings, n_systems)
        Scores of the same systems in the same order; higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,). Undefined with fewer than two systems (reason "one_system"), and if
        the truth ties all systems (reason "all_tied").

    Raises
    ------
    ValueError
        The arguments have different shapes, or a score is not finite.

    References
    ----------
    N. Gao and D. W. Oard (2015). A head-weighted gap-sensitive correlation coefficient. SIGIR, 799-802.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_gap_paired
    >>> tau_gap_paired([[3, 2, 1], [3, 2, 1]], [[3, 2, 1], [1, 2, 3]]).values.tolist()
    [1.0, -1.0]
    """
    return paired(NAME, truth, estimate, _values)


def _values(truth: np.ndarray, estimate: np.ndarray) -> Values:
    """The values of some rows, and whether they are defined. Axis 1 is the system, axis 2 what may be above it."""
    above = estimate[:, None, :] - estimate[:, :, None]
    tied = np.abs(above) < TIE  # a system is tied with itself, but its gap is 0
    share_above = np.where(tied, 0.5, above > 0)
    gap = truth[:, None, :] - truth[:, :, None]
    gap[np.abs(gap) < TIE] = 0
    distance = np.abs(gap)
    right = np.where(tied, 0.25 * distance, share_above * np.maximum(gap, 0)).sum(axis=2)
    all_gaps = (share_above * distance).sum(axis=2)
    n_tied, n_above = tied.sum(axis=2), (~tied & (above > 0)).sum(axis=2)
    weight = np.where(n_above > 0, 1.0, 1 - 1 / n_tied) * (all_gaps > 0)
    total = weight.sum(axis=1)
    share = np.divide(right, all_gaps, out=np.zeros_like(right), where=all_gaps > 0)
    mean = np.divide((weight * share).sum(axis=1), total, out=np.zeros_like(total), where=total > 0)
    return np.where(total > 0, 2 * mean - 1, 0.0), total > 0
