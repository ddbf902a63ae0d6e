"""Every pair of systems with its differences on each topic, the input of all paired tests.

With x the score of the first system and y that of the second on the same topic, d = x - y. Two scores closer than
1e-12 are tied (`TIE`), and so are two differences.

Why a figure of a pair is missing:

=============== ===================================================================================
reason          meaning
=============== ===================================================================================
no_topics       there is no topic
one_topic       there is only one topic, so the variance over topics is unknown
no_difference   the two systems have the same score on every topic, also on different topics
same_difference the difference is the same on every topic, so there is no variance
no_variance     each of two systems measured on different topics has the same score on all its topics
few_draws       with so few draws no difference can reach the level
=============== ===================================================================================
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import level, optional_seed, plain, whole_number
from agreement.rank_correlation import TIE
from pooling.inputs import Input, as_scores

REASONS = {
    "no_topics": "no topic",
    "one_topic": "only one topic",
    "no_difference": "the same score on every topic",
    "same_difference": "the same difference on every topic",
    "no_variance": "no variance over topics",
    "few_draws": "too few draws for the level",
}


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of the systems of a table; the earlier system of the table comes first.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, n_topics)
        Score of every system on every topic.
    first, second : ndarray of int, shape (n_pairs,)
        Rows of `scores`; first < second.
    differences : ndarray of float, shape (n_pairs, n_topics)
        Score of the first minus score of the second; exactly 0 if the two are tied.
    """

    scores: np.ndarray
    first: np.ndarray
    second: np.ndarray
    differences: np.ndarray

    @classmethod
    def from_scores(cls, table: pd.DataFrame) -> "Pairs":
        """Return the pairs of a table of scores, shape (n_systems, n_topics)."""
        scores = checked_scores(table)
        first, second = np.triu_indices(len(scores), 1)
        return cls(scores, first, second, differences_of(scores[first], scores[second]))

    def __len__(self) -> int:
        return len(self.differences)

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(self.differences.shape[1])

    @cached_property
    def identical(self) -> np.ndarray:
        """Whether the two systems have the same score on every topic, shape (n_pairs,); False without topics."""
        return np.asarray((self.differences == 0).all(axis=1) & (self.n_topics > 0))

    @cached_property
    def means(self) -> np.ndarray:
        """Mean difference of each pair, shape (n_pairs,); nan without topics."""
        return np.asarray(self.differences.mean(axis=1)) if self.n_topics else self.unknown()

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviation of the differences (divisor n - 1), shape (n_pairs,); nan if nothing varies."""
        return deviations_of(self.differences)

    @cached_property
    def reasons(self) -> np.ndarray:
        """Reason why a figure of each pair may be missing, a key of `REASONS` or None, shape (n_pairs,)."""
        reasons = np.full(len(self), None, dtype=object)
        if self.n_topics < 2:
            reasons[:] = "one_topic" if self.n_topics else "no_topics"
            return reasons
        reasons[np.isnan(self.deviations)] = "same_difference"
        reasons[self.identical] = "no_difference"
        return reasons

    def unknown(self) -> np.ndarray:
        """Return nan for each pair."""
        return np.full(len(self), np.nan)

    def standardised(self) -> np.ndarray:
        """Return Cohen's d_z: the mean difference over the standard deviation of the differences (Cohen 1988)."""
        return np.asarray(self.means / self.deviations)

    def t_interval(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the limits of Student's interval of the mean difference at level 1 - alpha."""
        from scipy.special import stdtrit  # takes a second to import, and most callers do not test

        if self.n_topics < 2:
            return self.unknown(), self.unknown()
        margin = stdtrit(self.n_topics - 1, 1 - alpha / 2) * self.deviations / self.n_topics**0.5
        return self.means - margin, self.means + margin


@dataclass(frozen=True)
class Request:
    """The options of a test.

    Attributes
    ----------
    alpha : float
        Level of significance.
    seed : int or None
        Seed of the random draws.
    draws : int
        Number of random draws.
    """

    alpha: float
    seed: int | None
    draws: int

    @classmethod
    def checked(cls, alpha: float, seed: int | None, draws: int) -> "Request":
        """Return the options of a caller; raise ValueError if one is invalid."""
        return cls(level("alpha", alpha, 0.05), optional_seed(seed), whole_number("draws", draws, 1))

    def generator(self, test: str) -> np.random.Generator:
        """Return a random generator; raise ValueError without a seed."""
        if self.seed is None:
            raise ValueError(f"Test {test!r} draws at random and needs a seed.")
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, eq=False)
class Tested:
    """The result of a test for every pair; nan marks an undefined figure.

    Attributes
    ----------
    p, effect, low, high : ndarray of float, shape (n_pairs,)
        P-value, effect size, and limits of the interval of the mean difference.
    effect_size, interval : str
        Names of the effect size and of the interval.
    exact : bool
        Whether p is exact in every pair, and not sampled or approximated.
    seed, draws : int or None
        Seed and number of draws; None if nothing was drawn.
    reason : str or None
        Reason why the limits of every pair are missing that does not depend on the scores. It has precedence over
        `Pairs.reasons`.
    """

    p: np.ndarray
    effect: np.ndarray
    low: np.ndarray
    high: np.ndarray
    effect_size: str
    interval: str
    exact: bool = False
    seed: int | None = None
    draws: int | None = None
    reason: str | None = None


