"""The interval of items, which ignores topics, and its extension to topics ("jackknife_topics").

A coefficient near full agreement depends on few disagreements, perhaps on none. Then topics differ by chance only, and
the standard error over topics is too small, or 0. Items are more numerous, and the score-type intervals of items are
calibrated for few disagreements and have a width without any. So the interval over topics extends that of items:

1. The limits over items are the outer ones of two intervals: value -+ t se of the jackknife over items, and the
   score-type interval (`agreement.intervals.score_interval`), or, if there is none, the jackknife on Fisher's scale.
2. The distance of each limit from the value is multiplied by the ratio of t se over topics and t se over items, at
   least 1. The square of the ratio of the standard errors is the design effect of the topics in survey statistics, and
   is never below 1 (E. L. Korn and B. I. Graubard 1998). The distances are also at least t se over topics.
3. The limits are inside the range of the coefficient.

So the interval contains the one that ignores topics, and is not symmetric near 1. docs/studies/coverage.md has its
coverage. A mean over topics has no items: its topics take their place, with the ratio 1.

References
----------
E. L. Korn and B. I. Graubard (1998). Confidence intervals for proportions with small expected number of positive counts
estimated from survey data. Survey Methodology 24(2), 193-201.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from agreement.intervals.kernel import TINY, Floats, t_quantile


@dataclass(frozen=True)
class ItemLimits:
    """Limits over items of one or many coefficients; arrays of the shape of the values.

    Attributes
    ----------
    low, high : ndarray of float
        The limits, which may be outside the range of the coefficient.
    reach : ndarray of float
        t se of the jackknife over items; 0 if there is none.
    """

    low: Floats
    high: Floats
    reach: Floats


def item_limits(
    values: Floats, se: Floats, parts: npt.ArrayLike, scores: tuple[Floats, Floats], confidence: float
) -> ItemLimits:
    """The limits over items from the jackknife and the score-type interval.

    `values`, `se` (nan if undefined), `parts`, the number of items, and the limits `scores` (nan if there are none)
    have the same shape.
    """
    reach = t_quantile(confidence, parts) * np.nan_to_num(se)
    fisher = _fisher(values, reach)
    low, high = (np.where(np.isnan(score), other, score) for score, other in zip(scores, fisher, strict=True))
    return ItemLimits(np.minimum(values - reach, low), np.maximum(values + reach, high), reach)


def _fisher(values: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """The limits on Fisher's scale; the value at 1, at -1 and below."""
    inside = np.abs(values) < 1 - TINY
    safe = np.where(inside, values, 0)
    middle, scaled = np.arctanh(safe), reach / (1 - safe**2)
    return np.where(inside, np.tanh(middle - scaled), values), np.where(inside, np.tanh(middle + scaled), values)


def limits_of_mean(
    values: Floats, se: Floats, topics: npt.ArrayLike, agreed_low: Floats, confidence: float
) -> tuple[Floats, Floats]:
    """The limits of means over topics, in which topics take the place of items.

    `agreed_low` is the lower limit of a mean of topics with full agreement (`low_of_agreed_topics`), otherwise nan.
    """
    scores = agreed_low, np.where(np.isnan(agreed_low), np.nan, 1.0)
    limits = item_limits(values, se, topics, scores, confidence)
    return limits.low, limits.high


def low_of_agreed_topics(lows: Floats, n: Floats, confidence: float) -> Floats:
    """The lower limit of the mean of topics with full agreement, from the lower limits of the topics.

    The share of disagreements that Wilson's interval does not exclude is that of the items of all topics. Each topic
    converts a share into a distance of its coefficient from 1, as its own limit does.

    Shapes: `lows`, nan for topics that are left out, and `n` (n_topics, ...); the result (...).
    """
    squared = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    used = np.isfinite(lows)
    ratios = np.where(used, (1 - lows) * (n + squared) / squared, 0).sum(axis=0) / np.maximum(used.sum(axis=0), 1)
    return np.asarray(1 - ratios * squared / (np.where(used, n, 0).sum(axis=0) + squared))


def extended(values: Floats, items: ItemLimits, reach: Floats) -> tuple[Floats, Floats]:
    """The limits over topics; `reach` is t se of the jackknife over topics."""
    ratio = np.divide(reach, items.reach, out=np.ones(np.shape(values)), where=items.reach > 0).clip(1)
    low = np.minimum(values - ratio * (values - items.low), values - reach)
    return low, np.maximum(values + ratio * (items.high - values), values + reach)
