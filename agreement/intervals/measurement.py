"""Intervals of the coefficients: how far a value may be from the value for all items of the same kind.

The parameter `interval` is one of

None
    No interval.
"analytic"
    From the influence u of each item on the coefficient and the normal quantile z: value -+ z se. For Cohen's kappa,
    weighted or not, se^2 = sum of u^2 / n^2 (Fleiss, Cohen and Everitt 1969); the other coefficients of a table are
    computed in the same way (delta method). For Ratings, se^2 = sum of u^2 / (n (n - 1)), Gwet's (2014) linearised
    variance, in which the number of items with two judgements is fixed. Limits may be above 1.
"bootstrap"
    Percentiles of `draws` samples of items with replacement, each of the original size.
"jackknife"
    Each item left out once: value -+ z se.
"jackknife_topics"
    Each topic left out once: value -+ z se. Like "topics", it covers the variation between topics; it needs no random
    draws, and costs one value for each topic. One topic gives no interval.
"topics"
    Percentiles of `draws` samples of topics with replacement and, within each topic, of documents with replacement.
    Documents of one topic resemble each other. If the topics are a sample of the questions that people ask, this is
    the appropriate interval.

`confidence` is the level of the interval. "bootstrap" and "topics" draw from `seed` or `rng`. Draws in which the
coefficient is undefined are left out and counted in `warnings`. The warnings also state that n < 100 or that a judge
used a grade fewer than five times; intervals are rough then. Analytic intervals also give `se_null`
(`agreement.intervals.null_errors`).

Coverage in 1,000 simulated data sets for each setting (`benchmarks/coverage.py`; the complete table is in
docs/coverage.md): the analytic, bootstrap and jackknife 95 % intervals of Cohen's kappa of two judges contained the
true value in 91 to 93 % of the data sets at n = 30, 94 % at n = 100 and 95 to 96 % at n = 400 if half of the items
were relevant. If 5 % were relevant, they contained it in 71 to 75 % at n = 30, 92 to 95 % at n = 100 and 95 % at
n = 400. Over ten topics of different prevalence, intervals that ignore topics contained it in 88 % at n = 400,
"jackknife_topics" in 93 % and "topics" in 97 %.

References
----------
J. L. Fleiss, J. Cohen and B. S. Everitt (1969). Large sample standard errors of kappa and weighted kappa.
Psychological Bulletin 72(5), 323-327.
K. L. Gwet (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from agreement.estimate import Estimate
from agreement.intervals.cautions import FEW_USES, few_items, few_topics, rare_grades, undefined_draws, width
from agreement.intervals.jackknife import PARTS, describe_jackknife, jackknife
from agreement.intervals.kernel import Floats, Sample
from agreement.intervals.requests import IntervalRequest
from agreement.intervals.resampling import draws_of_items, draws_of_means, draws_of_topics

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
    """

    estimate: Estimate
    sample: Callable[[bool], Sample]
    method: str = GWET
    correction: int = 1
    se_null: Callable[[], float | None] | None = None

    def with_interval(self, request: IntervalRequest | None) -> Estimate:
        """The estimate with the requested interval; unchanged without a request or a value."""
        if request is None or not self.estimate.defined:
            return self.estimate
        sample = self.sample(request.topics)
        estimate = replace(self._computed(request, sample), confidence=request.confidence)
        estimate = replace(estimate, warnings=estimate.warnings + _warnings(estimate, sample))
        return with_limits(estimate, request.confidence) if estimate.low is None else estimate

    def _computed(self, request: IntervalRequest, sample: Sample) -> Estimate:
        if request.kind in PARTS:
            return _jackknife(self.estimate, request.kind, sample)
        if request.kind != "analytic":
            return _resampled(self.estimate, request, sample)
        se_null = self.se_null() if self.se_null else None
        return replace(_analytic(self.estimate, sample, self.method, self.correction), se_null=se_null)


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
    if request.kind in ("analytic", *PARTS):
        below = np.array(values) - max(values)  # exactly 0 if all values are equal
        se = float(np.std(below, ddof=1) / len(values) ** 0.5) if len(values) > 1 else None
        method = f"{request.kind}: {OF_MEAN}"
        return with_limits(replace(estimate, se=se, method=method), request.confidence)
    what = "topics, then documents" if request.topics else "documents within topics"
    method = f"{what} resampled, {request.describe()}"
    samples = [part.sample(False) if part.estimate.defined else None for part in parts]
    estimate = _percentiles(estimate, draws_of_means(samples, request), method, request.confidence)
    return estimate if estimate.low is not None else with_limits(estimate, request.confidence)


def _analytic(estimate: Estimate, sample: Sample, method: str, correction: int) -> Estimate:
    n, times = sample.times.sum(), sample.times
    if n - correction <= 0:
        return replace(estimate, method=f"analytic: {method}")
    influence = sample.kernel.influence(times)
    if correction:
        influence = influence + sample.kernel.gwet(times)
    se = float((times @ influence**2 / (n * (n - correction))) ** 0.5)
    return replace(estimate, se=se, method=f"analytic: {method}")


def _jackknife(estimate: Estimate, kind: str, sample: Sample) -> Estimate:
    result = jackknife(*_left_out(kind, sample))
    warnings = few_topics(len(sample.topics)) if kind == "jackknife_topics" else ()
    warnings += undefined_draws(int(result.undefined), int(result.parts), "samples")
    se = float(result.se) if np.isfinite(result.se) else None
    return replace(estimate, se=se, method=describe_jackknife(kind), warnings=warnings)


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


def with_limits(estimate: Estimate, confidence: float) -> Estimate:
    """The estimate with limits from its standard error and the normal quantile."""
    warnings = estimate.warnings + width(estimate.se)
    if estimate.se is None or estimate.value is None:
        return replace(estimate, warnings=warnings)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * estimate.se
    return replace(estimate, low=estimate.value - reach, high=estimate.value + reach, warnings=warnings)


def _warnings(estimate: Estimate, sample: Sample) -> tuple[str, ...]:
    return few_items(estimate.n) + rare_grades([uses < FEW_USES for uses in sample.uses.values()], sample.uses)
