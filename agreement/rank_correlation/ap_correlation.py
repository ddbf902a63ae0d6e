"""AP correlation: Kendall's tau with more weight on the top, and what it does with ties.

Arguments are scores, higher is better, in any order of systems. Take the systems in the order of the estimate.
Of the a_i systems ahead of system i, c_i are ahead of it in the truth too, and d_i behind. Then, n systems:

    tau_ap(truth, estimate)   1 / (n - 1) * sum of (c_i - d_i) / a_i, i not the first       no ties: one is an error
    tau_ap_sym(x, y)          mean of tau_ap(x, y) and tau_ap(y, x)                         no ties
    tau_ap_a(truth, estimate) mean of tau_ap over all ways to break the ties
    tau_ap_b(x, y)            symmetric, corrected for ties

A swap at the top costs more than one at the bottom; the order of the arguments matters, except where it is said
to be symmetric. Range -1 to 1, as tau; 0 is expected for an estimate by chance.

tau_ap_a: the t_i systems of a group of ties share the places a_i + 1 to a_i + t_i, so that (c_i - d_i) / a_i
becomes the mean of (c_i - d_i) / (place - 1) over these places; within the group, order is expected to be right as
often as wrong. The article has a truth without ties; here its ties may be broken either way too, which counts a
pair tied in the truth 0.

tau_ap_b: mean of both directions of the mean of 2 c_i / a_i - 1 over the systems that are not in the first group of
the second list (c_i: ahead in both lists). Without ties tau_ap_b is tau_ap_sym, and tau_ap_a is tau_ap.

With fewer than two systems undefined, reason `one_system`; tau_ap_b also where one of the lists ties all
systems, reason `all_tied`. tau_ap_a is 0 there: each of the ways to break them is as good as its reverse.

References
----------
E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for information retrieval.
SIGIR, 587-594.
J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.
"""

from collections.abc import Sequence

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import both_orders, refuse_ties

INSTEAD = "tau_ap_a or tau_ap_b"


def tau_ap(truth: Sequence[float], estimate: Sequence[float], names: Sequence | None = None) -> Estimate:
    """AP correlation of an estimated ranking with the true one, both without ties.

    Parameters
    ----------
    truth, estimate : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better.
    names : sequence, shape (n_systems,), optional
        Names of the systems, for the error where two are tied.

    Returns
    -------
    Estimate
        Range -1 to 1.

    Raises
    ------
    ValueError
        Two scores of one list are tied, the lists differ in length, or a score is not finite.
    """
    first, second = both_orders(truth, estimate)
    refuse_ties("tau_ap", truth, estimate, INSTEAD, names)
    return _estimate("tau_ap", first, _expected(first, second) if len(first) > 1 else None)


def tau_ap_sym(x: Sequence[float], y: Sequence[float], names: Sequence | None = None) -> Estimate:
    """Mean of `tau_ap` in both directions; arguments and result as there."""
    first, second = both_orders(x, y)
    refuse_ties("tau_ap_sym", x, y, INSTEAD, names)
    if len(first) < 2:
        return _estimate("tau_ap_sym", first, None)
    return _estimate("tau_ap_sym", first, (_expected(first, second) + _expected(second, first)) / 2)


def tau_ap_a(truth: Sequence[float], estimate: Sequence[float]) -> Estimate:
    """Mean of `tau_ap` over all ways to break the ties; arguments and result as there."""
    first, second = both_orders(truth, estimate)
    return _estimate("tau_ap_a", first, _expected(first, second) if len(first) > 1 else None)


def tau_ap_b(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """AP correlation of two equals, corrected for ties; arguments and result as for `tau_ap_sym`."""
    first, second = both_orders(x, y)
    if len(first) > 1 and not (first.any() and second.any()):
        return undefined("tau_ap_b", "all_tied", n=len(first))
    if len(first) < 2:
        return _estimate("tau_ap_b", first, None)
    return _estimate("tau_ap_b", first, (_corrected(first, second) + _corrected(second, first)) / 2)


def _estimate(name: str, signs: np.ndarray, value: float | None) -> Estimate:
    if len(signs) < 2:
        return undefined(name, "one_system", n=len(signs))
    return Estimate(float(value), name, n=len(signs))


def _expected(truth: np.ndarray, estimate: np.ndarray) -> float:
    """The mean over all ways to break ties, of two matrices of order signs."""
    ahead, tied = (estimate < 0).sum(axis=1), (estimate == 0).sum(axis=1)
    excess = np.where(estimate < 0, -truth, 0).sum(axis=1, dtype=np.int64)
    later = np.flatnonzero(ahead)
    shares = [np.mean(excess[i] / np.arange(ahead[i], ahead[i] + tied[i])) for i in later]
    return sum(shares) / (len(truth) - 1)


def _corrected(truth: np.ndarray, estimate: np.ndarray) -> float:
    """One direction of tau_ap_b, of two matrices of order signs."""
    ahead = (estimate < 0).sum(axis=1)
    concordant = ((estimate < 0) & (truth < 0)).sum(axis=1)
    later = ahead > 0
    return (2 * concordant[later] / ahead[later] - 1).mean()
