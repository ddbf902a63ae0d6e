"""Before judging starts: how many documents two assessors should both judge, and how many hours a pool costs.

For large n the variance of Cohen's kappa of two assessors is q / n, with the q of the table that is expected
(`pooling.planning.expected_kappa`). An interval is kappa -+ z sqrt(q / n), so that its whole width is at most w from
n = q (2 z / w)^2 on. A. B. Cantor (Sample-size calculations for Cohen's kappa, Psychological Methods 1, 1996) plans
by the same q. The interval that judging brings in the end is as wide on average; with few documents it is rough.

The number is for one pair of assessors. Where several share the overlap, it is for the kappa of all their doubly
judged documents in one table, as if any two of them were alike; each pair alone has only its part.

There is no such number where the prevalence is 0 or 1 (kappa is undefined), where kappa is 1 (the two never differ,
and no interval has a width), or where two assessors of that prevalence and bias cannot have that
kappa. The result then says why.
"""

from dataclasses import dataclass
from math import ceil
from statistics import NormalDist

from pooling.planning.expected_kappa import TIE, expected_table, kappa_variance, why_none
from pooling.planning.ranges import (
    check_assessors,
    check_countable,
    check_pairs,
    check_pool_size,
    check_width,
    check_work,
    seconds_of,
)


@dataclass(frozen=True)
class OverlapPlan:
    """How many documents two assessors should both judge.

    Attributes
    ----------
    pairs : int or None
        Number of doubly judged topic-document pairs; None where there is none, for `reason`.
    width : float or None
        Width of the interval that is expected at so many pairs, from its lower to its upper limit; None where
        there is none.
    kappa, prevalence, bias, level : float
        What was asked for.
    status : str
        "ok" or "undefined".
    reason : str or None
        Why there is no number, in a sentence.
    """

    pairs: int | None
    width: float | None
    kappa: float
    prevalence: float
    bias: float
    level: float
    status: str = "ok"
    reason: str | None = None

    def __str__(self) -> str:
        if self.status != "ok":
            return f"undefined ({self.reason})"
        bias = f" and bias {self.bias:g}" if self.bias else ""
        return (
            f"{self.pairs:,} doubly judged documents give a {100 * self.level:g}% interval of width {self.width:.3f}"
            f" for kappa {self.kappa:g} at prevalence {self.prevalence:g}{bias}"
        )


@dataclass(frozen=True)
class HoursPlan:
    """What judging costs.

    Attributes
    ----------
    judgements : int
        Number of judgements, hidden repeats among them.
    repeats : int
        Number of hidden repeats.
    hours, hours_per_assessor : float
        Of all assessors together, and of the one who has most.
    assessors : int
    seconds_per_judgement : float
    """

    judgements: int
    repeats: int
    hours: float
    hours_per_assessor: float
    assessors: int
    seconds_per_judgement: float

    def __str__(self) -> str:
        share = f", {self.hours_per_assessor:,.1f} for each of {self.assessors}" if self.assessors > 1 else ""
        repeats = f" ({self.repeats:,} of them hidden repeats)" if self.repeats else ""
        return (
            f"{self.judgements:,} judgements{repeats} of {self.seconds_per_judgement:g} seconds take"
            f" {self.hours:,.1f} assessor-hours{share}"
        )


@dataclass(frozen=True)
class Plan:
    """A pool judged once, as much of it twice as kappa needs, and what that costs.

    Attributes
    ----------
    overlap : OverlapPlan
    share : float or None
        The share of the pool to be judged twice, for `overlap_sample(share, 2)`; 1 where all of it is not enough,
        None where the overlap is undefined.
    enough : bool
        Whether the pool has as many documents as the overlap asks for.
    hours : HoursPlan
        With nothing judged twice where the overlap is undefined.
    """

    overlap: OverlapPlan
    share: float | None
    enough: bool
    hours: HoursPlan

    def __str__(self) -> str:
        if self.share is None:
            return f"No overlap can be planned: {self.overlap.reason}. Judged once: {self.hours}."
        lack = "" if self.enough else " The pool is smaller than that."
        return f"{self.overlap}: {self.share:.1%} of the pool.{lack} {self.hours}."


