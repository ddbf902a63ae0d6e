"""The mean difference of two runs over topics, its interval, and the power of the gate.

With d_i the score of the candidate minus that of the baseline on topic i, s their standard deviation (divisor n - 1)
and n topics, Student's interval at level 1 - alpha is mean(d) -+ t(1 - alpha / 2, n - 1) s / sqrt(n). It draws nothing
at random, so the same files give the same decision on every machine.

Undefined cases: with one topic, the variance over topics is unknown ("one_topic"); if the difference is the same on
every topic and not 0, there is none ("same_difference"). Neither has an interval. If both runs have the same score on
every topic ("no_difference"), both limits are 0.

The power is the probability of "win_or_tie" if both runs are in truth equally good. The lower limit is then at or above
-margin with the probability P(T >= t(1 - alpha / 2, n - 1)), where T has a noncentral t distribution with n - 1 degrees
of freedom and noncentrality margin sqrt(n) / s. The true difference is 0 and not the observed one: the power at the
observed difference would only repeat the interval (Hoenig and Heisey 2001). A margin of 0 has the power alpha / 2 with
any number of topics.

References
----------
Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.
S. A. Julious (2004). Sample sizes for clinical trials with normal data. Statistics in Medicine 23(12), 1921-1986.
J. M. Hoenig & D. M. Heisey (2001). The abuse of power. The American Statistician 55(1), 19-24.
"""

from dataclasses import dataclass

import numpy as np

from agreement.significance.pairs import Pairs
from agreement.significance.power import POWER

MOST_TOPICS = 10_000_000


@dataclass(frozen=True)
class MeanDifference:
    """The mean difference over topics with its interval.

    Attributes
    ----------
    n_topics : int
        Number of topics.
    mean : float
        Mean difference.
    low, high : float or None
        Limits of the interval.
    deviation : float or None
        Standard deviation of the differences.
    reason : str or None
        "one_topic" or "same_difference" if there is no interval, "no_difference" if all differences are 0.
    """

    n_topics: int
    mean: float
    low: float | None
    high: float | None
    deviation: float | None
    reason: str | None


def mean_difference(differences: np.ndarray, alpha: float) -> MeanDifference:
    """Return the mean difference of one or more topics with Student's interval.

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.gate.difference import mean_difference
    >>> found = mean_difference(np.array([0.1, 0.2, 0.3]), alpha=0.05)
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.2, -0.048, 0.448)
    """
    one = np.zeros(1, dtype=int)
    pairs = Pairs(np.stack([differences, np.zeros(len(differences))]), one, one + 1, differences[None])
    n, mean, reason = len(differences), float(pairs.means[0]), pairs.reasons[0]
    if reason == "no_difference":
        return MeanDifference(n, 0.0, 0.0, 0.0, None, reason)
    if reason is not None:
        return MeanDifference(n, mean, None, None, None, reason)
    low, high = (float(limit[0]) for limit in pairs.t_interval(alpha))
    return MeanDifference(n, mean, low, high, float(pairs.deviations[0]), None)


def power_of_gate(deviation: float, n_topics: int, margin: float, alpha: float) -> float:
    """Return the probability of "win_or_tie" if the true difference is 0; at least two topics.

    Examples
    --------
    >>> from agreement.gate.difference import power_of_gate
    >>> round(power_of_gate(0.05, 50, 0.02, 0.05), 3)
    0.792
    """
    from scipy.special import nctdtr, stdtrit  # takes a second to import

    critical = stdtrit(n_topics - 1, 1 - alpha / 2)
    return float(1 - nctdtr(n_topics - 1, margin * n_topics**0.5 / deviation, critical))


def topics_needed(deviation: float, margin: float, alpha: float, power: float = POWER) -> int | None:
    """Return the smallest number of topics with this power; None with a margin of 0, and for more than 10 million.

    Examples
    --------
    >>> from agreement.gate.difference import topics_needed
    >>> topics_needed(0.05, 0.02, 0.05), topics_needed(0.05, 0.0, 0.05)
    (52, None)
    """
    if margin <= 0:
        return None
    few, enough = 1, 2
    while power_of_gate(deviation, enough, margin, alpha) < power:
        few, enough = enough, 2 * enough
        if enough > MOST_TOPICS:
            return None
    while enough - few > 1:
        middle = (few + enough) // 2
        if power_of_gate(deviation, middle, margin, alpha) < power:
            few = middle
        else:
            enough = middle
    return enough
