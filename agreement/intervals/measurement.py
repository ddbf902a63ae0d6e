"""Intervals of the coefficients: how far a value may be from the value for all items of the same kind.

The parameter `interval` is one of

None
    No interval.
"default"
    The calibrated method for the data (`agreement.intervals.defaults`). Its limits are inside the range of the
    coefficient. Over topics, it contains the default of the same data without topics.
"analytic"
    From the influence u of each item on the coefficient and the normal quantile z: value -+ z se. For Cohen's kappa,
    weighted or not, se^2 = sum of u^2 / n^2 (Fleiss, Cohen and Everitt 1969); the other coefficients of a table are
    computed in the same way (delta method). For Ratings, se^2 = sum of u^2 / (n (n - 1)), Gwet's (2014) linearised
    variance, in which the number of items with two judgements is fixed. Limits may be above 1.
"bootstrap"
    Percentiles of `draws` samples of items with replacement, each of the original size.
"bootstrap_t"
    Samples of items, each with its own standard error (`agreement.intervals.studentised`). If a tenth of the draws has
    none, "jackknife_fisher" replaces it, with a warning.
"bootstrap_t_topics"
    The same with samples of topics, which are drawn as a whole. It is calibrated if relevant documents are rare or in
    few topics. If a tenth of the draws has no standard error, "jackknife_topics" replaces it, with a warning. Its
    limits contain those of "jackknife_topics".
"goodness_of_fit", "wilson"
    Score-type intervals: they are calibrated for rare grades and near 1, have a width if all items agree, and ignore
    topics. `agreement.intervals.score_interval` states the coefficients and the data for which they hold.
"jackknife"
    Each item left out once: value -+ t se, with n - 1 degrees of freedom, inside the range of the coefficient.
"jackknife_fisher"
    The same on Fisher's scale, z = atanh(value), so that the limits are inside -1 and 1.
"jackknife_topics"
    Each topic left out once: value -+ t se, with one degree of freedom less than topics, and the interval of items in
    proportion (`agreement.intervals.item_limits`), so that it contains the intervals that ignore topics, and has a
    width if all items agree. Like "topics", it covers the variation between topics; it needs no random draws, and costs
    one value for each topic. One topic gives no interval.
"topics"
    Percentiles of `draws` samples of topics with replacement and, within each topic, of documents with replacement.
    Documents of one topic resemble each other. The limits contain those of items. If the topics are a sample of the
    questions that people ask, the three intervals over topics are the appropriate ones.

`confidence` is the level of the interval. "default", "topics" and the three kinds of bootstrap draw from `seed` or
`rng`. Draws in which the coefficient is undefined are left out and counted in `warnings`. The warnings also state that
n < 100, that a judge used a grade fewer than five times, that there are few topics, that one topic has most of the
variance, or that the interval has no width. Analytic intervals also give `se_null` (`agreement.intervals.null_errors`).

docs/studies/coverage.md has the coverage of all methods in simulated data (`benchmarks/coverage.py`).

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
from agreement.intervals.defaults import (
    FEW_USES,
    OVER_TOPICS,
    SCORES,
    IntervalRequest,
    default_over_items,
    default_over_topics,
    few_items,
    few_topics,
    most_variance,
    rare_grades,
    undefined_draws,
    unusable_draws,
    width,
    within_range,
)
from agreement.intervals.item_limits import ItemLimits, extended, item_limits
from agreement.intervals.kernel import (
    FISHER,
    PARTS,
    TINY,
    Floats,
    Jackknife,
    Sample,
    describe_jackknife,
    jackknife,
    t_quantile,
)
from agreement.intervals.paired_difference import WITHOUT_ITEMS, PairedParts, parts_of_sample
from agreement.intervals.resampling import draws_of_items, draws_of_topics
from agreement.intervals.score_interval import ScoreInterval
from agreement.intervals.studentised import Studentised, studentised

GWET = "Gwet's linearised variance, n - 1"


def _no_score() -> None:
    """No score-type interval."""


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
    score : callable
        Returns the score-type interval; None if the coefficient has none for these data.
    two_judgements : bool
        Whether each item has at most two judgements.
    """

    estimate: Estimate
    sample: Callable[[bool], Sample]
    method: str = GWET
    correction: int = 1
    se_null: Callable[[], float | None] | None = None
    score: Callable[[], ScoreInterval | None] = _no_score
    two_judgements: bool = False

    def with_convention(self, convention: str) -> "Measurement":
        """The same with another description of the convention."""
        return replace(self, estimate=replace(self.estimate, convention=convention))

    def result(self) -> Estimate:
        """The estimate, which can compute its intervals."""
        return replace(self.estimate, source=self)

    def with_interval(self, request: IntervalRequest) -> Estimate:
        """The defined estimate with the requested interval."""
        kind = self._kind(request)
        sample = self.sample(kind in OVER_TOPICS)
        estimate = self._computed(replace(request, kind=kind), sample)
        if kind in OVER_TOPICS:
            estimate = self._with_items(estimate, request.confidence, sample, kind)
        if kind in OVER_TOPICS and request.kind == "default" and self._default_over_items() == "bootstrap_t":
            estimate = _containing(estimate, self._computed(replace(request, kind="bootstrap_t"), sample))
        if request.kind == "default" or kind in (*PARTS, *OVER_TOPICS):
            estimate = within_range(estimate)
        estimate = replace(estimate, confidence=request.confidence)
        warnings = estimate.warnings + _warnings(estimate, sample) + width_of(estimate)
        return replace(estimate, warnings=warnings, source=self)

    def paired_parts(self) -> PairedParts:
        """The coefficient with each topic and each item left out once, to be paired with another one."""
        try:
            sample = self.sample(True)
        except ValueError:  # a table of counts
            raise ValueError(WITHOUT_ITEMS) from None
        return parts_of_sample(sample)

    def _kind(self, request: IntervalRequest) -> str:
        """The kind of interval; for the default, the one that suits the data."""
        score = self.score()
        if request.kind in SCORES and (score is None or score.kind != request.kind):
            raise ValueError(
                f"The interval {request.kind!r} does not hold for {self.estimate.coefficient} of these data, "
                f"{SCORES[request.kind]}. 'bootstrap_t' is for all coefficients."
            )
        if request.kind != "default":
            return request.kind
        # Before the score-type intervals, which ignore the variation between topics.
        if len(self.estimate.topics) > 1:
            return default_over_topics(self.estimate.coefficient, len(self.estimate.topics))
        return self._default_over_items()

    def _default_over_items(self) -> str:
        if score := self.score():
            return score.kind
        return default_over_items(self.estimate.coefficient, self.estimate.n or 0, self.two_judgements)

    def _computed(self, request: IntervalRequest, sample: Sample) -> Estimate:
        if request.kind in (*PARTS, FISHER):
            return self._jackknife(request, sample)
        if request.kind in SCORES and (score := self.score()):
            low, high = score.limits(request.confidence)
            return replace(self.estimate, low=low, high=high, method=score.method)
        if request.kind.startswith("bootstrap_t"):
            return self._studentised(request, sample)
        if request.kind != "analytic":
            return self._resampled(request, sample)
        se_null = self.se_null() if self.se_null else None
        analytic = replace(_analytic(self.estimate, sample, self.method, self.correction), se_null=se_null)
        return with_limits(analytic, request.confidence)

    def _jackknife(self, request: IntervalRequest, sample: Sample) -> Estimate:
        result = jackknife(*_left_out(request.kind, sample))
        warnings = self.estimate.warnings + (self._about_topics(sample, result) if request.topics else ())
        warnings += undefined_draws(int(result.undefined), int(result.parts), "samples")
        se = float(result.se) if np.isfinite(result.se) else None
        estimate = replace(self.estimate, se=se, method=describe_jackknife(request.kind), warnings=warnings)
        limits = with_fisher_limits if request.kind == FISHER else with_limits
        return limits(estimate, request.confidence, int(result.used))

    def _studentised(self, request: IntervalRequest, sample: Sample) -> Estimate:
        features, times = sample.kernel.features, sample.times
        if request.topics:
            features = np.array([counts @ features[patterns] for patterns, counts in sample.topics])
            times = np.ones(len(features))
        result = studentised(sample.kernel, features, times, request, fisher=not request.topics)
        if not result.usable:
            parts = "jackknife_topics" if request.topics else FISHER
            estimate = self._jackknife(replace(request, kind=parts), sample)
            return replace(estimate, warnings=unusable_draws(result.undefined, request.draws) + estimate.warnings)
        warnings = self.estimate.warnings
        if request.topics:
            warnings += self._about_topics(sample, jackknife(*_left_out("jackknife_topics", sample)))
        return with_studentised(replace(self.estimate, warnings=warnings), result, request)

    def _with_items(self, estimate: Estimate, confidence: float, sample: Sample, kind: str) -> Estimate:
        """The estimate with limits that contain those that ignore topics (`agreement.intervals.item_limits`)."""
        if estimate.low is None or estimate.high is None or estimate.value is None:
            return estimate
        value, topics = np.asarray(estimate.value, np.float64), jackknife(*_left_out("jackknife_topics", sample))
        reach = t_quantile(confidence, topics.used) * np.nan_to_num(topics.se)
        low, high = extended(value, self._items(sample, confidence), reach if kind != "topics" else np.zeros(()))
        return _containing(estimate, replace(estimate, low=float(low), high=float(high)))

    def _items(self, sample: Sample, confidence: float) -> ItemLimits:
        result, score = jackknife(*_left_out("jackknife", sample)), self.score()
        limits = score.limits(confidence) if score else (np.nan, np.nan)
        value, low, high = (np.asarray(number, np.float64) for number in (self.estimate.value, *limits))
        return item_limits(value, result.se, result.used, (low, high), confidence)

    def _resampled(self, request: IntervalRequest, sample: Sample) -> Estimate:
        if not request.topics:
            method = f"bootstrap of items, {request.describe()}"
            return with_percentiles(self.estimate, draws_of_items(sample, request), method, request.confidence)
        warnings = self.estimate.warnings + few_topics(len(sample.topics), not self.two_judgements)
        estimate = replace(self.estimate, warnings=warnings)
        method = f"topics, then documents resampled, {request.describe()}"
        return with_percentiles(estimate, draws_of_topics(sample, request), method, request.confidence)

    def _about_topics(self, sample: Sample, result: Jackknife) -> tuple[str, ...]:
        few = few_topics(len(sample.topics), not self.two_judgements)
        return few or most_variance(float(result.largest))


