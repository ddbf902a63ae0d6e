"""The goodness-of-fit interval of kappa for two judgements of each item and two grades (Donner and Eliasziw 1992).

The interval consists of all kappas that a chi-squared test with one degree of freedom does not reject. The model of the
test has one prevalence p, estimated from the data, and the probabilities p^2 + p (1 - p) kappa, 2 p (1 - p) (1 - kappa)
and (1 - p)^2 + p (1 - p) kappa for two, one and no relevant grade of an item. Its kappa is the binary intraclass kappa,
which is pooled kappa (Scott's pi) and Fleiss' kappa of two judgements. The interval is calibrated for rare grades, has
a width if all items agree, and never exceeds 1. Items count as independent: it ignores topics.

References
----------
A. Donner and M. Eliasziw (1992). A goodness-of-fit approach to inference procedures for the kappa statistic: confidence
interval construction, significance-testing and sample size estimation. Statistics in Medicine 11(11), 1511-1519.
"""

from statistics import NormalDist
from typing import Any

import numpy.typing as npt

METHOD = "goodness of fit (Donner and Eliasziw 1992)"
MARGIN = 1e-12  # at the lowest kappa, and at 1, a probability of the model is 0


def goodness_of_fit(table: npt.NDArray[Any], confidence: float) -> tuple[float, float]:
    """The limits of pooled kappa.

    Parameters
    ----------
    table : ndarray of int or float, shape (2, 2)
        How often the two judgements of an item have each pair of grades, with both grades in use.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    low, high : float
        Between the lowest kappa of this prevalence and 1.

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.intervals.score.goodness_of_fit import goodness_of_fit
    >>> low, high = goodness_of_fit(np.array([[89, 1], [2, 8]]), 0.95)  # pooled kappa is 0.8255
    >>> f"{low:.3f} to {high:.3f}"
    '0.555 to 0.940'
    """
    from scipy.optimize import brentq  # takes a moment to import, and most callers need no interval

    cells = [float(table[0, 0]), float(table[0, 1] + table[1, 0]), float(table[1, 1])]
    n = sum(cells)
    p = (cells[1] / 2 + cells[2]) / n
    kappa = 1 - cells[1] / (2 * n * p * (1 - p))
    critical = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    lowest = -min(p / (1 - p), (1 - p) / p)

    def excess(k: float) -> float:
        return _chi_squared(cells, n, p, k) - critical

    start, end = lowest + MARGIN, 1 - MARGIN
    low = lowest if excess(start) < 0 else brentq(excess, start, max(kappa, start))
    high = 1.0 if excess(end) < 0 else brentq(excess, min(kappa, end), end)
    return float(low), float(high)


def _chi_squared(cells: list[float], n: float, p: float, kappa: float) -> float:
    both = p * (1 - p)
    expected = [n * ((1 - p) ** 2 + both * kappa), 2 * n * both * (1 - kappa), n * (p**2 + both * kappa)]
    return sum((seen - model) ** 2 / model for seen, model in zip(cells, expected, strict=True) if model > 0)
