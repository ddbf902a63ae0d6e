"""The goodness-of-fit interval of pooled kappa for two judges and two grades (Donner and Eliasziw 1992).

The interval consists of all kappas that a chi-squared test with one degree of freedom does not reject. The model of the
test has one prevalence p, estimated from the data, and the probabilities p^2 + p (1 - p) kappa, 2 p (1 - p) (1 - kappa)
and (1 - p)^2 + p (1 - p) kappa for two, one and no relevant grade of an item. Its kappa is the binary intraclass kappa,
which is pooled kappa (Scott's pi). The interval is calibrated for rare grades, has a width if all items agree, and
never exceeds 1. Items count as independent: it ignores topics.

References
----------
A. Donner and M. Eliasziw (1992). A goodness-of-fit approach to inference procedures for the kappa statistic: confidence
interval construction, significance-testing and sample size estimation. Statistics in Medicine 11(11), 1511-1519.
"""

from statistics import NormalDist
from typing import Any

import numpy.typing as npt

NAME = "goodness of fit (Donner and Eliasziw 1992)"


def goodness_of_fit(table: npt.NDArray[Any], kappa: float, confidence: float) -> tuple[float, float]:
    """The limits of pooled kappa.

    Parameters
    ----------
    table : ndarray of int, shape (2, 2)
        Counts of two judges, with both grades in use.
    kappa : float
        The pooled kappa of the table.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    low, high : float
        Between the lowest kappa of this prevalence and 1.

    Examples
    --------
    >>> low, high = goodness_of_fit(np.array([[89, 1], [2, 8]]), 0.8243, 0.95)
    >>> f"{low:.3f} to {high:.3f}"
    '0.535 to 0.939'
    """
    from scipy.optimize import brentq  # takes a moment to import, and most callers need no interval

    cells = [int(table[0, 0]), int(table[0, 1] + table[1, 0]), int(table[1, 1])]
    n = sum(cells)
    p = (cells[1] / 2 + cells[2]) / n
    critical = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    lowest = -min(p / (1 - p), (1 - p) / p)

    def excess(k: float) -> float:
        return _chi_squared(cells, n, p, k) - critical

    near = 1e-12
    low = lowest if excess(lowest + near) < 0 else brentq(excess, lowest + near, max(kappa, lowest + near))
    high = 1.0 if excess(1 - near) < 0 else brentq(excess, min(kappa, 1 - near), 1 - near)
    return float(low), float(high)


def _chi_squared(cells: list[int], n: int, p: float, kappa: float) -> float:
    both = p * (1 - p)
    expected = [n * ((1 - p) ** 2 + both * kappa), 2 * n * both * (1 - kappa), n * (p**2 + both * kappa)]
    return sum((seen - model) ** 2 / model for seen, model in zip(cells, expected, strict=True) if model > 0)
