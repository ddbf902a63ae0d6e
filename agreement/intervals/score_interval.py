"""Which coefficients have a score-type interval, which has a width if all items agree and never exceeds 1.

==================== ==================================================================================================
coefficient          interval, and the data for which it holds
==================== ==================================================================================================
`pooled_kappa`       goodness of fit: two grades
`fleiss_kappa`       goodness of fit: two grades, two judgements of each item
`krippendorff_alpha` goodness of fit: the same; alpha = 1 - (1 - 1 / N) (1 - pooled kappa) for N judgements
`cohen_kappa`        goodness of fit: two grades, two judges who agree on all items. The kappas are then equal, and in
                     every population Cohen's kappa is at least pooled kappa, so that the lower limit holds
`conger_kappa`       goodness of fit: the same
`percent_agreement`  Wilson: two judgements of each item without weights, or all judgements of each item agree
`brennan_prediger`   Wilson: the same; P(E) is fixed, so kappa is a linear function of P(A)
`gwet_ac`            Wilson: all judgements of each item agree. P(E) is that of the data: if P(A) is 1, a change of P(E)
                     does not change the coefficient
==================== ==================================================================================================

If more than two judgements of each item agree, Wilson's interval is that of the share of the items whose judgements all
agree. P(A) is at least this share, so that the lower limit holds.

The goodness-of-fit interval is for kappa of two judgements of each item and two grades (Donner and Eliasziw 1992). It
consists of all kappas that a chi-squared test with one degree of freedom does not reject. The model of the
test has one prevalence p, estimated from the data, and the probabilities p^2 + p (1 - p) kappa, 2 p (1 - p) (1 - kappa)
and (1 - p)^2 + p (1 - p) kappa for two, one and no relevant grade of an item. Its kappa is the binary intraclass kappa,
which is pooled kappa (Scott's pi) and Fleiss' kappa of two judgements. The interval is calibrated for rare grades, has
a width if all items agree, and never exceeds 1. Items count as independent: it ignores topics.

Wilson's interval consists of all shares that a normal test with the variance of that share does not reject. It is
calibrated near 0 and 1, has a width if the share is 0 or 1, and stays between 0 and 1.

References
----------
A. Donner and M. Eliasziw (1992). A goodness-of-fit approach to inference procedures for the kappa statistic: confidence
interval construction, significance-testing and sample size estimation. Statistics in Medicine 11(11), 1511-1519.
E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
Statistical Association 22(158), 209-212.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy.typing as npt

from agreement.estimate import ALPHA, Estimate

GOODNESS_OF_FIT = "goodness of fit (Donner and Eliasziw 1992)"
MARGIN = 1e-12  # at the lowest kappa, and at 1, a probability of the model is 0


def goodness_of_fit(table: npt.NDArray[Any], confidence: float) -> tuple[float, float]:
    """The limits of pooled kappa.

    Shapes: `table` (2, 2).

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.intervals.score_interval import goodness_of_fit
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

    # At the estimate, the model fits exactly, so excess is negative there: it is an end of both searches.
    start, end = lowest + MARGIN, 1 - MARGIN
    low = lowest if excess(start) < 0 else brentq(excess, start, max(kappa, start))
    high = 1.0 if excess(end) < 0 else brentq(excess, min(kappa, end), end)
    return float(low), float(high)


def _chi_squared(cells: list[float], n: float, p: float, kappa: float) -> float:
    both = p * (1 - p)
    expected = [n * ((1 - p) ** 2 + both * kappa), 2 * n * both * (1 - kappa), n * (p**2 + both * kappa)]
    return sum((seen - model) ** 2 / model for seen, model in zip(cells, expected, strict=True) if model > 0)


WILSON = "Wilson's score interval of P(A)"


def wilson(share: float, n: int, confidence: float) -> tuple[float, float]:
    """The limits of a share.

    Examples
    --------
    >>> from agreement.intervals.score_interval import wilson
    >>> low, high = wilson(0.99, 100, 0.95)
    >>> f"{low:.3f} to {high:.3f}"
    '0.946 to 0.998'
    """
    squared = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = (share + squared / (2 * n)) / (1 + squared / n)
    reach = (squared * (share * (1 - share) / n + squared / (4 * n * n))) ** 0.5 / (1 + squared / n)
    # at shares of 0 and 1 the limit is the share, which rounding could miss
    return (0.0 if share == 0 else max(middle - reach, 0.0)), (1.0 if share == 1 else min(middle + reach, 1.0))


OF_PAIRS = ("pooled_kappa", "fleiss_kappa", ALPHA)
IF_ALL_AGREE = ("cohen_kappa", "conger_kappa")
OF_SHARES = ("percent_agreement", "brennan_prediger", "gwet_ac")
Table = npt.NDArray[Any]


@dataclass(frozen=True)
class ScoreInterval:
    """A score-type interval.

    Attributes
    ----------
    kind : {"goodness_of_fit", "wilson"}
        Its name as an option.
    method : str
        Its name in a result.
    limits : callable
        `limits(confidence)` returns the limits.
    """

    kind: str
    method: str
    limits: Callable[[float], tuple[float, float]]


def score_interval(estimate: Estimate, table: Table | None, weighted: bool = False) -> ScoreInterval | None:
    """The score-type interval of an estimate; None if there is none for the coefficient of these data.

    Shapes: `table` (n_grades, n_grades).
    """
    if not estimate.defined:
        return None
    all_agree = estimate.observed == (0 if estimate.coefficient == ALPHA else 1)
    if estimate.coefficient in OF_SHARES:
        simple = table is not None and not weighted and estimate.coefficient != "gwet_ac"
        return _of_share(estimate) if simple or all_agree else None
    if table is None or len(table) != 2 or weighted:
        return None
    holds = estimate.coefficient in OF_PAIRS or (estimate.coefficient in IF_ALL_AGREE and all_agree)
    return _of_pairs(table, estimate) if holds else None


def _of_pairs(table: Table, estimate: Estimate) -> ScoreInterval:
    shrink = 1 - 1 / (2 * float(table.sum())) if estimate.coefficient == ALPHA else 1.0

    def limits(confidence: float) -> tuple[float, float]:
        low, high = goodness_of_fit(table, confidence)
        return 1 - shrink * (1 - low), 1 - shrink * (1 - high)

    return ScoreInterval("goodness_of_fit", GOODNESS_OF_FIT, limits)


def _of_share(estimate: Estimate) -> ScoreInterval:
    observed, expected, n = estimate.observed or 0.0, estimate.expected or 0.0, estimate.n or 1

    def limits(confidence: float) -> tuple[float, float]:
        low, high = wilson(observed, n, confidence)
        return (low - expected) / (1 - expected), (high - expected) / (1 - expected)

    return ScoreInterval("wilson", WILSON, limits)
