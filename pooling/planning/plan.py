"""Plan before judging: how many documents two assessors should both judge, and how many hours a pool takes.

For large n the variance of Cohen's kappa of two assessors is q / n, where q follows from the expected table
(`pooling.planning.expected_kappa`). A confidence interval is kappa -+ z sqrt(q / n), so its width is at most w if
n >= q (2 z / w)^2. A. B. Cantor (Sample-size calculations for Cohen's kappa, Psychological Methods 1, 1996) uses the
same q. The interval that judging gives is this wide on average; with few documents the plan is rough.

The number is for one pair of assessors. If several assessors share the overlap, it applies to kappa of all doubly
judged documents in one table, assuming that all pairs of assessors are alike; each single pair has only its part.

An interval from few documents does not hold, whatever its width: with kappa 0.9, prevalence 0.2 and width 0.3, the 95%
interval of 52 documents contains kappa in 82% of the cases. So a plan carries a warning unless it expects at least 10
documents on which the assessors differ, 10 that both find relevant, and 10 that both do not. In simulations of 2,420
plans without a warning (kappa 0 to 0.95, prevalence 0.005 to 0.5, level 80% to 99%), the interval contained kappa at
most 4 percentage points less often than its level: 92.2% or more for 95%.

The number is undefined, with a reason, if the prevalence is 0 or 1 (kappa is undefined), if the variance of kappa is 0
(for example with kappa 1, so that no interval has a width), or if two assessors with this prevalence and bias cannot
have this kappa.
"""

from math import ceil
from statistics import NormalDist

from pooling.planning.expected_kappa import TIE, expected_table, interval_warning, kappa_variance, undefined_reason
from pooling.planning.ranges import (
    check_assessors,
    check_countable,
    check_pairs,
    check_pool_size,
    check_width,
    check_work,
    seconds_per_judgement_from,
)
from pooling.planning.results import HoursPlan, OverlapPlan, Plan


def plan_overlap(
    width: float, kappa: float, prevalence: float, confidence: float = 0.95, bias: float = 0.0
) -> OverlapPlan:
    """Plan how many documents two assessors must both judge for a confidence interval of a given width.

    The variance of Cohen's kappa is that of Fleiss, Cohen and Everitt (1969); Cantor (1996) plans in the same way.

    Parameters
    ----------
    width : float
        The width of the interval, from its lower to its upper limit; above 0 and at most 2, the range of kappa.
    kappa : float
        The expected value of Cohen's kappa, from -1 to 1.
    prevalence : float
        The expected share of relevant documents, as the mean of the two assessors; from 0 to 1.
    confidence : float
        The confidence level, between 0 and 1.
    bias : float
        The share of relevant documents of the first assessor minus that of the second.

    Returns
    -------
    OverlapPlan
        The smallest sufficient number of documents, at least 2. It has a warning if the interval may not hold, because
        few documents decide. Undefined, with a reason, if the prevalence is 0 or 1, the variance of kappa is 0, or this
        kappa is impossible with this prevalence and bias.

    Raises
    ------
    ValueError
        If a value is out of its range, or the width is so small that more than 2**53 documents are needed.

    Examples
    --------
    >>> from pooling import plan_overlap
    >>> print(plan_overlap(width=0.2, kappa=0.6, prevalence=0.3))
    296 doubly judged documents give a 95% interval of width 0.200 for kappa 0.6 at prevalence 0.3
    >>> plan_overlap(width=0.3, kappa=0.9, prevalence=0.2).warning.split(":")[0]
    'the interval may not hold'
    """
    check_width(width)
    variance, reason = _variance(kappa, prevalence, confidence, bias)
    if reason:
        return OverlapPlan(None, None, kappa, prevalence, bias, confidence, "undefined", reason)
    root = 2 * _quantile(confidence) / float(width)
    # A product overflows to infinity, which is refused; ** would raise OverflowError.
    check_countable(variance * root * root, width)
    # A rounding error above a whole number must not add a document.
    pairs = max(ceil(variance * root**2 * (1 - TIE)), 2)
    return _overlap_plan(variance, pairs, kappa, prevalence, bias, confidence)


def expected_width(
    pairs: int, kappa: float, prevalence: float, confidence: float = 0.95, bias: float = 0.0
) -> OverlapPlan:
    """Compute the expected width of the confidence interval if two assessors both judge a given number of documents.

    The variance of Cohen's kappa is that of Fleiss, Cohen and Everitt (1969).

    Parameters
    ----------
    pairs : int
        Number of documents that both judge, at least 2 and below 2**53.
    kappa : float
        The expected value of Cohen's kappa, from -1 to 1.
    prevalence : float
        The expected share of relevant documents, as the mean of the two assessors; from 0 to 1.
    confidence : float
        The confidence level, between 0 and 1.
    bias : float
        The share of relevant documents of the first assessor minus that of the second.

    Returns
    -------
    OverlapPlan
        The expected width. It has a warning if the interval may not hold, because few documents decide. Undefined, with
        a reason, if the prevalence is 0 or 1, the variance of kappa is 0, or this kappa is impossible with this
        prevalence and bias.

    Raises
    ------
    ValueError
        If a value is out of its range.

    Examples
    --------
    >>> from pooling import expected_width
    >>> round(expected_width(100, kappa=0.6, prevalence=0.3).width, 3)
    0.344
    """
    check_pairs(pairs)
    variance, reason = _variance(kappa, prevalence, confidence, bias)
    if reason:
        return OverlapPlan(None, None, kappa, prevalence, bias, confidence, "undefined", reason)
    return _overlap_plan(variance, int(pairs), kappa, prevalence, bias, confidence)


