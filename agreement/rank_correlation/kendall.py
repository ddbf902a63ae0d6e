"""Kendall's tau of two rankings of the same systems, with and without ties.

Both arguments are scores, higher is better, in the same order of systems. A pair of systems is concordant if both lists
put the same system ahead, discordant if they put different systems ahead, and tied if its scores in a list are closer
than 1e-12. Of N = n (n - 1) / 2 pairs, C are concordant, D discordant, T_x tied in x and T_y tied in y:

    tau    (C - D) / N                                  ties are refused
    tau_a  (C - D) / N                                  a tied pair counts 0
    tau_b  (C - D) / sqrt((N - T_x) (N - T_y))          corrected for ties

The range is -1 to 1. `Estimate.n` is the number of systems. The coefficients are undefined with fewer than two systems
(reason "one_system"); tau_b also if one of the lists ties all systems ("all_tied").

References
----------
M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.
M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import Scores, both_orders, count_pairs, count_ties, refuse_ties


def tau(x: Scores, y: Scores, names: Sequence[object] | None = None) -> Estimate:
    """Compute Kendall's tau of two lists of scores without ties.

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
    M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.

    Examples
    --------
    One of three pairs of systems is swapped.

    >>> from agreement import tau
    >>> round(tau([0.9, 0.8, 0.7], [0.5, 0.6, 0.4]).value, 3)
    0.333
    """
    first, second = both_orders(x, y)
    refuse_ties("tau", x, y, "tau_a or tau_b", names)
    return _over_all_pairs("tau", first, second)


def tau_a(x: Scores, y: Scores) -> Estimate:
    """Compute Kendall's tau_a: a pair that is tied in either list counts 0.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
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
    M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.

    Examples
    --------
    Two of three pairs are concordant, and one is tied.

    >>> from agreement import tau_a
    >>> round(tau_a([0.9, 0.8, 0.7], [0.5, 0.5, 0.4]).value, 3)
    0.667
    """
    return _over_all_pairs("tau_a", *both_orders(x, y))


def tau_b(x: Scores, y: Scores) -> Estimate:
    """Compute Kendall's tau_b, which is corrected for ties and equals `tau` without ties.

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
    M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.

    Examples
    --------
    >>> from agreement import tau_b
    >>> round(tau_b([0.9, 0.8, 0.7], [0.5, 0.5, 0.4]).value, 3)
    0.816
    >>> tau_b([0.9, 0.8, 0.7], [0.5, 0.5, 0.5]).reason
    'all_tied'
    """
    first, second = both_orders(x, y)
    if len(first) < 2:
        return undefined("tau_b", "one_system", n=len(first))
    untied_x, untied_y = (count_pairs(signs) - count_ties(signs) for signs in (first, second))
    if not (untied_x and untied_y):
        return undefined("tau_b", "all_tied", n=len(first))
    return Estimate(_excess(first, second) / sqrt(untied_x * untied_y), "tau_b", n=len(first))


def _over_all_pairs(name: str, first: np.ndarray, second: np.ndarray) -> Estimate:
    if len(first) < 2:
        return undefined(name, "one_system", n=len(first))
    return Estimate(_excess(first, second) / count_pairs(first), name, n=len(first))


def _excess(first: np.ndarray, second: np.ndarray) -> int:
    """Return concordant minus discordant pairs."""
    # Every pair of systems stands twice in the matrix.
    return int((first * second).sum(dtype=np.int64)) // 2