def _containing(estimate: Estimate, other: Estimate) -> Estimate:
    """The estimate with limits that contain those of another one, if both have limits."""
    if estimate.low is None or estimate.high is None or other.low is None or other.high is None:
        return estimate
    return replace(estimate, low=min(estimate.low, other.low), high=max(estimate.high, other.high))


def _analytic(estimate: Estimate, sample: Sample, method: str, correction: int) -> Estimate:
    n, times = sample.times.sum(), sample.times
    if n - correction <= 0:
        return replace(estimate, method=f"analytic: {method}")
    influence = sample.kernel.influence(times)
    if correction:
        influence = influence + sample.kernel.gwet(times)
    se = float((times @ influence**2 / (n * (n - correction))) ** 0.5)
    return replace(estimate, se=se, method=f"analytic: {method}")


def with_studentised(estimate: Estimate, result: Studentised, request: IntervalRequest) -> Estimate:
    """The estimate with a studentised interval; with its value as both limits if nothing varies."""
    what = "topics" if request.topics else "items"
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
    if kind != "jackknife_topics":
        return sample.kernel.values(times @ features - features), times
    sums = np.array([counts @ features[patterns] for patterns, counts in sample.topics])
    return sample.kernel.values(times @ features - sums), np.ones(len(sums))


def with_percentiles(estimate: Estimate, values: Floats, method: str, confidence: float) -> Estimate:
    """The estimate with percentiles of its values in samples as limits; nan if undefined in a sample."""
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


def with_fisher_limits(estimate: Estimate, confidence: float, parts: int) -> Estimate:
    """The estimate with limits of t on the scale of atanh(value), if the value is inside -1 and 1."""
    if estimate.se is None or estimate.value is None or abs(estimate.value) > 1 - TINY:
        return with_limits(estimate, confidence, parts)
    middle = np.arctanh(estimate.value)
    reach = float(t_quantile(confidence, parts)) * estimate.se / (1 - estimate.value**2)
    if not reach:  # tanh(atanh(value)) may differ from the value by rounding
        return with_limits(estimate, confidence, parts)
    return replace(estimate, low=float(np.tanh(middle - reach)), high=float(np.tanh(middle + reach)))


def width_of(estimate: Estimate) -> tuple[str, ...]:
    """The warning that there is no interval, or that it has no width."""
    return width(None if estimate.low is None or estimate.high is None else estimate.high - estimate.low)


def _warnings(estimate: Estimate, sample: Sample) -> tuple[str, ...]:
    return few_items(estimate.n) + rare_grades([uses < FEW_USES for uses in sample.uses.values()], sample.uses)
