"""The power of a comparison of systems: which true difference a t test finds with so many topics.

The power is the probability that the test is significant at the level alpha (two-sided) if the true means differ by
so much. With the standard error e of the mean difference and f degrees of freedom, t has a noncentral t distribution
with noncentrality difference / e, and the power is P(|t| >= t(1 - alpha / 2, f)). In a paired comparison, e = s /
sqrt(n) and f = n - 1, with s the standard deviation of the differences over the n topics. In an unpaired comparison, e
and f are those of Welch's test.

The standard error comes from the data, and the difference does not. The power at the observed difference would add
nothing to the p-value, because it depends on the p-value only (Hoenig and Heisey 2001). A difference that is smaller
than the detectable one may be real although it is not significant.

References
----------
C. Buckley & E. M. Voorhees (2000). Evaluating evaluation measure stability. SIGIR 2000, 33-40.
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd ed., chapter 2.
J. M. Hoenig & D. M. Heisey (2001). The abuse of power. The American Statistician 55(1), 19-24.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

import numpy as np
import pandas as pd

from agreement.checks import level, number
from agreement.estimate import format_value
from agreement.significance.pairs import REASONS, Pairs, deviations_of, differences_of, score_rows
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count

FEW_TOPICS = 50  # below, a comparison states its power; Buckley & Voorhees (2000) call 25 the least, and 50 better
POWER = 0.8
PAIRED, UNPAIRED = "paired t test", "Welch's t test"


@dataclass(frozen=True, repr=False)
class Power(Result):
    """Which true difference a comparison of systems finds; returned by `power_of_comparison`.

    Attributes
    ----------
    test : str
        The t test whose power it is.
    n_topics : int
        Number of topics; of an unpaired test, that of the system with the fewest.
    n_pairs : int
        Number of pairs of systems that have a standard error.
    alpha, power : float
        Level of significance of a single test, and the required power.
    error, freedom : float or None
        Standard error of the difference of the means, the median over the pairs of systems, and the degrees of freedom.
    difference : float or None
        The true difference that has this power, in units of the measure.
    reason : str or None
        Why there is no difference: "one_system", "no_topics", "one_topic" or "no_variance".

    Examples
    --------
    >>> from agreement.significance import power_of_comparison
    >>> scores = {"bm25": {"1": 0.5, "2": 0.6, "3": 0.9, "4": 0.2}, "lsa": {"1": 0.4, "2": 0.4, "3": 0.5, "4": 0.3}}
    >>> power = power_of_comparison(scores)
    >>> round(power.power_at(0.5), 3), round(power.difference, 3)
    (0.877, 0.443)
    """

    test: str
    n_topics: int
    n_pairs: int
    alpha: float
    power: float
    error: float | None
    freedom: float | None
    difference: float | None
    reason: str | None

    def power_at(self, difference: float) -> float | None:
        """Return the probability that a true difference is significant; None if it is unknown.

        Parameters
        ----------
        difference : float
            True difference of the means, in units of the measure; its sign does not matter.

        Returns
        -------
        float or None

        Raises
        ------
        ValueError
            The difference is not a finite number.
        """
        difference = number("difference", difference, "a finite number", isfinite)
        if self.error is None or self.freedom is None:
            return None
        return t_power(abs(difference) / self.error, self.freedom, self.alpha)

    @property
    def note(self) -> str | None:
        """What so few topics imply, in a few sentences; None with 50 topics or more."""
        if self.n_topics >= FEW_TOPICS:
            return None
        few = f"With {count(self.n_topics, 'topic', zero='no')}, fewer than {FEW_TOPICS},"
        if self.difference is None:
            return f"{few} systems cannot be compared reliably, and the power is unknown ({self._why})."
        median = f" (the median of {self.n_pairs:,} pairs of systems)" if self.n_pairs > 1 else ""
        article = "a paired t test" if self.test == PAIRED else self.test
        return (
            f"{few} a true difference of {format_value(self.difference)} is significant with a probability of"
            f" {self.power:.0%}. A smaller one is significant less often. A difference that is not significant may"
            f" still be real. The power is that of {article} at level {self.alpha:g} before correction, with a standard"
            f" error of {format_value(self.error)}{median}."
        )

    @property
    def _why(self) -> str:
        return "fewer than two systems" if self.reason == "one_system" else REASONS[self.reason or "no_variance"]

    def to_frame(self) -> pd.DataFrame:
        """One row with a column for each attribute."""
        row = {name: getattr(self, name) for name in self.__dataclass_fields__}
        types = dict.fromkeys(("error", "freedom", "difference"), "Float64")
        return pd.DataFrame([row]).astype({**types, "reason": "string"})

    def _sentence(self) -> str:
        topics = count(self.n_topics, "topic", zero="no")
        if self.difference is None:
            return f"undefined ({self._why}), {topics}"
        power = f"a true difference of {format_value(self.difference)} has a power of {self.power:.0%}"
        return f"{power} ({self.test} at level {self.alpha:g}, {topics})"


def power_of_comparison(scores: Input, alpha: float = 0.05, power: float = POWER) -> Power:
    """Compute which true difference between two systems a paired t test over the topics finds.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`. They are used for the standard deviation of the differences, the median over all pairs
        of systems that differ on some topics by different amounts.
    alpha : float
        Level of significance of a single test, between 0 and 1. With a correction for m tests, alpha / m gives a power
        that is reached in any case.
    power : float
        Required power, between alpha and 1.

    Returns
    -------
    Power
        `difference` is the true difference of the means that has this power, `power_at(d)` the power at another one,
        and `note` a few sentences if there are fewer than 50 topics. Undefined with fewer than two systems
        ("one_system") or topics ("no_topics", "one_topic"), and if no pair has a variance ("no_variance").

    Raises
    ------
    ValueError
        alpha or power is out of range, a system or a topic occurs twice, or a score is missing or not finite.

    References
    ----------
    J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd ed., chapter 2.

    Examples
    --------
    >>> from agreement.significance import power_of_comparison
    >>> power_of_comparison({"bm25": {"1": 0.5, "2": 0.6, "3": 0.9}, "lsa": {"1": 0.4, "2": 0.4, "3": 0.5}}).difference
    0.498...
    """
    alpha = level("alpha", alpha, 0.05)
    power = required_power(power, alpha)
    return paired_power(Pairs.from_scores(score_rows(scores)), alpha, power)


def required_power(power: float, alpha: float) -> float:
    """Return a power between the level of significance and 1; raise ValueError for anything else."""
    allowed = f"between alpha ({alpha:g}) and 1, such as 0.8"
    return number("power", power, allowed, lambda value: alpha < value < 1)


def few_topics_note(scores: np.ndarray, alpha: float) -> str | None:
    """Return the note on the power of a paired t test of all pairs of systems.

    Shapes: `scores` (n_systems, n_topics).
    """
    n_systems, n_topics = scores.shape
    if n_topics >= FEW_TOPICS:
        return None
    rows = [deviations_of(differences_of(scores[row], scores[row + 1 :])) for row in range(n_systems - 1)]
    errors = np.concatenate([*rows, np.zeros(0)]) / max(n_topics, 1) ** 0.5
    return median_power(PAIRED, n_topics, errors, np.full(len(errors), n_topics - 1), alpha).note


def paired_power(pairs: Pairs, alpha: float, power: float = POWER) -> Power:
    """Return the power of the paired t test of all pairs of systems."""
    errors = pairs.deviations / max(pairs.n_topics, 1) ** 0.5
    freedom = np.full(len(pairs), pairs.n_topics - 1)
    return median_power(PAIRED, pairs.n_topics, errors, freedom, alpha, power)


def median_power(
    test: str, n_topics: int, errors: np.ndarray, freedom: np.ndarray, alpha: float, power: float = POWER
) -> Power:
    """Return the power of the pair with the median standard error; `errors` are nan for pairs without one."""
    known = np.flatnonzero(~np.isnan(errors))
    if not len(known):
        few = {0: "no_topics", 1: "one_topic"}.get(n_topics, "no_variance")
        reason = few if len(errors) else "one_system"
        return Power(test, n_topics, 0, alpha, power, None, None, None, reason)
    error = float(np.median(errors[known]))
    degrees = float(freedom[known[np.argsort(errors[known], kind="stable")[len(known) // 2]]])
    difference = error * detectable_ratio(degrees, alpha, power)
    return Power(test, n_topics, len(known), alpha, power, error, degrees, difference, None)


def t_power(ratio: float, freedom: float, alpha: float) -> float:
    """Return the power of a two-sided t test; `ratio` is the true difference over its standard error, at least 0."""
    from scipy.special import ncfdtr, stdtrit  # takes a second to import, and most callers do not test

    critical = float(stdtrit(freedom, 1 - alpha / 2))
    missed = float(ncfdtr(1, freedom, ratio**2, critical**2))  # t^2 has a noncentral F distribution
    return _integrated_power(ratio, freedom, critical) if np.isnan(missed) else 1 - missed


def _integrated_power(ratio: float, freedom: float, critical: float) -> float:
    """Return the power as a mean over the standard deviation of the sample, where scipy has no value."""
    from scipy.integrate import quad  # slow to import
    from scipy.special import gammaincinv, ndtr

    def power_if_deviation(quantile: float) -> float:
        deviation = (2 / freedom * gammaincinv(freedom / 2, quantile)) ** 0.5
        return float(ndtr(ratio - critical * deviation) + ndtr(-ratio - critical * deviation))

    return float(quad(power_if_deviation, 0, 1, limit=200)[0])


@lru_cache(maxsize=1024)
def detectable_ratio(freedom: float, alpha: float, power: float) -> float:
    """Return the ratio of a true difference to its standard error that has this power, above alpha."""
    from scipy.optimize import brentq  # slow to import

    high = 1.0
    while t_power(high, freedom, alpha) < power:
        high *= 2
    return float(brentq(lambda ratio: t_power(ratio, freedom, alpha) - power, 0, high, xtol=1e-12))
