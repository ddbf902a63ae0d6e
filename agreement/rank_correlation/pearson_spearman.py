"""Product-moment correlations of two lists of scores of the same systems: of the scores, and of their ranks.

    pearson   sum of (x - mean x)(y - mean y) / sqrt(sum of (x - mean x)^2 * sum of (y - mean y)^2)
    spearman  the same of the ranks; systems tied (closer than 1e-12) share the mean of their ranks

Range -1 to 1; n is the number of systems. Undefined with fewer than two systems, reason `one_system`, and where
all systems are tied in one of the lists, reason `all_tied`. Spearman's is computed on whole numbers (twice the
ranks), so that it is exact to the last rounding.

References
----------
K. Pearson (1896). Mathematical contributions to the theory of evolution III. Phil. Trans. R. Soc. A 187, 253-318.
C. Spearman (1904). The proof and measurement of association between two things. Am. J. Psychology 15(1), 72-101.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import both_orders


def spearman(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Spearman's rank correlation, ties at their mean rank.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better.

    Returns
    -------
    Estimate
        Range -1 to 1.

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.
    """
    first, second = both_orders(x, y)
    # The signs of a system sum to those below it less those above: twice its mean rank, centred, from the bottom.
    ranks = [signs.sum(axis=1, dtype=np.int64) for signs in (first, second)]
    return _correlation("spearman", first, second, *ranks)


def pearson(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Pearson's correlation of the scores themselves; arguments and result as for `spearman`."""
    return _correlation("pearson", *both_orders(x, y), *(_centred(scores) for scores in (x, y)))


def _centred(scores: Sequence[float]) -> np.ndarray:
    """Differences from the mean, in units of the greatest, so that no square overflows or vanishes."""
    scores = np.asarray(scores, dtype=np.float64)
    if not len(scores):
        return scores
    differences = scores - scores.mean()
    return differences / (np.abs(differences).max() or 1.0)


def _correlation(name: str, first: np.ndarray, second: np.ndarray, x: np.ndarray, y: np.ndarray) -> Estimate:
    if len(first) < 2:
        return undefined(name, "one_system", n=len(first))
    if not (first.any() and second.any()):
        return undefined(name, "all_tied", n=len(first))
    value = (x @ y).item() / sqrt((x @ x).item() * (y @ y).item())
    return Estimate(min(1.0, max(-1.0, value)), name, n=len(first))
