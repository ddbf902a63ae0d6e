"""The options of an interval, validated; `agreement.intervals.measurement` describes the intervals."""

from dataclasses import dataclass

import numpy as np

from agreement.choices import INTERVALS

# The score-type intervals, and the data for which they hold (agreement.intervals.score_interval).
SCORES = {
    "goodness_of_fit": "but for two grades and two judgements of each item, as the interval of pooled_kappa",
    "wilson": "but for percent_agreement and brennan_prediger without weights and with two judgements of each item, "
    "and all coefficients if all judgements of each item agree",
}
OVER_TOPICS = ("bootstrap_t_topics", "jackknife_topics", "topics")
RANDOM = ("default", "bootstrap", "bootstrap_t", "bootstrap_t_topics", "topics")  # need a seed


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
