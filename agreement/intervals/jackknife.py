"""The jackknife: the standard error of a coefficient from its values with each part of the data left out once.

A part is an item or a topic. With m parts, and value_i the coefficient without part i,

    se^2 = (m - 1) / m * sum of (value_i - mean of the values)^2

Parts without which the coefficient is undefined are left out of m and counted. Values that differ by 1e-13 or less are
equal except for rounding, and have the standard error 0. The limits are value -+ t se, where t is a quantile of
Student's t with m - 1 degrees of freedom. With topics as parts, this is a cluster-robust interval, which
`agreement.intervals.item_limits` extends.

References
----------
J. W. Tukey (1958). Bias and confidence in not-quite large samples (abstract). Annals of Mathematical Statistics 29(2),
614.
B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapter 11. Chapman and Hall.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.intervals.kernel import TINY, Floats

# What is left out, by the name of the interval.
PARTS = {"jackknife": "item", "jackknife_topics": "topic"}
FISHER = "jackknife_fisher"


@dataclass(frozen=True)
class Jackknife:
    """Standard errors by the jackknife; returned by `jackknife`.

    Attributes
    ----------
    se : ndarray of float, shape (...)
        The standard errors; nan if fewer than two parts can be left out.
    parts : ndarray of int, shape (...)
        The number of parts.
    undefined : ndarray of int, shape (...)
        The number of parts without which the coefficient is undefined.
    largest : ndarray of float, shape (...)
        The largest share of one part in the variance; 0 if the variance is 0.
    """

    se: Floats
    parts: npt.NDArray[np.int64]
    undefined: npt.NDArray[np.int64]
    largest: Floats

    @property
    def used(self) -> npt.NDArray[np.int64]:
        """The number of parts without which the coefficient is defined; the t quantile has one degree less."""
        return self.parts - self.undefined


def jackknife(values: Floats, times: npt.NDArray[np.number]) -> Jackknife:
    """Standard errors of one or many coefficients.

    Shapes: `values`, `times` (n_values, ...).
    """
    used = np.where(np.isfinite(values), times, 0)
    m = used.sum(axis=0)
    highest = np.where(used > 0, values, -np.inf).max(axis=0, initial=-np.inf)
    # Differences from the highest value, so that equal values have a mean and squares of exactly 0.
    below = np.where(used > 0, values - highest, 0)
    below = np.where(below.min(axis=0, initial=0) < -TINY, below, 0)
    mean = (used * below).sum(axis=0) / np.maximum(m, 1)
    squares = np.where(used > 0, (below - mean) ** 2, 0)
    spread = (used * squares).sum(axis=0)
    # The result without two parts is replaced by nan below; here, only the division must be possible.
    se = np.sqrt((m - 1).clip(0) / np.maximum(m, 1) * spread)
    parts = times.sum(axis=0)
    largest = np.divide(squares.max(axis=0, initial=0), spread, out=np.zeros(np.shape(spread)), where=spread > 0)
    return Jackknife(np.where(m >= 2, se, np.nan), parts.astype(np.int64), (parts - m).astype(np.int64), largest)


def t_quantile(confidence: float, parts: npt.ArrayLike) -> Floats:
    """The quantile of Student's t, with one degree of freedom less than parts, for a standard error."""
    from scipy.special import stdtrit  # takes a moment to import, and most callers need no interval

    # One part has no standard error, so its quantile is not used.
    return np.asarray(stdtrit(np.maximum(parts, 2) - 1, (1 + confidence) / 2), np.float64)


def describe_jackknife(interval: str) -> str:
    """The method of an interval in words: "jackknife: each item left out once"."""
    if interval == FISHER:
        return "jackknife on Fisher's scale: each item left out once"
    return f"{interval.replace('_', ' over ')}: each {PARTS[interval]} left out once"
