"""Benchmarks of agreement: the probability that the true value lies in each band, and Gwet's cumulative rule.

A coefficient of 0.82 with a wide interval is not "almost perfect" with certainty. The standard error gives each band
(l, u] the probability

    P(l, u) = (Phi((value - l) / se) - Phi((value - u) / se)) / (Phi((value + 1) / se) - Phi((value - 1) / se))

where Phi is the normal distribution function and the denominator keeps the true value between -1 and 1. The
probabilities are summed from the highest band down. The benchmark is the first band at which the sum reaches the level,
0.95: with this probability the true value lies in this band or above.

=========== ==================================================================================================
scale       bands, lowest first
=========== ==================================================================================================
landis_koch poor below 0, slight to 0.2, fair to 0.4, moderate to 0.6, substantial to 0.8, almost perfect to 1
fleiss      poor below 0.4, fair to good to 0.75, excellent to 1
altman      poor below 0.2, fair to 0.4, moderate to 0.6, good to 0.8, very good to 1
=========== ==================================================================================================

References
----------
K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 6. Advanced Analytics: the rule.
J. R. Landis and G. G. Koch (1977). The measurement of observer agreement for categorical data. Biometrics 33(1),
159-174.
J. L. Fleiss (1981). Statistical Methods for Rates and Proportions, 2nd edition. Wiley.
D. G. Altman (1991). Practical Statistics for Medical Research. Chapman and Hall.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import level as checked_level
from agreement.estimate import Estimate, format_value
from agreement.reasons import REASONS
from pooling.result import Result
from pooling.words import percent

# The bands of each scale: the upper limit and the name, lowest first. The lowest band starts at -1.
BANDS = {
    "landis_koch": (
        *((0.0, "poor"), (0.2, "slight"), (0.4, "fair")),
        *((0.6, "moderate"), (0.8, "substantial"), (1.0, "almost perfect")),
    ),
    "fleiss": ((0.4, "poor"), (0.75, "fair to good"), (1.0, "excellent")),
    "altman": ((0.2, "poor"), (0.4, "fair"), (0.6, "moderate"), (0.8, "good"), (1.0, "very good")),
}
LOWEST = -1.0
ROUNDING = 1e-12  # of a sum of probabilities


@dataclass(frozen=True, eq=False, repr=False)
class Benchmarks(Result):
    """The bands of an estimate with their probabilities; returned by `benchmark_probabilities`.

    Parameters
    ----------
    estimate : Estimate
        The estimate.
    level : float
        The probability that the cumulative rule requires.
    bands : DataFrame
        scale, band, low, high, probability, cumulative (from the highest band down) and chosen, the highest band
        first; without rows if undefined.
    status : {"ok", "undefined"}
        Whether there are probabilities.
    reason : str or None
        Why there are none: "no_standard_error", or the reason of the estimate.

    Examples
    --------
    >>> from agreement import benchmark_probabilities, cohen_kappa
    >>> kappa = cohen_kappa([[300, 20], [10, 70]]).interval("analytic")
    >>> benchmark_probabilities(kappa).chosen
    {'landis_koch': 'substantial', 'fleiss': 'fair to good', 'altman': 'good'}
    """

    estimate: Estimate
    level: float
    bands: pd.DataFrame
    status: str = "ok"
    reason: str | None = None

    @property
    def defined(self) -> bool:
        """Whether there are probabilities."""
        return self.status == "ok"

    @property
    def chosen(self) -> dict[str, str]:
        """The band of each scale by the cumulative rule; empty if undefined."""
        rows = self.bands[self.bands["chosen"]]
        return dict(zip(rows["scale"], rows["band"], strict=True))

    def to_frame(self) -> pd.DataFrame:
        """The bands of each scale, the highest first, with their probabilities."""
        return self.bands

    def _sentence(self) -> str:
        name = self.estimate.coefficient.replace("_", " ")
        if not self.defined:
            return f"{name}: benchmarks undefined ({REASONS[self.reason or 'empty']})"
        chosen = ", ".join(f"{band} ({scale.replace('_', ' ')})" for scale, band in self.chosen.items())
        basis = f"standard error {format_value(self.estimate.se)}, {self.estimate.method}"
        return f"{name} {self.estimate.shown()}, {basis}: with {percent(self.level)} at least {chosen}"


def benchmark_probabilities(estimate: Estimate, *, level: float = 0.95) -> Benchmarks:
    """Probability that the true value of a coefficient lies in each band of three benchmark scales.

    The distribution is normal with the value as mean and the standard error of its interval, cut at -1 and 1. The
    cumulative rule of Gwet sums the probabilities from the highest band down and chooses the band at which the sum
    reaches `level`. If the standard error is 0, the band of the value has the probability 1.

    Parameters
    ----------
    estimate : Estimate
        A coefficient with a standard error, that is with an interval: `cohen_kappa(ratings).interval("analytic")`.
    level : float, optional
        The probability that the cumulative rule requires, between 0 and 1.

    Returns
    -------
    Benchmarks
        The bands of Landis and Koch, Fleiss, and Altman. Undefined with the reason of the estimate if it has no value,
        and with "no_standard_error" if it has no interval.

    Raises
    ------
    TypeError
        It is not an Estimate.
    ValueError
        The level is not between 0 and 1.

    References
    ----------
    K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 6. Advanced Analytics.

    Examples
    --------
    >>> from agreement import benchmark_probabilities, cohen_kappa
    >>> kappa = cohen_kappa([[300, 20], [10, 70]]).interval("analytic")
    >>> bands = benchmark_probabilities(kappa).to_frame()
    >>> bands.loc[bands["scale"] == "altman", ["band", "probability", "cumulative", "chosen"]].round(3)
             band  probability  cumulative  chosen
    9   very good         0.27        0.27   False
    10       good         0.73        1.00    True
    11   moderate         0.00        1.00   False
    12       fair         0.00        1.00   False
    13       poor         0.00        1.00   False
    """
    if not isinstance(estimate, Estimate):
        raise TypeError(f"benchmark_probabilities takes an Estimate, not {type(estimate).__name__}.")
    level = checked_level("level", level, 0.95)
    if estimate.value is None or estimate.se is None:
        reason = estimate.reason if estimate.value is None else "no_standard_error"
        return Benchmarks(estimate, level, _frame([]), "undefined", reason)
    parts = [_bands(scale, estimate.value, estimate.se, level) for scale in BANDS]
    return Benchmarks(estimate, level, pd.concat(parts, ignore_index=True))


def _bands(scale: str, value: float, se: float, level: float) -> pd.DataFrame:
    """The bands of one scale, the highest first."""
    limits = [LOWEST, *(high for high, _ in BANDS[scale])]
    probability = _probabilities(np.array(limits), value, se)
    rows = [
        [scale, name, low, high, share]
        for (high, name), low, share in zip(BANDS[scale], limits[:-1], probability, strict=True)
    ]
    frame = _frame(rows[::-1])
    frame["cumulative"] = frame["probability"].cumsum().clip(upper=1.0)
    reached = frame["cumulative"] >= level - ROUNDING
    frame["chosen"] = reached & ~reached.shift(fill_value=False)
    return frame


def _probabilities(limits: np.ndarray, value: float, se: float) -> np.ndarray:
    """The probability of each band between two limits, the lowest first."""
    from scipy.special import ndtr  # slow to import

    if se > 0:
        # The distribution above the value mirrors that below; the smaller of both tails is exact.
        z = (limits - value) / se
        shares = np.where(z[:-1] > 0, ndtr(-z[:-1]) - ndtr(-z[1:]), ndtr(z[1:]) - ndtr(z[:-1]))
        if shares.sum() > 0:  # custom weights permit a value far below -1
            return np.asarray(shares / shares.sum())
    inside = np.searchsorted(limits[1:-1], value, side="left")  # a limit belongs to the band below it
    return np.asarray(np.arange(len(limits) - 1) == inside, dtype=np.float64)


def _frame(rows: list[list[object]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["scale", "band", "low", "high", "probability"])
    return frame.assign(cumulative=frame["probability"], chosen=False)
