"""Intervals of the coefficients of agreement: how far a value may be from that of all such items.

`interval=` is

None
    No interval.
"analytic"
    From the influence u of each item on the coefficient, and the normal quantile z: value -+ z se. For Cohen's
    kappa, weighted or not, se^2 = sum of u^2 / n^2, which is Fleiss, Cohen and Everitt (1969); the other
    coefficients of a table are treated alike (delta method). From Ratings, se^2 = sum of u^2 / (n (n - 1)), which
    is the linearised variance of Gwet (2014); it takes the number of items with two judgements as given. Limits
    are not cut off at 1.
"bootstrap"
    `draws` samples of as many items, drawn with replacement; percentiles.
"jackknife"
    Each item left out once; value -+ z se.
"topics"
    `draws` samples of as many topics, and within each of as many documents, both drawn with replacement;
    percentiles. Documents of one topic resemble each other, so that this is the honest one where the topics are a
    sample of the questions that people ask.

`level` is the level of confidence. Bootstrap and topics take their chance from `seed` or `rng`. A draw in which the
coefficient is undefined is left out and counted in `warnings`, which also tells where n < 100, or somebody gave a
grade fewer than five times: intervals are rough there. `se_null` comes with analytic intervals (`agreement.intervals.null_errors`).

Coverage, found in 1,000 simulated data sets a setting (`benchmarks/coverage.py`; the whole table is
docs/coverage.md). Of 95 % intervals of Cohen's kappa of two judges, analytic, bootstrap and jackknife held the
truth in 91 to 93 % at n = 30, 94 % at n = 100 and 95 to 96 % at n = 400 where half of the items were relevant;
where 5 % were, in 71 to 75 % at n = 30, 92 to 95 % at n = 100 and 95 % at n = 400. Over ten topics of different
prevalence, those that do not know of topics held it in 88 % at n = 400, and "topics" in 97 %.

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
from agreement.intervals.kernel import Sample
from agreement.intervals.requests import Request, requested
from agreement.intervals.resampling import draws_of_items, draws_of_means, draws_of_topics

__all__ = ["GWET", "Measured", "Request", "mean_with_interval", "requested"]

FEW_ITEMS, FEW_USES, FEW_TOPICS = 100, 5, 10
GWET = "Gwet's linearised variance, n - 1"


@dataclass(frozen=True)
class Measured:
    """An estimate, and what an interval of it needs; it is made only where one is asked.

    Attributes
    ----------
    estimate : Estimate
        Without interval.
    sample : callable
        `sample(topics)` gives the `Sample` of a defined estimate, with its topics or without.
    method : str
        The source of the analytic standard error.
    correction : {0, 1}
        The analytic variance is divided by n (n - correction).
    se_null : callable or None
        Gives the standard error under chance.
    """

    estimate: Estimate
    sample: Callable[[bool], Sample]
    method: str = GWET
    correction: int = 1
    se_null: Callable[[], float | None] | None = None

    def with_interval(self, request: Request | None) -> Estimate:
        """The estimate with the interval asked for; as it is where none is, or it is undefined."""
        if request is None or not self.estimate.defined:
            return self.estimate
        sample = self.sample(request.topics)
        found = replace(self._found(request, sample), level=request.level)
        found = replace(found, warnings=found.warnings + _warnings(found, sample))
        return _limited(found) if found.low is None else found

    def _found(self, request: Request, sample: Sample) -> Estimate:
        if request.how == "jackknife":
            return _jackknife(self.estimate, sample)
        if request.how != "analytic":
            return _resampled(self.estimate, request, sample)
        null = self.se_null() if self.se_null else None
        return replace(_analytic(self.estimate, sample, self.method, self.correction), se_null=null)


def mean_with_interval(estimate: Estimate, request: Request, parts: list[Measured]) -> Estimate:
    """The mean of the values of topics with its interval.

    Parameters
    ----------
    estimate : Estimate
        The mean of those that are defined; as it is where none is.
    request : Request
    parts : list of Measured
        One for each topic.
    """
    values = [part.estimate.value for part in parts if part.estimate.defined]
    if not values:
        return estimate
    estimate = replace(estimate, level=request.level, warnings=_few_topics(len(values)) + _few_items(estimate.n))
    if request.how in ("analytic", "jackknife"):
        se = float(np.std(values, ddof=1) / len(values) ** 0.5) if len(values) > 1 else None
        return _limited(replace(estimate, se=se, method=f"{request.how}: standard error of a mean of topics"))
    what = "topics, then documents" if request.topics else "documents within topics"
    method = f"{what} resampled, {request.said()}"
    samples = [part.sample(False) if part.estimate.defined else None for part in parts]
    found = _percentiles(estimate, draws_of_means(samples, request), method, request.level)
    return found if found.low is not None else _limited(found)


def _analytic(estimate: Estimate, sample: Sample, method: str, correction: int) -> Estimate:
    n, times = sample.times.sum(), sample.times
    if n - correction <= 0:
        return replace(estimate, method=f"analytic: {method}")
    influence = sample.kernel.influence(times)
    if correction:
        influence = influence + sample.kernel.gwet(times)
    se = float((times @ influence**2 / (n * (n - correction))) ** 0.5)
    return replace(estimate, se=se, method=f"analytic: {method}")


def _jackknife(estimate: Estimate, sample: Sample) -> Estimate:
    features, times = sample.kernel.features, sample.times
    values = sample.kernel.values(times @ features - features)
    defined = np.isfinite(values)
    n, lost = times[defined].sum(), int(times[~defined].sum())
    warnings = _lost(lost, int(times.sum()), "samples")
    estimate = replace(estimate, method="jackknife: each item left out once", warnings=warnings)
    if n < 2:
        return estimate
    apart = values[defined] - times[defined] @ values[defined] / n
    return replace(estimate, se=float(((n - 1) / n * (times[defined] @ apart**2)) ** 0.5))


def _resampled(estimate: Estimate, request: Request, sample: Sample) -> Estimate:
    if not request.topics:
        method = f"bootstrap of items, {request.said()}"
        return _percentiles(estimate, draws_of_items(sample, request), method, request.level)
    estimate = replace(estimate, warnings=_few_topics(len(sample.topics)))
    method = f"topics, then documents resampled, {request.said()}"
    return _percentiles(estimate, draws_of_topics(sample, request), method, request.level)


def _percentiles(estimate: Estimate, values: np.ndarray, method: str, level: float) -> Estimate:
    defined = values[np.isfinite(values)]
    lost = len(values) - len(defined)
    estimate = replace(estimate, method=method, warnings=estimate.warnings + _lost(lost, len(values), "draws"))
    if len(defined) < 2:
        return estimate
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return replace(estimate, low=float(low), high=float(high), se=float(defined.std(ddof=1)))


def _limited(estimate: Estimate) -> Estimate:
    """With limits from the standard error and the normal quantile."""
    if estimate.se is None:
        return replace(estimate, warnings=(*estimate.warnings, "too few items for an interval"))
    if not estimate.se:
        estimate = replace(estimate, warnings=(*estimate.warnings, "no item differs: the interval has no width"))
    reach = NormalDist().inv_cdf((1 + estimate.level) / 2) * estimate.se
    return replace(estimate, low=estimate.value - reach, high=estimate.value + reach)


def _lost(number: int, whole: int, what: str) -> tuple[str, ...]:
    return (f"undefined in {number} of {whole} {what}",) if number else ()


def _few_topics(number: int) -> tuple[str, ...]:
    if number == 1:
        return ("one topic: how topics differ is not seen",)
    return (f"only {number} topics",) if number < FEW_TOPICS else ()


def _warnings(estimate: Estimate, sample: Sample) -> tuple[str, ...]:
    few = [str(grade) for grade, uses in sample.uses.items() if uses < FEW_USES]
    rare = (f"given fewer than {FEW_USES} times by somebody: grade {', '.join(few)}",) if few else ()
    return _few_items(estimate.n) + rare


def _few_items(n: int) -> tuple[str, ...]:
    return (f"n < {FEW_ITEMS}",) if n < FEW_ITEMS else ()
