"""A requested interval, its warnings, and the default: the method that is calibrated for the data in simulations.

docs/studies/coverage.md has the simulations.

==================== =================== ================================================================
data                 coefficient         default
==================== =================== ================================================================
2 to 4 topics        all                 "jackknife_topics"
5 to 9 topics        P(A), S, AC         "jackknife_topics"
5 to 9 topics        others              "bootstrap_t_topics"
10 to 399 topics     all                 "bootstrap_t_topics"
from 400 topics      all                 "jackknife_topics"
10 or 11 topics      means of others     "topics"
from 12 topics       means of others     "jackknife_topics"
no topics            see the data below  "goodness_of_fit" or "wilson" (`agreement.intervals.score_interval`)
no topics            P(A), S             "jackknife" where "wilson" does not hold
no topics            AC                  "jackknife_fisher"
two judgements each  others              "jackknife_fisher"
fewer than 400 items others              "bootstrap_t"
from 400 items       others              "jackknife_fisher"
==================== =================== ================================================================

One topic counts as no topics. Means are means of the coefficients of topics; those of P(A), S and AC, and those of
fewer topics, have the same default as the coefficient of all topics. S is Brennan and Prediger's kappa. P(A), S and AC
have a P(E) that hardly depends on the data, so that their jackknife is calibrated from fewer parts. From 400 items or
topics the jackknife and the studentised bootstrap cover equally often, and the jackknife costs one value for each part,
not one for each part and draw: 2,000 draws of Conger's kappa of 33 judges and 4,423 items took 190 s, and its jackknife
takes less than a second.

Every default over topics contains "jackknife_topics" and the default of the same data without topics.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from agreement.choices import INTERVALS
from agreement.intervals.kernel import FISHER
from agreement.judgements import Grade
from agreement.weights import Weights

if TYPE_CHECKING:
    from agreement.estimate import Estimate

LINEAR = ("percent_agreement", "brennan_prediger")  # kappa is a linear function of P(A), and has the same interval
STABLE_CHANCE = (*LINEAR, "gwet_ac")
FEWEST_TOPICS, FEWEST_TOPICS_IF_STABLE = 5, 10  # samples of fewer topics have too few different values
MANY = 400  # items or topics
FEWEST_TOPICS_OF_MEAN, MANY_TOPICS_OF_MEAN = 10, 12
# The score-type intervals, and the data for which they hold (agreement.intervals.score_interval).
SCORES = {
    "goodness_of_fit": "but for two grades and two judgements of each item, as the interval of pooled_kappa",
    "wilson": "but for percent_agreement and brennan_prediger without weights and with two judgements of each item, "
    "and all coefficients if all judgements of each item agree",
}
OVER_TOPICS = ("bootstrap_t_topics", "jackknife_topics", "topics")
RANDOM = ("default", "bootstrap", "bootstrap_t", "bootstrap_t_topics", "topics")  # need a seed
FEW_ITEMS, FEW_USES, FEW_TOPICS = 100, 5, 10
FEW_TOPICS_OF_MANY_JUDGES = 15  # with fewer, and rare grades, no interval reaches 93 % in docs/studies/coverage.md
TOO_FEW = "too few items for an interval"
NO_WIDTH = "The interval has no width: all samples have the same value. This does not mean that the value is certain."
DIFFERENT_DOCUMENTS = "Conger's kappa is below -1, which is possible because the judges judged different documents"
TINY = 1e-12  # Conger's kappa is rounded
MOST_VARIANCE = "one topic has more than half of the variance: the interval may be too narrow"


def default_over_topics(coefficient: str, topics: int) -> str:
    """The default interval of a coefficient over a number of topics, from two."""
    fewest = FEWEST_TOPICS_IF_STABLE if coefficient in STABLE_CHANCE else FEWEST_TOPICS
    return "bootstrap_t_topics" if fewest <= topics < MANY else "jackknife_topics"


def default_of_mean(coefficient: str, topics: int) -> str:
    """The default interval of the mean of the coefficients of a number of topics, from two."""
    if coefficient in STABLE_CHANCE or topics < FEWEST_TOPICS_OF_MEAN:
        return default_over_topics(coefficient, topics)
    return "jackknife_topics" if topics >= MANY_TOPICS_OF_MEAN else "topics"


def default_over_items(coefficient: str, items: int, two_judgements: bool) -> str:
    """The default interval of a coefficient without a score-type interval over a number of items."""
    if coefficient in LINEAR:
        return "jackknife"
    if coefficient in STABLE_CHANCE or two_judgements or items >= MANY:
        return FISHER
    return "bootstrap_t"


def within_range(estimate: "Estimate", chance: float | None = None) -> "Estimate":
    """The estimate with limits inside the range of the coefficient; `chance` is P(E) if the estimate has none."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    # Conger's kappa, and any kappa with custom weights, can be below -1
    lowest = min(lowest_value(estimate.coefficient, estimate.expected or chance), estimate.value)
    return replace(estimate, low=max(estimate.low, lowest), high=min(estimate.high, 1.0))


def chance_by_scale(weights: Weights) -> float:
    """P(E) of Brennan and Prediger's kappa: the mean of the weights."""
    return float(weights.floats().mean())