def plan_overlap(width: float, kappa: float, prevalence: float, level: float = 0.95, bias: float = 0.0) -> OverlapPlan:
    """How many documents two assessors must both judge for an interval of that width.

    Parameters
    ----------
    width : float
        Of the interval, from its lower to its upper limit; above 0 and at most 2, which is all that kappa spans.
    kappa : float
        Cohen's kappa that is expected, from -1 to 1.
    prevalence : float
        The share of documents that is found relevant, in the mean of the two assessors; from 0 to 1.
    level : float
        Level of confidence, between 0 and 1.
    bias : float
        The share that the first finds relevant, less that of the second.

    Returns
    -------
    OverlapPlan
        The least number of documents; at least 2.

    Raises
    ------
    ValueError
        A number is out of its range, or the width so small that 2**53 documents are not enough.
    """
    check_width(width)
    asked, variance, reason = _asked(kappa, prevalence, level, bias)
    if reason:
        return OverlapPlan(None, None, *asked, "undefined", reason)
    root = 2 * _quantile(level) / float(width)
    check_countable(variance * root * root, width)
    pairs = max(ceil(variance * root**2 * (1 - TIE)), 2)
    return OverlapPlan(pairs, _width(variance, pairs, level), *asked)


def expected_width(pairs: int, kappa: float, prevalence: float, level: float = 0.95, bias: float = 0.0) -> OverlapPlan:
    """How wide the interval is when two assessors both judge so many documents.

    Parameters
    ----------
    pairs : int
        Number of documents, at least 2 and below 2**53.
    kappa, prevalence, level, bias : float
        As for `plan_overlap`.

    Returns
    -------
    OverlapPlan

    Raises
    ------
    ValueError
        A number is out of its range.
    """
    check_pairs(pairs)
    asked, variance, reason = _asked(kappa, prevalence, level, bias)
    if reason:
        return OverlapPlan(None, None, *asked, "undefined", reason)
    return OverlapPlan(int(pairs), _width(variance, int(pairs), level), *asked)


def plan_hours(
    pool_size: int,
    judges: float,
    *,
    seconds_per_judgement: float | None = None,
    judgements_per_hour: float | None = None,
    repeats: float = 0.0,
    assessors: int = 1,
) -> HoursPlan:
    """How many assessor-hours a pool costs.

    Parameters
    ----------
    pool_size : int
        Number of tasks.
    judges : float
        Assessors for each task, in the mean: 1.2 where a fifth is judged by two. Any number from 0.
    seconds_per_judgement, judgements_per_hour : float
        The pace of one assessor, above 0; one of the two.
    repeats : float
        The share that is judged a second time by the same assessor, from 0 to 1.
    assessors : int
        How many there are, at least 1. Nobody has more than one judgement more than another.

    Returns
    -------
    HoursPlan

    Raises
    ------
    ValueError
        A number is out of its range, or not one pace was given.
    """
    check_pool_size(pool_size)
    check_work(judges, repeats, assessors)
    pool_size, assessors = int(pool_size), int(assessors)
    seconds = seconds_of(seconds_per_judgement, judgements_per_hour)
    first = _rounded(pool_size * judges)
    again = _rounded(first * repeats)
    most = ceil((first + again) / assessors)
    return HoursPlan(first + again, again, (first + again) * seconds / 3600, most * seconds / 3600, assessors, seconds)


def plan(
    pool_size: int,
    *,
    width: float,
    kappa: float,
    prevalence: float,
    level: float = 0.95,
    bias: float = 0.0,
    seconds_per_judgement: float | None = None,
    judgements_per_hour: float | None = None,
    repeats: float = 0.0,
    assessors: int = 2,
) -> Plan:
    """A pool that is judged once, and as much of it twice as an interval for kappa needs: how much, and at what cost.

    Parameters and errors are those of `plan_overlap` and `plan_hours`.

    Returns
    -------
    Plan
    """
    check_pool_size(pool_size)
    overlap = plan_overlap(width, kappa, prevalence, level, bias)
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


def _asked(kappa: float, prevalence: float, level: float, bias: float) -> tuple[tuple, float, str | None]:
    """What was asked for, the variance of kappa times n, and why there is none."""
    check_assessors(kappa, prevalence, level, bias)
    asked = (kappa, prevalence, bias, level)
    if reason := why_none(kappa, prevalence, bias):
        return asked, 0.0, reason
    return asked, kappa_variance(expected_table(kappa, prevalence, bias)), None


def _quantile(level: float) -> float:
    return NormalDist().inv_cdf(min((1 + level) / 2, 1 - 2**-53))


def _width(variance: float, pairs: int, level: float) -> float:
    return 2 * _quantile(level) * (variance / pairs) ** 0.5


def _rounded(number: float) -> int:
    """The nearest whole number, half upwards; one that is whole but for its last bits stays."""
    return int(number + 0.5 + 1e-9)
