"""How much two rankings of the same systems agree: Kendall's tau, and what it does with ties.

Both arguments are scores, higher is better, in the same order of systems. A pair of systems is concordant
where both score lists put the same one ahead, discordant where they differ, tied where a list has them closer
than 1e-12. Of N = n (n - 1) / 2 pairs, C are concordant, D discordant, T_x tied in x and T_y in y:

    tau    (C - D) / N                                  no ties: one is an error
    tau_a  (C - D) / N                                  a tied pair counts 0
    tau_b  (C - D) / sqrt((N - T_x) (N - T_y))          ties taken out

Range -1 to 1. The result is an `Estimate` whose `n` is the number of systems. With fewer than two systems it
is undefined, reason `one_system`; tau_b also where one of the lists ties all systems, reason `all_tied`.

References
----------
M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.
M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import both_orders, count_pairs, count_ties, refuse_ties


def tau(x: Sequence[float], y: Sequence[float], names: Sequence | None = None) -> Estimate:
    """Kendall's tau of two lists of scores without ties.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
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
    first, second = both_orders(x, y)
    refuse_ties("tau", x, y, "tau_a or tau_b", names)
    return _over_all_pairs("tau", first, second)


def tau_a(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Kendall's tau where a pair that is tied in either list counts 0; arguments and result as for `tau`."""
    return _over_all_pairs("tau_a", *both_orders(x, y))


def tau_b(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Kendall's tau corrected for ties (Kendall 1945), the same as `tau` where there are none."""
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
    return int((first * second).sum(dtype=np.int64)) // 2
