"""The result of one test of a model judge: an effect with its interval and p-value.

Most effects are means over topics of a value for each topic. Their interval and p-value are those of Student's t, with
topics as the sample, so that documents and systems of a topic may depend on each other.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

LEAST_TOPICS = 3


@dataclass(frozen=True)
class Finding:
    """An effect of a model judge.

    Attributes
    ----------
    test : str
        Name of the test.
    question : str
        What it asks, in a few words.
    effect : float or None
        None if it is undefined.
    low, high, p : float or None
        Limits of the interval and p-value; None if there are none. p is two-sided, but that of oracle steps one-sided.
    n : int
        Number of topics.
    sentence : str
        The finding in words.
    reason : str or None
        Why the effect is undefined.
    """

    test: str
    question: str
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    n: int = 0
    sentence: str = ""
    reason: str | None = None


@dataclass(frozen=True)
class TopicMean:
    """A mean over topics with the interval and the p-value of Student's t; None with fewer than three topics."""

    mean: float
    low: float | None
    high: float | None
    p: float | None
    n: int

    @classmethod
    def of(cls, values: np.ndarray, confidence: float) -> "TopicMean":
        """The mean of the values of topics, shape (n_topics,)."""
        n, mean = len(values), float(values.mean()) if len(values) else 0.0
        if n < LEAST_TOPICS:
            return cls(mean, None, None, None, n)
        error = float(values.std(ddof=1)) / n**0.5
        margin = float(special.stdtrit(n - 1, (1 + confidence) / 2)) * error
        if error < 1e-15:
            return cls(mean, mean, mean, 1.0 if abs(mean) < 1e-12 else 0.0, n)
        p = 2 * float(special.stdtr(n - 1, -abs(mean) / error))
        return cls(mean, mean - margin, mean + margin, p, n)