def plan_hours(
    pool_size: int,
    judges: float,
    *,
    seconds_per_judgement: float | None = None,
    judgements_per_hour: float | None = None,
    repeats: float = 0.0,
    assessors: int = 1,
) -> HoursPlan:
    """Compute the assessor-hours that judging a pool takes.

    Parameters
    ----------
    pool_size : int
        Number of tasks, from 0 and below 2**53.
    judges : float
        The mean number of assessors per task, from 0; 1.2 if a fifth of the tasks is judged by two.
    seconds_per_judgement, judgements_per_hour : float
        The pace of one assessor, above 0; pass exactly one of the two.
    repeats : float
        The share of judgements that is repeated by the same assessor, from 0 to 1.
    assessors : int
        Number of assessors, at least 1. Their numbers of judgements differ by at most one.

    Returns
    -------
    HoursPlan
        The judgements and hours in total and per assessor.

    Raises
    ------
    ValueError
        If a value is out of its range, or not exactly one pace is passed.

    Examples
    --------
    >>> from pooling import plan_hours
    >>> print(plan_hours(1000, 1.2, seconds_per_judgement=30, assessors=2))
    1,200 judgements of 30 seconds take 10.0 assessor-hours, 5.0 for each of 2
    """
    check_pool_size(pool_size)
    check_work(judges, repeats, assessors)
    pool_size, assessors = int(pool_size), int(assessors)
    seconds = seconds_per_judgement_from(seconds_per_judgement, judgements_per_hour)
    n_first = _rounded(pool_size * judges)
    n_repeats = _rounded(n_first * repeats)
    total = n_first + n_repeats
    largest = ceil(total / assessors)
    return HoursPlan(total, n_repeats, total * seconds / 3600, largest * seconds / 3600, assessors, seconds)


def plan(
    pool_size: int,
    *,
    width: float,
    kappa: float,
    prevalence: float,
    confidence: float = 0.95,
    bias: float = 0.0,
    seconds_per_judgement: float | None = None,
    judgements_per_hour: float | None = None,
    repeats: float = 0.0,
    assessors: int = 2,
) -> Plan:
    """Plan a pool that is judged once, and partly twice for a confidence interval of kappa.

    Parameters
    ----------
    pool_size : int
        Number of tasks, from 0 and below 2**53.
    width : float
        The width of the interval, from its lower to its upper limit; above 0 and at most 2, the range of kappa.
    kappa : float
        The expected value of Cohen's kappa, from -1 to 1.
    prevalence : float
        The expected share of relevant documents, as the mean of the two assessors; from 0 to 1.
    confidence : float
        The confidence level, between 0 and 1.
    bias : float
        The share of relevant documents of the first assessor minus that of the second.
    seconds_per_judgement, judgements_per_hour : float
        The pace of one assessor, above 0; pass exactly one of the two.
    repeats : float
        The share of judgements that is repeated by the same assessor, from 0 to 1.
    assessors : int
        Number of assessors, at least 1.

    Returns
    -------
    Plan
        The overlap, with a warning if its interval may not hold, the share of the pool to judge twice, and the hours.

    Raises
    ------
    ValueError
        If a value is out of its range, not exactly one pace is passed, or the width is so small that more than 2**53
        documents are needed.

    Examples
    --------
    >>> from pooling import plan
    >>> planned = plan(2000, width=0.2, kappa=0.6, prevalence=0.3, judgements_per_hour=60)
    >>> planned.overlap.pairs, planned.share, planned.hours.judgements
    (296, 0.148, 2296)
    """
    check_pool_size(pool_size)
    overlap = plan_overlap(width, kappa, prevalence, confidence, bias)
    twice = min(overlap.pairs or 0, pool_size)
    hours = plan_hours(
        pool_size,
        1 + twice / pool_size if pool_size else 1,
        seconds_per_judgement=seconds_per_judgement,
        judgements_per_hour=judgements_per_hour,
        repeats=repeats,
        assessors=assessors,
    )
    share = twice / pool_size if pool_size else 0.0
    return Plan(overlap, None if overlap.pairs is None else share, twice == overlap.pairs, hours)


def _variance(kappa: float, prevalence: float, confidence: float, bias: float) -> tuple[float, str | None]:
    """The variance of kappa times n, and the reason if it is undefined."""
    check_assessors(kappa, prevalence, confidence, bias)
    if reason := undefined_reason(kappa, prevalence, bias):
        return 0.0, reason
    return kappa_variance(expected_table(kappa, prevalence, bias)), None


def _overlap_plan(
    variance: float, pairs: int, kappa: float, prevalence: float, bias: float, confidence: float
) -> OverlapPlan:
    """The plan with this number of documents."""
    warning = interval_warning(expected_table(kappa, prevalence, bias), pairs, confidence)
    return OverlapPlan(pairs, _width(variance, pairs, confidence), kappa, prevalence, bias, confidence, warning=warning)


def _quantile(confidence: float) -> float:
    # Just below 1, (1 + confidence) / 2 rounds to 1, for which inv_cdf raises an error.
    return NormalDist().inv_cdf(min((1 + confidence) / 2, 1 - 2**-53))


def _width(variance: float, pairs: int, confidence: float) -> float:
    return float(2 * _quantile(confidence) * (variance / pairs) ** 0.5)


def _rounded(number: float) -> int:
    """The nearest whole number; .5 is rounded up. Rounding errors in the last bits are ignored."""
    return int(number + 0.5 + 1e-9)
