"""Wilcoxon's signed rank test: are the differences symmetric about zero?

Differences of zero are left out. The others are ranked by absolute size, 1 for the smallest; tied sizes share the mean
of their ranks. W+ is the sum of the ranks of the positive differences, W- that of the negative ones. Under the null
hypothesis every rank is positive or negative with probability 1/2. The two-sided p is
min(1, 2 min(P(W <= W+), P(W >= W+))), for each pair of systems:

- exact with up to 50 topics without ties or zeros, and with up to 13 topics in any case;
- otherwise by the normal approximation without continuity correction, with mean n (n + 1) / 4 and variance
  n (n + 1) (2n + 1) / 24 minus (t^3 - t) / 48 for every t tied sizes, where n is the number of nonzero differences.

These limits are those of `scipy.stats.wilcoxon` with method="auto" for one pair. scipy's function is not used because
it chooses the method for the whole array, so that the p of a pair would depend on the other pairs. p is undefined if
all differences are zero.

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
    """Run Wilcoxon's signed rank test for every pair."""
    ranks = _Ranks.from_differences(pairs.differences)
    nonzero = ranks.n > 0
    p = np.where(nonzero, _p_values(ranks, pairs.n_topics), np.nan)
    total = ranks.n * (ranks.n + 1) / 2
    effect = np.divide(2 * ranks.plus - total, total, out=pairs.unknown(), where=nonzero)
    limits = pairs.t_interval(request.alpha)
    name = "matched-pairs rank-biserial correlation"
    exact = pairs.n_topics <= EXACT_TIED or bool(_is_untied(ranks, pairs.n_topics).all())
    return Tested(p, effect, *limits, effect_size=name, interval=T_INTERVAL, exact=exact)


@dataclass(frozen=True, eq=False)
class _Ranks:
    """Signed ranks of every pair.

    Attributes
    ----------
    ranks : ndarray of float, shape (n_pairs, n_topics)
        Ranks in ascending order; 0 for a difference of zero.
    n : ndarray of int, shape (n_pairs,)
        Number of nonzero differences.
    plus : ndarray of float, shape (n_pairs,)
        W+.
    ties : ndarray of int, shape (n_pairs,)
        Sum of t^3 - t over groups of t tied sizes.
    """

    ranks: np.ndarray
    n: np.ndarray
    plus: np.ndarray
    ties: np.ndarray

    @classmethod
    def from_differences(cls, differences: np.ndarray) -> "_Ranks":
        """Rank the absolute differences of every pair, shape (n_pairs, n_topics)."""
        order = np.argsort(np.abs(differences), axis=1, kind="stable")
        ascending = np.take_along_axis(differences, order, axis=1)
        n = np.count_nonzero(differences, axis=1)
        shared, size = _shared_ranks(np.abs(ascending))
        counts = ascending != 0
        zeros = (differences.shape[1] - n)[:, None]
        ranks = np.where(counts, shared - zeros, 0)
        return cls(ranks, n, (ranks * (ascending > 0)).sum(axis=1), ((size**2 - 1) * counts).sum(axis=1))


def _shared_ranks(ascending: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranks along each row, means for tied values, and the number of values tied with each."""
    n = ascending.shape[1]
    position = np.arange(n)
    apart = np.diff(ascending, axis=1) >= TIE
    edge = np.ones((len(ascending), 1), dtype=bool)
    begin = np.maximum.accumulate(np.where(np.hstack([edge, apart]), position, 0), axis=1)
    end = np.where(np.hstack([apart, edge]), position, n - 1)
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
    """Return which pairs have neither ties nor zeros, and few enough topics for the exact distribution."""
    untied: np.ndarray = (ranks.n == n_topics) & (ranks.ties == 0) & (n_topics <= EXACT_UNTIED)
    return untied


def _approximated(ranks: _Ranks) -> np.ndarray:
    from scipy.special import ndtr  # takes a second to import, and most callers do not test

    n = ranks.n
    variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48
    excess = np.abs(ranks.plus - n * (n + 1) / 4)
    p: np.ndarray = 2 * ndtr(-np.divide(excess, np.sqrt(variance), out=np.zeros(len(n)), where=n > 0))
    return p


def _exact(ranks: np.ndarray, plus: np.ndarray) -> np.ndarray:
    """Return the exact two-sided p of every W+; `ranks` has one row for each, or one row for all."""
    # Twice the ranks are whole numbers, also where tied sizes share the mean of their ranks.
    doubled, observed = np.rint(2 * ranks).astype(np.int64), np.rint(2 * plus).astype(np.int64)
    cumulative = np.cumsum(_ways(doubled), axis=1) / 2 ** doubled.shape[1]
    cumulative, row = np.broadcast_to(cumulative, (len(plus), cumulative.shape[1])), np.arange(len(plus))
    lower = cumulative[row, observed]
    upper = 1 - np.where(observed > 0, cumulative[row, observed - 1], 0)
    return np.asarray(np.minimum(1, 2 * np.minimum(lower, upper)))


def _ways(doubled: np.ndarray) -> np.ndarray:
    """Count the settings of the signs with which the positive ranks of a row sum to 0, 1, 2, ..."""
    highest = int(doubled.sum(axis=1).max(initial=0))
    ways = np.zeros((len(doubled), highest + 1))
    ways[:, 0] = 1
    for rank in doubled.T:
        origin = np.arange(highest + 1) - rank[:, None]
        ways = ways + np.where(origin >= 0, np.take_along_axis(ways, np.maximum(origin, 0), axis=1), 0)
    return ways
