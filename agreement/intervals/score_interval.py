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
all others           Wilson: all judgements of each item agree. P(E) is that of the data: if P(A) is 1, a change of P(E)
                     does not change the coefficient. For alpha, P(E) is that of the nominal level
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

import numpy as np
import numpy.typing as npt

from agreement.estimate import ALPHA, Estimate

GOODNESS_OF_FIT = "goodness of fit (Donner and Eliasziw 1992)"
MARGIN = 1e-12  # at the lowest kappa, and at 1, a probability of the model is 0
HALVINGS = 60  # of an interval of at most 2, down to the precision of float64

Floats = npt.NDArray[np.float64]


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
    (low,), (high,) = goodness_of_fit_of(np.asarray(table, np.float64)[None], confidence)
    return float(low), float(high)


def goodness_of_fit_of(tables: npt.NDArray[Any], confidence: float) -> tuple[Floats, Floats]:
    """The limits of pooled kappa of many tables; without meaning where it is undefined.

    Shapes: `tables` (n_tables, 2, 2); the results (n_tables,).
    """
    cells = np.stack([tables[:, 0, 0], tables[:, 0, 1] + tables[:, 1, 0], tables[:, 1, 1]]).astype(np.float64)
    critical = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        n = cells.sum(axis=0)
        p = (cells[1] / 2 + cells[2]) / n
        kappa = 1 - cells[1] / (2 * n * p * (1 - p))
        lowest = -np.minimum(p / (1 - p), (1 - p) / p)

        def rejected(k: Floats) -> npt.NDArray[np.bool_]:
            return _chi_squared(cells, n, p, k) > critical

        # At the estimate, the model fits exactly, so it is not rejected there: it is an end of both searches.
        start, end = lowest + MARGIN, np.full_like(kappa, 1 - MARGIN)
        low = np.where(rejected(start), _first_accepted(rejected, start, np.maximum(kappa, start)), lowest)
        high = np.where(rejected(end), _first_accepted(rejected, end, np.minimum(kappa, end)), 1.0)
    return low, high


def _first_accepted(rejected: Callable[[Floats], npt.NDArray[np.bool_]], out: Floats, inside: Floats) -> Floats:
    """The kappas between a rejected and an accepted one at which the test begins to accept, by bisection."""
    for _ in range(HALVINGS):
        middle = (out + inside) / 2
        beyond = rejected(middle)
        out, inside = np.where(beyond, middle, out), np.where(beyond, inside, middle)
    return inside


def _chi_squared(cells: Floats, n: Floats, p: Floats, kappa: Floats) -> Floats:
    both = p * (1 - p)
    expected = n * np.stack([(1 - p) ** 2 + both * kappa, 2 * both * (1 - kappa), p**2 + both * kappa])
    terms = np.divide((cells - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    return np.asarray(terms.sum(axis=0))


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
    (low,), (high,) = wilson_of(np.array([share], np.float64), np.array([n], np.float64), confidence)
    return float(low), float(high)


def wilson_of(shares: Floats, n: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The limits of many shares, each of n from 1; all arrays have the shape (n_shares,)."""
    squared = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = (shares + squared / (2 * n)) / (1 + squared / n)
    reach = (squared * (shares * (1 - shares) / n + squared / (4 * n * n))) ** 0.5 / (1 + squared / n)
    # at shares of 0 and 1 the limit is the share, which rounding could miss
    low = np.where(shares == 0, 0.0, np.maximum(middle - reach, 0.0))
    return low, np.where(shares == 1, 1.0, np.minimum(middle + reach, 1.0))


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


def score_interval(
    estimate: Estimate, table: Table | None, weighted: bool = False, chance: float | None = None
) -> ScoreInterval | None:
    """The score-type interval of an estimate; None if there is none for the coefficient of these data.

    `chance` is the agreement by chance of a full agreement, if it is not P(E).

    Shapes: `table` (n_grades, n_grades).
    """
    if not estimate.defined:
        return None
    all_agree = estimate.observed == (0 if estimate.coefficient == ALPHA else 1)
    of_pairs = estimate.coefficient in OF_PAIRS or (estimate.coefficient in IF_ALL_AGREE and all_agree)
    if table is not None and len(table) == 2 and not weighted and of_pairs:
        return _of_pairs(table, estimate)
    simple = table is not None and not weighted and estimate.coefficient in OF_SHARES[:2]
    if not (simple or all_agree):
        return None
    expected = (estimate.expected or 0.0) if chance is None else chance
    return share_interval(1.0 if all_agree else estimate.observed or 0.0, expected, estimate.n or 1)


def _of_pairs(table: Table, estimate: Estimate) -> ScoreInterval:
    shrink = 1 - 1 / (2 * float(table.sum())) if estimate.coefficient == ALPHA else 1.0

    def limits(confidence: float) -> tuple[float, float]:
        low, high = goodness_of_fit(table, confidence)
        return 1 - shrink * (1 - low), 1 - shrink * (1 - high)

    return ScoreInterval("goodness_of_fit", GOODNESS_OF_FIT, limits)


def share_interval(observed: float, expected: float, n: int) -> ScoreInterval:
    """Wilson's interval of P(A), corrected for a fixed agreement by chance."""

    def limits(confidence: float) -> tuple[float, float]:
        low, high = wilson(observed, n, confidence)
        return (low - expected) / (1 - expected), (high - expected) / (1 - expected)

    return ScoreInterval("wilson", WILSON, limits)
