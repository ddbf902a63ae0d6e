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
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from agreement.estimate import ALPHA, Estimate
from agreement.intervals.score import goodness_of_fit, wilson

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

    Parameters
    ----------
    estimate : Estimate
        The estimate without interval.
    table : ndarray, shape (n_grades, n_grades), or None
        How often the two judgements of an item have each pair of grades; None unless each item has two judgements.
    weighted : bool
        Whether different grades agree in part.

    Returns
    -------
    ScoreInterval or None
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
        low, high = goodness_of_fit.goodness_of_fit(table, confidence)
        return 1 - shrink * (1 - low), 1 - shrink * (1 - high)

    return ScoreInterval("goodness_of_fit", goodness_of_fit.METHOD, limits)


def _of_share(estimate: Estimate) -> ScoreInterval:
    observed, expected, n = estimate.observed or 0.0, estimate.expected or 0.0, estimate.n or 1

    def limits(confidence: float) -> tuple[float, float]:
        low, high = wilson.wilson(observed, n, confidence)
        return (low - expected) / (1 - expected), (high - expected) / (1 - expected)

    return ScoreInterval("wilson", wilson.METHOD, limits)
