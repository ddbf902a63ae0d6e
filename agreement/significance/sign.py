"""The sign test: does one system win as many topics as the other?

Topics where the two are tied are left out. Of the n that are left the first system wins k; two-sided p from the
binomial distribution with 1/2, exact: min(1, 2 P(X <= min(k, n - k))). Undefined where all topics are tied.

Effect size: the share of the topics won, k / n, 0 to 1. The interval is Student's of the mean difference, which the
test itself says nothing about.

Reference: W. J. Conover (1999). Practical nonparametric statistics, 3rd ed., section 3.4.
"""

import numpy as np

from agreement.significance.pairs import T_INTERVAL, Pairs, Request, Tested


def sign_test(pairs: Pairs, request: Request) -> Tested:
    """The sign test of every pair."""
    from scipy.special import bdtr  # scipy costs a second, for those who test

    won, lost = (pairs.differences > 0).sum(axis=1), (pairs.differences < 0).sum(axis=1)
    n = won + lost
    p = np.where(n > 0, np.minimum(1, 2 * bdtr(np.minimum(won, lost), n, 0.5)), np.nan)
    share = np.divide(won, n, out=pairs.unknown(), where=n > 0)
    limits = pairs.t_interval(request.alpha)
    return Tested(p, share, *limits, effect_size="share of untied topics won", interval=T_INTERVAL, exact=True)
