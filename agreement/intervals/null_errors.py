"""Standard errors of kappa if the judges agreed by chance only: for a test of that, never for an interval.

References
----------
J. L. Fleiss, J. Cohen and B. S. Everitt (1969). Large sample standard errors of kappa and weighted kappa.
Psychological Bulletin 72(5), 323-327.
J. L. Fleiss, J. C. M. Nee and J. R. Landis (1979). Large sample variance of kappa in the case of different sets of
raters. Psychological Bulletin 86(5), 974-977.
"""

import numpy as np

from agreement.coefficients.tally import Tally
from agreement.weights import Weights


def cohen_null(table: np.ndarray, weights: Weights) -> float | None:
    """Standard error of Cohen's kappa, weighted or not, under independence (Fleiss, Cohen and Everitt 1969).

    Parameters
    ----------
    table : ndarray of int, shape (n_grades, n_grades)
        Not all zeros.
    weights : Weights

    Returns
    -------
    float or None
        None where P(E) = 1.
    """
    cells, w = table.astype(float), weights.floats()
    n = cells.sum()
    p, q = cells.sum(axis=1) / n, cells.sum(axis=0) / n
    expected = p @ w @ q
    apart = w - (w @ q)[:, None] - p @ w
    variance = p @ apart**2 @ q - expected**2
    return float(max(variance, 0) ** 0.5 / ((1 - expected) * n**0.5)) if expected < 1 else None


def fleiss_null(n: int, size: int, shares: np.ndarray) -> float | None:
    """Standard error of Fleiss' kappa without weights where each item has as many judgements (Fleiss et al. 1979).

    Parameters
    ----------
    n : int
        Number of items.
    size : int
        Number of judgements of each, 2 or more. With 2 it is that of pooled kappa.
    shares : ndarray of float, shape (n_grades,)
        Share of each grade in all judgements.

    Returns
    -------
    float or None
        None where there is only one grade.
    """
    spread = shares * (1 - shares)
    whole = spread.sum()
    if not whole:
        return None
    variance = 2 * (whole**2 - (spread * (1 - 2 * shares)).sum()) / (n * size * (size - 1))
    return float(max(variance, 0) ** 0.5 / whole)


def fleiss_null_of(counted: Tally, weights: Weights) -> float | None:
    """As `fleiss_null`, of a tally; None where weights or different numbers of judgements forbid it."""
    if len(counted.sizes) != 1 or weights.name != "identity":
        return None
    given = counted.marginals[0].astype(float)
    return fleiss_null(counted.n, counted.sizes[0], given / given.sum())
