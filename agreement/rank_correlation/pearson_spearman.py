"""Product-moment correlations of two lists of scores of the same systems: of the scores, and of their ranks.

    pearson   sum of (x - mean x)(y - mean y) / sqrt(sum of (x - mean x)^2 * sum of (y - mean y)^2)
    spearman  the same for the ranks; tied systems (closer than 1e-12) share the mean of their ranks

The range is -1 to 1; n is the number of systems. Both are undefined with fewer than two systems (reason "one_system"),
and if all systems are tied in one of the lists ("all_tied"). Spearman's correlation is computed on integers (twice the
ranks), so that it is exact up to the last rounding.

References
----------
K. Pearson (1896). Mathematical contributions to the theory of evolution III. Phil. Trans. R. Soc. A 187, 253-318.
C. Spearman (1904). The proof and measurement of association between two things. Am. J. Psychology 15(1), 72-101.
"""

from math import sqrt

import numpy as np

from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import Scores, both_orders


def spearman(x: Scores, y: Scores) -> Estimate:
    """Compute Spearman's rank correlation; tied systems share the mean of their ranks.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system"),
        and if all systems are tied in one of the lists ("all_tied").

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    References
    ----------
    C. Spearman (1904). The proof and measurement of association between two things. Am. J. Psychology 15(1), 72-101.

    Examples
    --------
    >>> from agreement.rank_correlation import spearman
    >>> spearman([0.9, 0.8, 0.7], [0.5, 0.6, 0.4]).value
    0.5
    """
    first, second = both_orders(x, y)
    # The sum of a system's signs, the number below it minus the number above, is twice its centred mean rank.
    ranks = [signs.sum(axis=1, dtype=np.int64) for signs in (first, second)]
    return _correlation("spearman", first, second, *ranks)


def pearson(x: Scores, y: Scores) -> Estimate:
    """Compute Pearson's correlation of two lists of scores.

    Parameters
    ----------
    x, y : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order.

    Returns
    -------
    Estimate
        Value from -1 to 1; `n` is the number of systems. Undefined with fewer than two systems (reason "one_system"),
        and if all systems are tied (closer than 1e-12) in one of the lists ("all_tied").

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    References
    ----------
    K. Pearson (1896). Mathematical contributions to the theory of evolution III. Phil. Trans. R. Soc. A 187, 253-318.

    Examples
    --------
    >>> from agreement.rank_correlation import pearson
    >>> round(pearson([1, 2, 3], [1, 2, 4]).value, 3)
    0.982
    """
    return _correlation("pearson", *both_orders(x, y), *(_centred(scores) for scores in (x, y)))


def _centred(scores: Scores) -> np.ndarray:
    """Return the differences from the mean, divided by the largest, so that no square overflows or underflows."""
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        return values
    differences = values - values.mean()
    return np.asarray(differences / (np.abs(differences).max() or 1.0))


def _correlation(name: str, first: np.ndarray, second: np.ndarray, x: np.ndarray, y: np.ndarray) -> Estimate:
    if len(first) < 2:
        return undefined(name, "one_system", n=len(first))
    if not (first.any() and second.any()):
        return undefined(name, "all_tied", n=len(first))
    value = (x @ y).item() / sqrt((x @ x).item() * (y @ y).item())
    return Estimate(min(1.0, max(-1.0, value)), name, n=len(first))