T_INTERVAL = "Student's t interval of the mean difference"
D_Z = "d_z: mean difference / standard deviation of the differences"


def differences_of(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return first minus second, exactly 0 where the two are tied."""
    differences = first - second
    differences[np.abs(differences) < TIE] = 0
    return np.asarray(differences)


def deviations_of(differences: np.ndarray) -> np.ndarray:
    """Return the standard deviation (divisor n - 1) of each row of differences; nan if nothing varies."""
    if differences.shape[1] < 2:
        return np.full(len(differences), np.nan)
    constant = np.ptp(differences, axis=1) < TIE
    return np.where(constant, np.nan, differences.std(axis=1, ddof=1))


def score_rows(scores: Input) -> pd.DataFrame:
    """Return the scores of systems on topics as a table.

    Shapes: the result (n_systems, n_topics).
    """
    if isinstance(scores, Mapping):
        _refuse_repeated(scores, "system")
    return as_scores(scores)


def _refuse_repeated(names: Iterable[Any], what: str) -> None:
    """Raise ValueError if two systems or topics have the same name as strings."""
    first: dict[str, Any] = {}
    for name in map(plain, names):
        text = str(int(name)) if isinstance(name, float) and name.is_integer() else str(name)
        if text not in first:
            first[text] = name
        elif type(name) is type(first[text]):
            raise ValueError(f"Every {what} must occur once in the scores, but {name!r} occurs twice.")
        else:
            raise ValueError(
                f"Every {what} must occur once in the scores, but {first[text]!r} and {name!r} are the same {what}:"
                " ids are compared as strings."
            )


def checked_scores(table: pd.DataFrame, allow_missing: bool = False) -> np.ndarray:
    """Return the scores of a table as an array, shape (n_systems, n_topics).

    The topics are sorted by their names as strings, so that sums and random draws do not depend on their order. With
    `allow_missing`, a missing score is nan.
    """
    _refuse_repeated(table.index, "system")
    _refuse_repeated(table.columns, "topic")
    # One order of topics and one memory layout, so that all forms of the same scores give the same draws and digits.
    table = table.iloc[:, np.argsort([str(name) for name in table.columns], kind="stable")]
    scores = np.ascontiguousarray(table.to_numpy(dtype=np.float64, na_value=np.nan))
    invalid = np.isinf(scores) if allow_missing else ~np.isfinite(scores)
    if invalid.any():
        system, topic = np.argwhere(invalid)[0]
        if np.isnan(scores[system, topic]):
            raise ValueError(
                f"System {plain(table.index[system])!r} has no score on topic {plain(table.columns[topic])!r}."
            )
        where = f"system {table.index[system]}, topic {table.columns[topic]}"
        raise ValueError(f"Every score must be a finite number, not {plain(scores[system, topic])!r} for {where}.")
    return scores