def lowest_value(coefficient: str, chance: float | None) -> float:
    """The lowest value of a coefficient: 0 for P(A), -P(E) / (1 - P(E)) for S with a known P(E), otherwise -1."""
    if coefficient == "percent_agreement":
        return 0.0
    return -chance / (1 - chance) if coefficient == "brennan_prediger" and chance is not None and chance < 1 else -1.0


@dataclass(frozen=True)
class IntervalRequest:
    """A requested interval; `interval_request` validates its options.

    Attributes
    ----------
    kind : str
        One of `INTERVALS`.
    confidence : float
        The confidence level, between 0 and 1.
    draws : int
        The number of samples, 2 or more.
    seed : int or None
    rng : numpy.random.Generator or None
    """

    kind: str
    confidence: float
    draws: int
    seed: int | None
    rng: np.random.Generator | None

    @property
    def topics(self) -> bool:
        """Whether topics are resampled or left out."""
        return self.kind in OVER_TOPICS

    def generator(self) -> np.random.Generator:
        """The random generator: `rng`, or a new one from `seed`."""
        return np.random.default_rng(self.seed) if self.rng is None else self.rng

    def describe(self) -> str:
        """The number of draws and the seed as text."""
        seed = "a generator passed by the caller" if self.seed is None else f"seed {self.seed}"
        return f"{self.draws} draws, {seed}"


def interval_request(
    interval: str,
    *,
    confidence: float = 0.95,
    draws: int = 2000,
    seed: int | None = None,
    rng: np.random.Generator | None = None,
) -> IntervalRequest:
    """The requested interval, validated."""
    if interval not in INTERVALS:
        raise ValueError(f"interval must be one of {', '.join(INTERVALS)}, not {interval!r}.")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, such as 0.95, not {confidence!r}.")
    if draws < 2 or int(draws) != draws:
        raise ValueError(f"draws must be a whole number from 2, not {draws!r}.")
    if seed is not None and rng is not None:
        raise ValueError("Pass either seed or rng, not both.")
    if rng is not None and not hasattr(rng, "multinomial"):
        raise ValueError(f"rng must be a random generator, such as numpy.random.default_rng(1), not {rng!r}.")
    if interval in RANDOM and seed is None and rng is None:
        raise ValueError(f"interval {interval!r} draws at random and needs seed or rng.")
    return IntervalRequest(interval, float(confidence), int(draws), seed, rng)


def undefined_draws(number: int, total: int, what: str) -> tuple[str, ...]:
    """How many of the `total` draws or samples have no value; `what` names them."""
    return (f"undefined in {number} of {total} {what}",) if number else ()


def unusable_draws(number: int, total: int) -> tuple[str, ...]:
    """That a studentised bootstrap is replaced by a jackknife, because `number` of the `total` draws are unusable."""
    return (f"{number} of {total} draws have no standard error, so the jackknife replaces the studentised bootstrap",)


def few_topics(number: int, many_judges: bool = False) -> tuple[str, ...]:
    """That there are few topics; `many_judges` says whether documents have more than two judgements."""
    if number == 1:
        return ("only one topic: the variation between topics is unknown",)
    if number < FEW_TOPICS:
        return (f"only {number} topics",)
    if many_judges and number < FEW_TOPICS_OF_MANY_JUDGES:
        return (f"only {number} topics, and more than two judgements of a document: the interval may be too narrow",)
    return ()


def most_variance(largest: float) -> tuple[str, ...]:
    """That most of the variance between topics comes from one topic; `largest` is the share of this topic."""
    return (MOST_VARIANCE,) if largest > 0.5 else ()


def single_judgements(number: int, coefficient: str) -> tuple[str, ...]:
    """That P(E) uses items that P(A) cannot use, because they have one judgement."""
    if not number:
        return ()
    items = "1 item" if number == 1 else f"{number} items"
    below = " below its minimum" if coefficient == "fleiss_kappa" else ""  # AC keeps it, and Conger's kappa has none
    return (f"P(E) includes {items} with one judgement, which can move the value{below}",)


def different_documents(value: float | None) -> tuple[str, ...]:
    """That Conger's kappa is lower than it can be if all judges judge the same documents."""
    return (DIFFERENT_DOCUMENTS,) if value is not None and value < -1 - TINY else ()


def few_items(n: int | None) -> tuple[str, ...]:
    """That there are few items."""
    return (f"n < {FEW_ITEMS}",) if n is not None and n < FEW_ITEMS else ()


def rare_grades(rare: Iterable[bool], grades: Iterable[Grade]) -> tuple[str, ...]:
    """Which of the grades are rare, that is, used fewer than `FEW_USES` times by a judge."""
    names = ", ".join(str(grade) for grade, few in zip(grades, rare, strict=True) if few)
    return (f"used fewer than {FEW_USES} times by a judge: grade {names}",) if names else ()


def width(width: float | None) -> tuple[str, ...]:
    """That there is no interval, or that its width, or the standard error, is 0."""
    if width is None:
        return (TOO_FEW,)
    return () if width else (NO_WIDTH,)
