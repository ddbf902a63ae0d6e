"""Wilcoxon's signed rank test: are the differences symmetric about zero?

Differences of zero are left out. The others are ranked by size, 1 for the smallest; tied sizes share the mean of
their ranks. W+ is the sum of the ranks of the positive ones, W- of the negative ones. Under the null hypothesis every
rank is positive or negative with probability 1/2 each; two-sided p = min(1, 2 min(P(W <= W+), P(W >= W+))):

- exact with up to 50 topics without ties or zeros, and with up to 13 topics in any case;
- else by the normal approximation without continuity correction, mean n (n + 1) / 4 and variance
  n (n + 1) (2n + 1) / 24 less (t^3 - t) / 48 for every t tied sizes, n being the number of differences left.

Where the line is drawn is scipy's (`scipy.stats.wilcoxon`, method="auto"). Undefined where all differences are zero.

Effect size: the matched-pairs rank-biserial correlation (W+ - W-) / (W+ + W-), -1 to 1 (Kerby 2014). The interval is
Student's of the mean difference, which the test itself says nothing about.

References
----------
F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 80-83.
D. S. Kerby (2014). The simple difference formula. Comprehensive Psychology 3, article 1.
"""

from dataclasses import dataclass

import numpy as np

from agreement.rank_correlation import TIE
from agreement.significance.pairs import T_INTERVAL, Pairs, Request, Tested

EXACT_UNTIED, EXACT_TIED = 50, 13


def wilcoxon_test(pairs: Pairs, request: Request) -> Tested:
    """Wilcoxon's signed rank test of every pair."""
    ranks = _Ranks.of(pairs.differences)
    some = ranks.n > 0
    p = np.where(some, _p_values(ranks, pairs.n_topics), np.nan)
    total = ranks.n * (ranks.n + 1) / 2
    effect = np.divide(2 * ranks.plus - total, total, out=pairs.unknown(), where=some)
    limits = pairs.t_interval(request.alpha)
    name = "matched-pairs rank-biserial correlation"
    exact = pairs.n_topics <= EXACT_TIED or bool(_is_untied(ranks, pairs.n_topics).all())
    return Tested(p, effect, *limits, effect_size=name, interval=T_INTERVAL, exact=exact)


@dataclass(frozen=True, eq=False)
class _Ranks:
    """Signed ranks of every pair.

    ranks (n_pairs, n_topics) ascend, 0 for a difference of zero; n (n_pairs,) counts the others; plus (n_pairs,) is
    W+; ties (n_pairs,) is the sum of t^3 - t.
    """

    ranks: np.ndarray
    n: np.ndarray
    plus: np.ndarray
    ties: np.ndarray

    @classmethod
    def of(cls, differences: np.ndarray) -> "_Ranks":
        order = np.argsort(np.abs(differences), axis=1, kind="stable")
        ascending = np.take_along_axis(differences, order, axis=1)
        n = np.count_nonzero(differences, axis=1)
        shared, size = _shared_ranks(np.abs(ascending))
        counts = ascending != 0
        zeros = (differences.shape[1] - n)[:, None]
        ranks = np.where(counts, shared - zeros, 0)
        return cls(ranks, n, (ranks * (ascending > 0)).sum(axis=1), ((size**2 - 1) * counts).sum(axis=1))


def _shared_ranks(ascending: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranks along each row, the mean where values are tied, and how many are tied with each value."""
    n = ascending.shape[1]
    place = np.arange(n)
    apart = np.diff(ascending, axis=1) >= TIE
    edge = np.ones((len(ascending), 1), dtype=bool)
    begin = np.maximum.accumulate(np.where(np.hstack([edge, apart]), place, 0), axis=1)
    end = np.where(np.hstack([apart, edge]), place, n - 1)
    end = np.minimum.accumulate(end[:, ::-1], axis=1)[:, ::-1]
    return 1 + (begin + end) / 2, end - begin + 1


def _p_values(ranks: _Ranks, n_topics: int) -> np.ndarray:
    p = _approximated(ranks)
    untied = _is_untied(ranks, n_topics)
    if untied.any():
        p[untied] = _exact(np.arange(1, n_topics + 1)[None, :], ranks.plus[untied])
    if n_topics <= EXACT_TIED:
        p[~untied] = _exact(ranks.ranks[~untied], ranks.plus[~untied])
    return p


def _is_untied(ranks: _Ranks, n_topics: int) -> np.ndarray:
    """Which pairs have no ties and zeros, and few enough topics for the exact distribution."""
    return (ranks.n == n_topics) & (ranks.ties == 0) & (n_topics <= EXACT_UNTIED)


def _approximated(ranks: _Ranks) -> np.ndarray:
    from scipy.special import ndtr  # scipy costs a second, for those who test

    n = ranks.n
    variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48
    excess = np.abs(ranks.plus - n * (n + 1) / 4)
    return 2 * ndtr(-np.divide(excess, np.sqrt(variance), out=np.zeros(len(n)), where=n > 0))


def _exact(ranks: np.ndarray, plus: np.ndarray) -> np.ndarray:
    """Two-sided p of every W+; `ranks` has a row for each of them, or one row for all."""

    doubled, observed = np.rint(2 * ranks).astype(np.int64), np.rint(2 * plus).astype(np.int64)
    upto = np.cumsum(_ways(doubled), axis=1) / 2 ** doubled.shape[1]
    upto, row = np.broadcast_to(upto, (len(plus), upto.shape[1])), np.arange(len(plus))
    lower = upto[row, observed]
    upper = 1 - np.where(observed > 0, upto[row, observed - 1], 0)
    return np.minimum(1, 2 * np.minimum(lower, upper))


def _ways(doubled: np.ndarray) -> np.ndarray:
    """In how many ways signs can be set so that the positive ones of a row sum to 0, 1, 2, ..."""
    highest = int(doubled.sum(axis=1).max(initial=0))
    ways = np.zeros((len(doubled), highest + 1))
    ways[:, 0] = 1
    for rank in doubled.T:
        origin = np.arange(highest + 1) - rank[:, None]
        ways = ways + np.where(origin >= 0, np.take_along_axis(ways, np.maximum(origin, 0), axis=1), 0)
    return ways
