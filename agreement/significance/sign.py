"""The sign test: does one system win as many topics as the other?

Tied topics are left out. Of the n remaining topics the first system wins k. The two-sided p is exact, from the binomial
distribution with probability 1/2: min(1, 2 P(X <= min(k, n - k))). It is undefined if all topics are tied.

Effect size: the share of the topics won, k / n, 0 to 1. The interval is Student's t interval of
the mean difference, which does not depend on this test.

Reference: W. J. Conover (1999). Practical nonparametric statistics, 3rd ed., section 3.4.
"""

import numpy as np

from agreement.significance.pairs import T_INTERVAL, Pairs, Request, Tested


def sign_test(pairs: Pairs, request: Request) -> Tested:
    """Run the sign test for every pair.

    Parameters
    ----------
    pairs : Pairs
        All pairs of systems with their differences.
    request : Request
        Level of significance, seed and number of draws.

    Returns
    -------
    Tested
        The effect size is the share of untied topics won; p is undefined if all topics are tied.
    """
    from scipy.special import bdtr  # takes a second to import, and most callers do not test

    won, lost = (pairs.differences > 0).sum(axis=1), (pairs.differences < 0).sum(axis=1)
    n = won + lost
    p = np.where(n > 0, np.minimum(1, 2 * bdtr(np.minimum(won, lost), n, 0.5)), np.nan)
    share = np.divide(won, n, out=pairs.unknown(), where=n > 0)
    limits = pairs.t_interval(request.alpha)
    return Tested(p, share, *limits, effect_size="share of untied topics won", interval=T_INTERVAL, exact=True)
