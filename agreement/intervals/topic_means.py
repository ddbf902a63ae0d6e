"""Intervals of a mean over topics."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agreement.estimate import Estimate
from agreement.intervals.defaults import (
    OVER_TOPICS,
    SCORES,
    IntervalRequest,
    default_of_mean,
    few_items,
    few_topics,
    unusable_draws,
    within_range,
)
from agreement.intervals.item_limits import limits_of_mean, low_of_agreed_topics
from agreement.intervals.kernel import FISHER, PARTS, Floats
from agreement.intervals.measurement import (
    Measurement,
    width_of,
    with_fisher_limits,
    with_limits,
    with_percentiles,
    with_studentised,
)
from agreement.intervals.resampling import draws_of_means
from agreement.intervals.studentised import studentised

OF_MEAN = "standard error of a mean of topics"


def mean_with_interval(estimate: Estimate, request: IntervalRequest, parts: list[Measurement]) -> Estimate:
    """A mean over topics with its interval."""
    values = [part.estimate.value for part in parts if part.estimate.value is not None]
    if not values:
        return estimate
    if request.kind in SCORES:
        raise ValueError(f"The interval {request.kind!r} is for one table. A mean of topics has 'bootstrap_t_topics'.")
    warnings = few_topics(len(values)) + few_items(estimate.n)
    estimate = replace(estimate, confidence=request.confidence, warnings=warnings)
    kind = default_of_mean(estimate.coefficient, len(values)) if request.kind == "default" else request.kind
    estimate = _computed(estimate, replace(request, kind=kind), values, parts)
    if kind in OVER_TOPICS:
        estimate = _with_limits_of_mean(estimate, values, parts)
    if request.kind == "default" or kind in (*PARTS, *OVER_TOPICS):
        estimate = within_range(estimate, parts[0].estimate.expected)
    return replace(estimate, warnings=estimate.warnings + width_of(estimate))


def _with_limits_of_mean(estimate: Estimate, values: list[float], parts: list[Measurement]) -> Estimate:
    """The estimate with limits that contain those of `agreement.intervals.item_limits`."""
    if estimate.low is None or estimate.high is None or estimate.value is None:
        return estimate
    confidence, agreed = estimate.confidence or 0.95, np.asarray(np.nan)
    if min(values) == 1:
        scored = [(part.score(), part.estimate.n) for part in parts if part.estimate.defined]
        lows = np.array([score.limits(confidence)[0] if score else np.nan for score, _ in scored])
        agreed = low_of_agreed_topics(lows, np.array([n for _, n in scored], np.float64), confidence)
    value, se = np.asarray(estimate.value, np.float64), np.asarray(standard_error(values))
    low, high = limits_of_mean(value, se, len(values), agreed, confidence)
    return replace(estimate, low=min(estimate.low, float(low)), high=max(estimate.high, float(high)))


def standard_error(values: list[float]) -> float:
    """The standard error of the mean of values; nan for one."""
    if len(values) < 2:
        return np.nan
    below = np.array(values) - max(values)  # exactly 0 if all values are equal
    return float(np.std(below, ddof=1) / len(values) ** 0.5)


def _computed(estimate: Estimate, request: IntervalRequest, values: list[float], parts: list[Measurement]) -> Estimate:
    if request.kind.startswith("bootstrap_t"):
        return _studentised(estimate, replace(request, kind="bootstrap_t_topics"), values)
    if request.kind in ("analytic", *PARTS, FISHER):
        return _by_standard_error(estimate, request, values)
    what = "topics, then documents" if request.topics else "documents within topics"
    method = f"{what} resampled, {request.describe()}"
    samples = [part.sample(False) if part.estimate.defined else None for part in parts]
    return with_percentiles(estimate, draws_of_means(samples, request), method, request.confidence)


def _by_standard_error(estimate: Estimate, request: IntervalRequest, values: list[float]) -> Estimate:
    se = standard_error(values) if len(values) > 1 else None
    estimate = replace(estimate, se=se, method=f"{request.kind}: {OF_MEAN}")
    limits = with_fisher_limits if request.kind == FISHER else with_limits
    return limits(estimate, request.confidence, len(values))


def _studentised(estimate: Estimate, request: IntervalRequest, values: list[float]) -> Estimate:
    """A studentised interval, in which the topics are the parts of the data, as in a jackknife over topics."""
    features = np.column_stack([values, np.ones(len(values))])
    result = studentised(_Mean(), features, np.ones(len(values)), request, fisher=False)
    if result.usable:
        return with_studentised(estimate, result, request)
    estimate = replace(estimate, warnings=estimate.warnings + unusable_draws(result.undefined, request.draws))
    return _by_standard_error(estimate, replace(request, kind="jackknife_topics"), values)


class _Mean(NamedTuple):
    """The mean of values as a function of their sum and their number."""

    def values(self, sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1])
