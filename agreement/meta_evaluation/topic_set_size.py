"""How many topics a collection needs: topic set size design.

The designs find the smallest number of topics n that meets a requirement, for scores with a known variance:

t test      a true difference D of two systems is significant at the level alpha (two-sided) with at least the required
            power. Paired: the variance v is that of the differences over topics, the noncentrality is D / sqrt(v / n),
            and there are n - 1 degrees of freedom. Unpaired, with n topics of each system: v is the variance of the
            scores of a system, the noncentrality is D / sqrt(2 v / n), with 2 (n - 1) degrees of freedom.
ANOVA       if the best and the worst of m systems differ by D, the F test of a one-way analysis of variance is
            significant with at least the required power. In the hardest case all other systems are halfway between
            the two: the noncentrality is n D^2 / (2 v), with m - 1 and m (n - 1) degrees of freedom, and v the variance
            of the scores of a system.
interval    the expected width of the interval of the difference of two systems, 2 t(1 - alpha / 2, f) E(e), is at most
            the required one. The expected standard error E(e) is sqrt(v / n) sqrt(2 / f) Gamma((f + 1) / 2) /
            Gamma(f / 2), with f = n - 1; unpaired, v / n becomes 2 v / n, and f = 2 (n - 1).

Powers are exact, from the noncentral t and F distributions, and n is exact too, not an approximation that is corrected
by trial. All designs assume normal scores of equal variance.

A pilot gives the variances. `score_variance` pools the variances of the systems, the residual variance of a one-way
analysis of variance. `difference_variance` is the mean over pairs of systems; without a pilot with paired scores, twice
the variance of the scores is an upper limit if systems are not negatively correlated.

References
----------
T. Sakai (2016). Topic set size design. Information Retrieval Journal 19(3), 256-283.
T. Sakai (2018). Topic set size design for paired and unpaired data. ICTIR 2018, 199-202.
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd ed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import flag, level, number, whole_number
from agreement.estimate import Estimate, format_value, undefined
from agreement.significance.pairs import checked_scores, score_rows
from agreement.significance.power import POWER, required_power, t_power
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count

MOST_TOPICS = 10_000_000


@dataclass(frozen=True, repr=False)
class TopicSetSize(Result):
    """The number of topics that a design requires; returned by the functions of topic set size design.

    Attributes
    ----------
    design : str
        "paired t test", "unpaired t test", "one-way ANOVA", "paired interval" or "unpaired interval".
    n_topics : int
        Smallest number of topics that meets the requirement, at least 2; in an unpaired design, of each system.
    required, reached : float
        Required and reached power; for an interval, required and expected width.
    difference : float or None
        True difference in units of the measure; None for an interval.
    variance, alpha : float
        The variance that was assumed, and the level.
    n_systems : int
        Number of systems.

    Examples
    --------
    >>> from agreement.meta_evaluation import topics_for_t_test
    >>> design = topics_for_t_test(0.05, variance=0.02)
    >>> design.n_topics, round(design.reached, 3)
    (65, 0.802)
    """

    design: str
    n_topics: int
    required: float
    reached: float
    difference: float | None
    variance: float
    alpha: float
    n_systems: int = 2

    def to_frame(self) -> pd.DataFrame:
        """One row with a column for each attribute."""
        row = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return pd.DataFrame([row]).astype({"difference": "Float64"})

    def _sentence(self) -> str:
        topics = count(self.n_topics, "topic") + (" of each system" if self.design.startswith("unp") else "")
        if self.difference is None:
            width = f"an expected width of {format_value(self.reached)} (at most {format_value(self.required)})"
            return f"{topics} give {width}, {self.design}, level {self.alpha:g}"
        power = f"a power of {self.reached:.1%} (at least {self.required:.0%})"
        return f"{topics} give {power} for a difference of {format_value(self.difference)}, {self.design}"


def topics_for_t_test(
    difference: float, variance: float, alpha: float = 0.05, power: float = POWER, paired: bool = True
) -> TopicSetSize:
    """Find the number of topics with which a t test finds a true difference of two systems.

    Parameters
    ----------
    difference : float
        The smallest true difference of the mean scores that must be significant with the required probability, above
        0, in units of the measure.
    variance : float
        Variance over topics, above 0: of the differences of the two systems (see `difference_variance`), or with
        `paired=False` of the scores of a system (see `score_variance`).
    alpha : float
        Level of significance, between 0 and 1.
    power : float
        Required probability that the difference is significant, between alpha and 1.
    paired : bool
        Whether both systems are measured on the same topics.

    Returns
    -------
    TopicSetSize

    Raises
    ------
    ValueError
        An argument is out of range, or more than ten million topics are needed.

    References
    ----------
    T. Sakai (2016). Topic set size design. Information Retrieval Journal 19(3), 256-283.

    Examples
    --------
    >>> from agreement.meta_evaluation import topics_for_t_test
    >>> topics_for_t_test(0.1, variance=0.02).n_topics
    18
    >>> topics_for_t_test(0.1, variance=0.02, paired=False).n_topics
    33
    """
    _check(variance=variance, difference=difference)
    _check_levels(alpha, power)
    flag("paired", paired)

    def reached(n: int) -> float:
        error = (variance * (1 if paired else 2) / n) ** 0.5
        return t_power(difference / error, n - 1 if paired else 2 * (n - 1), alpha)

    n = _smallest(lambda n: reached(n) >= power)
    name = "paired t test" if paired else "unpaired t test"
    return TopicSetSize(name, n, power, reached(n), difference, variance, alpha)


def topics_for_anova(
    difference: float, variance: float, n_systems: int, alpha: float = 0.05, power: float = POWER
) -> TopicSetSize:
    """Find the number of topics with which a one-way analysis of variance finds that systems differ.

    Parameters
    ----------
    difference : float
        The smallest true difference of the best and the worst system that must be significant with the required
        probability, above 0.
    variance : float
        Variance over topics of the scores of a system, above 0 (see `score_variance`).
    n_systems : int
        Number of systems, at least 2.
    alpha : float
        Level of significance, between 0 and 1.
    power : float
        Required probability that the F test is significant, between alpha and 1, for the systems with the smallest
        variance among each other that differ so much.

    Returns
    -------
    TopicSetSize

    Raises
    ------
    ValueError
        An argument is out of range, or more than ten million topics are needed.

    References
    ----------
    T. Sakai (2016). Topic set size design. Information Retrieval Journal 19(3), 256-283.

    Examples
    --------
    >>> from agreement.meta_evaluation import topics_for_anova
    >>> topics_for_anova(0.1, variance=0.02, n_systems=10).n_topics
    64
    """
    _check(variance=variance, difference=difference)
    _check_levels(alpha, power)
    n_systems = whole_number("n_systems", n_systems, 2)

    def reached(n: int) -> float:
        return f_power(n * difference**2 / (2 * variance), n_systems - 1, n_systems * (n - 1), alpha)

    n = _smallest(lambda n: reached(n) >= power)
    return TopicSetSize("one-way ANOVA", n, power, reached(n), difference, variance, alpha, n_systems)


def topics_for_interval(width: float, variance: float, alpha: float = 0.05, paired: bool = True) -> TopicSetSize:
    """Find the number of topics with which the interval of the difference of two systems is narrow enough.

    Parameters
    ----------
    width : float
        Largest expected width of the interval, from its lower to its upper limit, above 0, in units of the measure.
    variance : float
        Variance over topics, above 0: of the differences of the two systems (see `difference_variance`), or with
        `paired=False` of the scores of a system (see `score_variance`).
    alpha : float
        The interval has the level 1 - alpha, between 0 and 1.
    paired : bool
        Whether both systems are measured on the same topics.

    Returns
    -------
    TopicSetSize

    Raises
    ------
    ValueError
        An argument is out of range, or more than ten million topics are needed.

    References
    ----------
    T. Sakai (2016). Topic set size design. Information Retrieval Journal 19(3), 256-283.

    Examples
    --------
    >>> from agreement.meta_evaluation import topics_for_interval
    >>> topics_for_interval(0.1, variance=0.02).n_topics
    33
    """
    _check(variance=variance, width=width)
    _check_levels(alpha, None)
    flag("paired", paired)

    def expected(n: int) -> float:
        from scipy.special import gammaln, stdtrit  # takes a second to import, and most callers do not design

        freedom = n - 1 if paired else 2 * (n - 1)
        share = (2 / freedom) ** 0.5 * np.exp(gammaln((freedom + 1) / 2) - gammaln(freedom / 2))
        error = (variance * (1 if paired else 2) / n) ** 0.5 * share
        return float(2 * stdtrit(freedom, 1 - alpha / 2) * error)

    n = _smallest(lambda n: expected(n) <= width)
    name = "paired interval" if paired else "unpaired interval"
    return TopicSetSize(name, n, width, expected(n), None, variance, alpha)


def score_variance(scores: Input) -> Estimate:
    """Estimate the variance over topics of the scores of a system, pooled over all systems.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.

    Returns
    -------
    Estimate
        The mean of the variances (divisor n_topics - 1) of the systems, in squared units of the measure; `n` is the
        number of topics. Undefined with fewer than two topics ("one_topic") or without systems ("no_systems").

    Raises
    ------
    ValueError
        A system or a topic occurs twice, or a score is missing or not finite.

    References
    ----------
    T. Sakai (2016). Topic set size design. Information Retrieval Journal 19(3), 256-283.

    Examples
    --------
    >>> from agreement.meta_evaluation import score_variance
    >>> round(score_variance({"bm25": {"1": 0.5, "2": 0.7}, "lsa": {"1": 0.2, "2": 0.6}}).value, 3)
    0.05
    """
    values = checked_scores(score_rows(scores))
    n_systems, n_topics = values.shape
    if not n_systems or n_topics < 2:
        return undefined("score_variance", "one_topic" if n_systems else "no_systems", n=n_topics)
    return Estimate(float(values.var(axis=1, ddof=1).mean()), "score_variance", n=n_topics)


def difference_variance(scores: Input) -> Estimate:
    """Estimate the variance over topics of the difference of two systems, the mean over all pairs of systems.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.

    Returns
    -------
    Estimate
        The mean of the variances (divisor n_topics - 1) of the differences, in squared units of the measure; `n` is the
        number of topics. Undefined with fewer than two topics ("one_topic") or systems ("one_system").

    Raises
    ------
    ValueError
        A system or a topic occurs twice, or a score is missing or not finite.

    References
    ----------
    T. Sakai (2016). Topic set size design. Information Retrieval Journal 19(3), 256-283.

    Examples
    --------
    >>> from agreement.meta_evaluation import difference_variance
    >>> round(difference_variance({"bm25": {"1": 0.5, "2": 0.7}, "lsa": {"1": 0.2, "2": 0.6}}).value, 3)
    0.02
    """
    values = checked_scores(score_rows(scores))
    n_systems, n_topics = values.shape
    if n_systems < 2 or n_topics < 2:
        return undefined("difference_variance", "one_topic" if n_systems > 1 else "one_system", n=n_topics)
    # over all ordered pairs, the squared differences from the mean of a topic count 2 m times
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    mean = 2 * (centred**2).sum() / ((n_systems - 1) * (n_topics - 1))
    return Estimate(float(mean), "difference_variance", n=n_topics)


def f_power(noncentrality: float, between: float, within: float, alpha: float) -> float:
    """Return the power of an F test with so many degrees of freedom between and within groups."""
    from scipy.special import fdtri, ncfdtr  # takes a second to import, and most callers do not design

    missed = float(ncfdtr(between, within, noncentrality, float(fdtri(between, within, 1 - alpha))))
    return 1.0 if np.isnan(missed) else 1 - missed  # scipy has no value where the power rounds to 1


def _smallest(is_enough: Callable[[int], bool]) -> int:
    """Return the smallest n of at least 2 that is enough; every larger one is enough too."""
    high = 2
    while not is_enough(high):
        high *= 2
        if high > MOST_TOPICS:
            raise ValueError(f"More than {MOST_TOPICS:,} topics are needed: choose a weaker requirement.")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _check(**values: float) -> None:
    for name, value in values.items():
        number(name, value, "a finite number above 0", lambda value: 0 < value < np.inf)


def _check_levels(alpha: float, power: float | None) -> None:
    level("alpha", alpha, 0.05)
    if power is not None:
        required_power(power, alpha)
