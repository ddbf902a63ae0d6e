"""AP correlation: Kendall's tau with more weight on the top, with and without ties.

Arguments are scores, higher is better, in any order of systems. Take the systems in the order of the estimate. Of the
a_i systems ahead of system i, c_i are also ahead of it in the truth, and d_i are behind it. With n systems:

    tau_ap(truth, estimate)   1 / (n - 1) * sum of (c_i - d_i) / a_i over all i but the first     ties are refused
    tau_ap_sym(x, y)          mean of tau_ap(x, y) and tau_ap(y, x)                               ties are refused
    tau_ap_a(truth, estimate) mean of tau_ap over all ways to break the ties
    tau_ap_b(x, y)            symmetric, corrected for ties

A swap at the top costs more than one at the bottom. tau_ap and tau_ap_a depend on the order of the arguments. The range
is -1 to 1, as for tau; a random estimate has the expected value 0.

tau_ap_a: the t_i systems of a group of ties share the positions a_i + 1 to a_i + t_i, so that (c_i - d_i) / a_i becomes
the mean of (c_i - d_i) / (position - 1) over these positions. Within the group, the order is expected to be right as
often as wrong. The article has a truth without ties. Here the ties of the truth may also be broken either way, so that
a pair tied in the truth counts 0.

tau_ap_b: mean of both directions of the mean of 2 c_i / a_i - 1 over the systems that are not in the first group of the
second list (c_i: ahead in both lists). Without ties, tau_ap_b equals tau_ap_sym, and tau_ap_a equals tau_ap.

The coefficients are undefined with fewer than two systems (reason "one_system"); tau_ap_b also if one of the lists ties
all systems ("all_tied"). tau_ap_a is 0 in that case, because the reverse of every way to break the ties is as likely.

References
----------
E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for information retrieval.
SIGIR, 587-594.
J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.
"""

from collections.abc import Sequence

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import Scores, both_orders, refuse_ties

INSTEAD = "tau_ap_a or tau_ap_b"


def tau_ap(truth: Scores, estimate: Scores, names: Sequence[object] | None = None) -> Estimate:
    """Compute the AP correlation of an estimated ranking with the true one, both without ties.

    Parameters
    ----------
    truth, estimate : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better.
    names : sequence, shape (n_systems,), optional
        Names of the systems, for the error if two are tied.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        Two scores of one list are tied (closer than 1e-12), the lists differ in length, or a score is not finite.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for information retrieval.
    SIGIR, 587-594.

    Examples
    --------
    A swap of the first two systems costs more than a swap of the last two.

    >>> from agreement.rank_correlation import tau_ap
    >>> tau_ap([3, 2, 1], [2, 3, 1]).value, tau_ap([3, 2, 1], [3, 1, 2]).value
    (0.0, 0.5)
    """
    first, second = both_orders(truth, estimate)
    refuse_ties("tau_ap", truth, estimate, INSTEAD, names)
    return _mean_estimate("tau_ap", first, second)


def tau_ap_sym(x: Scores, y: Scores, names: Sequence[object] | None = None) -> Estimate:
    """Compute the symmetric AP correlation: the mean of `tau_ap` in both directions, without ties.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better.
    names : sequence, shape (n_systems,), optional
        Names of the systems, for the error if two are tied.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        Two scores of one list are tied (closer than 1e-12), the lists differ in length, or a score is not finite.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson (2008). A new rank correlation coefficient for information retrieval.
    SIGIR, 587-594.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_ap_sym
    >>> tau_ap_sym([3, 2, 1], [1, 3, 2]).value
    -0.25
    """
    first, second = both_orders(x, y)
    refuse_ties("tau_ap_sym", x, y, INSTEAD, names)
    if len(first) < 2:
        return undefined("tau_ap_sym", "one_system", n=len(first))
    value = (_mean_over_tie_breaks(first, second) + _mean_over_tie_breaks(second, first)) / 2
    return Estimate(value, "tau_ap_sym", n=len(first))


def tau_ap_a(truth: Scores, estimate: Scores) -> Estimate:
    """Compute tau_ap_a: the mean of the AP correlation over all ways to break the ties.

    Parameters
    ----------
    truth, estimate : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    References
    ----------
    J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_ap_a
    >>> tau_ap_a([3, 2, 1], [2, 2, 1]).value
    0.5
    """
    return _mean_estimate("tau_ap_a", *both_orders(truth, estimate))


def tau_ap_b(x: Scores, y: Scores) -> Estimate:
    """Compute tau_ap_b: the symmetric AP correlation of two rankings, corrected for ties.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system"),
        and if one of the lists ties all systems ("all_tied").

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    References
    ----------
    J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_ap_b
    >>> tau_ap_b([3, 2, 1], [2, 2, 1]).value
    0.5
    >>> tau_ap_b([3, 2, 1], [1, 1, 1]).reason
    'all_tied'
    """
    first, second = both_orders(x, y)
    if len(first) < 2:
        return undefined("tau_ap_b", "one_system", n=len(first))
    if not (first.any() and second.any()):
        return undefined("tau_ap_b", "all_tied", n=len(first))
    value = (_corrected_for_ties(first, second) + _corrected_for_ties(second, first)) / 2
    return Estimate(value, "tau_ap_b", n=len(first))


def _mean_estimate(name: str, truth: np.ndarray, estimate: np.ndarray) -> Estimate:
    if len(truth) < 2:
        return undefined(name, "one_system", n=len(truth))
    return Estimate(_mean_over_tie_breaks(truth, estimate), name, n=len(truth))


def _mean_over_tie_breaks(truth: np.ndarray, estimate: np.ndarray) -> float:
    """Return the mean over all ways to break ties, of two matrices of order signs."""
    ahead, tied = (estimate < 0).sum(axis=1), (estimate == 0).sum(axis=1)
    excess = np.where(estimate < 0, -truth, 0).sum(axis=1, dtype=np.int64)
    later = np.flatnonzero(ahead)
    shares = [float(np.mean(excess[i] / np.arange(ahead[i], ahead[i] + tied[i]))) for i in later]
    return sum(shares) / (len(truth) - 1)


def _corrected_for_ties(truth: np.ndarray, estimate: np.ndarray) -> float:
    """Return one direction of tau_ap_b, of two matrices of order signs."""
    ahead = (estimate < 0).sum(axis=1)
    concordant = ((estimate < 0) & (truth < 0)).sum(axis=1)
    later = ahead > 0
    return float((2 * concordant[later] / ahead[later] - 1).mean())
