"""Intervals of the coefficients: how far a value may be from the value for all items of the same kind.

The parameter `interval` is one of

None
    No interval.
"default"
    The calibrated method for the data: "bootstrap_t_topics" from ten topics, "jackknife_topics" from two topics. For
    one topic, or a table without topics, "goodness_of_fit" if it exists for the coefficient, "jackknife" if P(E) hardly
    depends on the data (P(A), Brennan-Prediger and Gwet's AC), or else "bootstrap_t".
"analytic"
    From the influence u of each item on the coefficient and the normal quantile z: value -+ z se. For Cohen's kappa,
    weighted or not, se^2 = sum of u^2 / n^2 (Fleiss, Cohen and Everitt 1969); the other coefficients of a table are
    computed in the same way (delta method). For Ratings, se^2 = sum of u^2 / (n (n - 1)), Gwet's (2014) linearised
    variance, in which the number of items with two judgements is fixed. Limits may be above 1.
"bootstrap"
    Percentiles of `draws` samples of items with replacement, each of the original size.
"bootstrap_t"
    Samples of items, each with its own standard error (`agreement.intervals.studentised`).
"bootstrap_t_topics"
    The same with samples of topics, which are drawn as a whole. It is calibrated if relevant documents are rare or in
    few topics.
"goodness_of_fit"
    Only for pooled kappa of two judges with two grades (`agreement.intervals.goodness_of_fit`). It is calibrated for
    rare grades, and has a width if the judges agree on all items. It ignores topics.
"jackknife"
    Each item left out once: value -+ t se, with n - 1 degrees of freedom.
"jackknife_topics"
    Each topic left out once: value -+ t se, with one degree of freedom less than topics. Like "topics", it covers the
    variation between topics; it needs no random draws, and costs one value for each topic. One topic gives no interval.
"topics"
    Percentiles of `draws` samples of topics with replacement and, within each topic, of documents with replacement.
    Documents of one topic resemble each other. If the topics are a sample of the questions that people ask, the three
    intervals over topics are the appropriate ones.

`confidence` is the level of the interval. "default", "topics" and the three kinds of bootstrap draw from `seed` or
`rng`. Draws in which the coefficient is undefined are left out and counted in `warnings`. The warnings also state that
n < 100, that a judge used a grade fewer than five times, that there are few topics, that one topic has most of the
variance, or that the interval has no width. Analytic intervals also give `se_null` (`agreement.intervals.null_errors`).

docs/coverage.md has the coverage of all methods in simulated data (`benchmarks/coverage.py`).

References
----------
J. L. Fleiss, J. Cohen and B. S. Everitt (1969). Large sample standard errors of kappa and weighted kappa.
Psychological Bulletin 72(5), 323-327.
K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from agreement.estimate import Estimate
from agreement.intervals import goodness_of_fit
from agreement.intervals.cautions import (
    FEW_TOPICS,
    FEW_USES,
    few_items,
    few_topics,
    one_topic_decides,
    rare_grades,
    undefined_draws,
    width,
)
from agreement.intervals.jackknife import PARTS, describe_jackknife, jackknife, t_quantile
from agreement.intervals.kernel import Floats, Sample
from agreement.intervals.requests import IntervalRequest
from agreement.intervals.resampling import draws_of_items, draws_of_means, draws_of_topics
from agreement.intervals.studentised import Values, studentised

STEADY = ("percent_agreement", "brennan_prediger", "gwet_ac")  # P(E) hardly depends on the data
OF_MEAN = "standard error of a mean of topics"
GWET = "Gwet's linearised variance, n - 1"


@dataclass(frozen=True)
class Measurement:
    """An estimate with the data for an interval, which is computed only on request.

    Attributes
    ----------
    estimate : Estimate
        The estimate without interval.
    sample : callable
        `sample(topics)` returns the `Sample` of a defined estimate, with or without its topics.
    method : str
        The source of the analytic standard error.
    correction : {0, 1}
        The analytic variance is divided by n (n - correction).
    se_null : callable or None
        Returns the standard error under chance.
    fit : callable or None
        `fit(confidence)` returns the limits by goodness of fit; None if the coefficient has no such interval.
    """

    estimate: Estimate
    sample: Callable[[bool], Sample]
    method: str = GWET
    correction: int = 1
    se_null: Callable[[], float | None] | None = None
    fit: Callable[[float], tuple[float, float]] | None = None

    def with_interval(self, request: IntervalRequest | None) -> Estimate:
        """The estimate with the requested interval; unchanged without a request or a value."""
        if request is None or not self.estimate.defined:
            return self.estimate
        request = replace(request, kind=self._kind(request.kind))
        sample = self.sample(request.topics)
        estimate = replace(self._computed(request, sample), confidence=request.confidence)
        return replace(estimate, warnings=estimate.warnings + _warnings(estimate, sample) + _width(estimate))

    def _kind(self, kind: str) -> str:
        """The kind of interval for the data, if the default is requested."""
        if kind == "goodness_of_fit" and self.fit is None:
            raise ValueError(
                "The interval 'goodness_of_fit' is for pooled_kappa of two judges with two grades, not for "
                f"{self.estimate.coefficient} of these data. 'bootstrap_t' is for all coefficients."
            )
        if kind != "default":
            return kind
        if len(self.estimate.topics) > 1:
            return default_over_topics(len(self.estimate.topics))
        if self.fit:
            return "goodness_of_fit"
        return "jackknife" if self.estimate.coefficient in STEADY else "bootstrap_t"

    def _computed(self, request: IntervalRequest, sample: Sample) -> Estimate:
        if request.kind in PARTS:
            return _jackknife(self.estimate, request, sample)
        if request.kind == "goodness_of_fit" and self.fit:
            low, high = self.fit(request.confidence)
            return replace(self.estimate, low=low, high=high, method=goodness_of_fit.NAME)
        if request.kind.startswith("bootstrap_t"):
            return _studentised_sample(self.estimate, request, sample)
        if request.kind != "analytic":
            return _resampled(self.estimate, request, sample)
        se_null = self.se_null() if self.se_null else None
        analytic = replace(_analytic(self.estimate, sample, self.method, self.correction), se_null=se_null)
        return with_limits(analytic, request.confidence)


def default_over_topics(number: int) -> str:
    """The default interval over this number of topics: samples of few topics have too few different values."""
    return "bootstrap_t_topics" if number >= FEW_TOPICS else "jackknife_topics"


def mean_with_interval(estimate: Estimate, request: IntervalRequest, parts: list[Measurement]) -> Estimate:
    """A mean over topics with its interval.

    Parameters
    ----------
    estimate : Estimate
        The mean of the defined values of the topics.
    request : IntervalRequest
        The requested interval.
    parts : list of Measurement
        One for each topic.

    Returns
    -------
    Estimate
        Unchanged if the value of each topic is undefined.
    """
    values = [part.estimate.value for part in parts if part.estimate.value is not None]
    if not values:
        return estimate
    estimate = replace(
        estimate, confidence=request.confidence, warnings=few_topics(len(values)) + few_items(estimate.n)
    )
    kind = default_over_topics(len(values)) if request.kind == "default" else request.kind
    if kind == "goodness_of_fit":
        raise ValueError(f"The interval {kind!r} is for one table. A mean of topics has 'bootstrap_t_topics'.")
    estimate = _mean_computed(estimate, replace(request, kind=kind), values, parts)
    return replace(estimate, warnings=estimate.warnings + _width(estimate))


def _mean_computed(
    estimate: Estimate, request: IntervalRequest, values: list[float], parts: list[Measurement]
) -> Estimate:
    if request.kind.startswith("bootstrap_t"):  # like the jackknife, with the topics as parts
        features = np.column_stack([values, np.ones(len(values))])
        return _studentised(estimate, request, _Mean(), features, np.ones(len(values)), "topics")
    if request.kind in ("analytic", *PARTS):
        below = np.array(values) - max(values)  # exactly 0 if all values are equal
        se = float(np.std(below, ddof=1) / len(values) ** 0.5) if len(values) > 1 else None
        method = f"{request.kind}: {OF_MEAN}"
        return with_limits(replace(estimate, se=se, method=method), request.confidence, len(values))
    what = "topics, then documents" if request.topics else "documents within topics"
    method = f"{what} resampled, {request.describe()}"
    samples = [part.sample(False) if part.estimate.defined else None for part in parts]
    return _percentiles(estimate, draws_of_means(samples, request), method, request.confidence)


class _Mean(NamedTuple):
    """The mean of values as a function of their sum and their number."""

    def values(self, sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1])


def _analytic(estimate: Estimate, sample: Sample, method: str, correction: int) -> Estimate:
    n, times = sample.times.sum(), sample.times
    if n - correction <= 0:
        return replace(estimate, method=f"analytic: {method}")
    influence = sample.kernel.influence(times)
    if correction:
        influence = influence + sample.kernel.gwet(times)
    se = float((times @ influence**2 / (n * (n - correction))) ** 0.5)
    return replace(estimate, se=se, method=f"analytic: {method}")


def _jackknife(estimate: Estimate, request: IntervalRequest, sample: Sample) -> Estimate:
    result, topics = jackknife(*_left_out(request.kind, sample)), request.topics
    warnings = (few_topics(len(sample.topics)) or one_topic_decides(float(result.largest))) if topics else ()
    warnings += undefined_draws(int(result.undefined), int(result.parts), "samples")
    se = float(result.se) if np.isfinite(result.se) else None
    estimate = replace(estimate, se=se, method=describe_jackknife(request.kind), warnings=warnings)
    return with_limits(estimate, request.confidence, int(result.used))


def _studentised_sample(estimate: Estimate, request: IntervalRequest, sample: Sample) -> Estimate:
    if not request.topics:
        return _studentised(estimate, request, sample.kernel, sample.kernel.features, sample.times, "items")
    features = np.array([counts @ sample.kernel.features[patterns] for patterns, counts in sample.topics])
    estimate = replace(estimate, warnings=few_topics(len(sample.topics)))
    return _studentised(estimate, request, sample.kernel, features, np.ones(len(features)), "topics")


def _studentised(
    estimate: Estimate, request: IntervalRequest, kernel: Values, features: Floats, times: Floats, what: str
) -> Estimate:
    """The estimate with a studentised interval; with its value as both limits if nothing varies."""
    result = studentised(kernel, features, times, request, fisher=what == "items")
    estimate = replace(
        estimate,
        se=result.se,
        method=f"studentised bootstrap of {what}, {request.describe()}",
        warnings=estimate.warnings + undefined_draws(result.undefined, request.draws, "draws"),
    )
    if result.low is None:
        return with_limits(estimate, request.confidence, result.parts)
    return replace(estimate, low=result.low, high=result.high)


def _left_out(kind: str, sample: Sample) -> tuple[Floats, Floats]:
    """The coefficient with each item or topic left out, nan if undefined, and how many parts have this value."""
    features, times = sample.kernel.features, sample.times
    if kind == "jackknife":
        return sample.kernel.values(times @ features - features), times
    sums = np.array([counts @ features[patterns] for patterns, counts in sample.topics])
    return sample.kernel.values(times @ features - sums), np.ones(len(sums))


def _resampled(estimate: Estimate, request: IntervalRequest, sample: Sample) -> Estimate:
    if not request.topics:
        method = f"bootstrap of items, {request.describe()}"
        return _percentiles(estimate, draws_of_items(sample, request), method, request.confidence)
    estimate = replace(estimate, warnings=few_topics(len(sample.topics)))
    method = f"topics, then documents resampled, {request.describe()}"
    return _percentiles(estimate, draws_of_topics(sample, request), method, request.confidence)


def _percentiles(estimate: Estimate, values: Floats, method: str, confidence: float) -> Estimate:
    defined = values[np.isfinite(values)]
    warnings = undefined_draws(len(values) - len(defined), len(values), "draws")
    estimate = replace(estimate, method=method, warnings=estimate.warnings + warnings)
    if len(defined) < 2:
        return estimate
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return replace(estimate, low=float(low), high=float(high), se=float(defined.std(ddof=1)))


def with_limits(estimate: Estimate, confidence: float, parts: int | None = None) -> Estimate:
    """The estimate with limits from its standard error, and the quantile of t for this number of parts or of z."""
    if estimate.se is None or estimate.value is None:
        return estimate
    quantile = NormalDist().inv_cdf((1 + confidence) / 2) if parts is None else float(t_quantile(confidence, parts))
    reach = quantile * estimate.se
    return replace(estimate, low=estimate.value - reach, high=estimate.value + reach)


def _width(estimate: Estimate) -> tuple[str, ...]:
    return width(None if estimate.low is None or estimate.high is None else estimate.high - estimate.low)


def _warnings(estimate: Estimate, sample: Sample) -> tuple[str, ...]:
    return few_items(estimate.n) + rare_grades([uses < FEW_USES for uses in sample.uses.values()], sample.uses)
