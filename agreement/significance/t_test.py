"""Student's paired t test: are the mean scores of two systems the same?

t = mean(d) / (s / sqrt(n)), with s the standard deviation of the n differences; two-sided p from Student's
distribution with n - 1 degrees of freedom. It is undefined with fewer than two topics, and if the difference is the
same on every topic (0 or not). Effect size d_z = mean(d) / s; interval mean(d) -+ t(1 - alpha/2) s / sqrt(n).

References
----------
Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd ed., section 2.3 (d_z).
"""

import numpy as np

from agreement.significance.pairs import D_Z, T_INTERVAL, Pairs, Request, Tested


def t_test(pairs: Pairs, request: Request) -> Tested:
    """Run Student's paired t test for every pair.

    Parameters
    ----------
    pairs : Pairs
        All pairs of systems with their differences.
    request : Request
        Level of significance, seed and number of draws.

    Returns
    -------
    Tested
        The effect size is d_z; p is undefined with fewer than two topics or without variance.
    """
    from scipy.special import stdtr  # takes a second to import, and most callers do not test

    effect = pairs.standardised()
    p = 2 * stdtr(pairs.n_topics - 1, -np.abs(effect) * pairs.n_topics**0.5)
    return Tested(p, effect, *pairs.t_interval(request.alpha), effect_size=D_Z, interval=T_INTERVAL)
