"""Every pair of systems with its differences, topic by topic: what all paired tests work on.

With x the score of the first system and y that of the second on the same topic, d = x - y. Two scores closer than
1e-12 are the same (`TIE`), and so are two differences.

Why a figure of a pair is missing:

=============== ===================================================================================
reason          meaning
=============== ===================================================================================
no_topics       there is no topic
one_topic       there is one topic, and so nothing is seen of how topics differ
no_difference   the two systems have the same score on every topic
same_difference the difference is the same on every topic: no variance to hold it against
few_samples     with so few samples no difference can reach the level
=============== ===================================================================================
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from agreement.rank_correlation import TIE

REASONS = {
    "no_topics": "no topic",
    "one_topic": "only one topic",
    "no_difference": "the same score on every topic",
    "same_difference": "the same difference on every topic",
    "few_samples": "too few samples for the level",
}


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of the systems of a table; the earlier system of the table comes first.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, n_topics)
    first, second : ndarray of int, shape (n_pairs,)
        Rows of `scores`; first < second.
    differences : ndarray of float, shape (n_pairs, n_topics)
        Score of the first minus score of the second; exactly 0 where the two are tied.
    """

    scores: np.ndarray
    first: np.ndarray
    second: np.ndarray
    differences: np.ndarray

    @classmethod
    def of(cls, table: pd.DataFrame) -> "Pairs":
        """The pairs of a table of scores (`checked_scores`)."""
        scores = checked_scores(table)
        first, second = np.triu_indices(len(scores), 1)
        differences = scores[first] - scores[second]
        differences[np.abs(differences) < TIE] = 0
        return cls(scores, first, second, differences)

    def __len__(self) -> int:
        return len(self.differences)

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return self.differences.shape[1]

    @cached_property
    def means(self) -> np.ndarray:
        """Mean difference of each pair, shape (n_pairs,); nan without topics."""
        return self.differences.mean(axis=1) if self.n_topics else self.unknown()

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviation of the differences (n - 1), shape (n_pairs,); nan where nothing varies."""
        if self.n_topics < 2:
            return self.unknown()
        constant = np.ptp(self.differences, axis=1) < TIE
        return np.where(constant, np.nan, self.differences.std(axis=1, ddof=1))

    @cached_property
    def reasons(self) -> np.ndarray:
        """Why a figure of the pair would be missing: a key of `REASONS`, or None; shape (n_pairs,)."""
        reasons = np.full(len(self), None, dtype=object)
        if self.n_topics < 2:
            reasons[:] = "one_topic" if self.n_topics else "no_topics"
            return reasons
        reasons[np.isnan(self.deviations)] = "same_difference"
        reasons[~self.differences.any(axis=1)] = "no_difference"
        return reasons

    def unknown(self) -> np.ndarray:
        """A nan for each pair."""
        return np.full(len(self), np.nan)

    def standardised(self) -> np.ndarray:
        """Cohen's d_z: the mean difference over the standard deviation of the differences (Cohen 1988)."""
        return self.means / self.deviations

    def t_interval(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """Limits of Student's interval of the mean difference, at level 1 - alpha."""
        from scipy.special import stdtrit  # scipy costs a second, for those who test

        if self.n_topics < 2:
            return self.unknown(), self.unknown()
        reach = stdtrit(self.n_topics - 1, 1 - alpha / 2) * self.deviations / self.n_topics**0.5
        return self.means - reach, self.means + reach


@dataclass(frozen=True)
class Request:
    """What the caller asks of a test: the level, and what a test by chance needs."""

    alpha: float
    seed: int | None
    samples: int

    def generator(self, test: str) -> np.random.Generator:
        """The source of chance; ValueError where no seed was given."""
        if self.seed is None:
            raise ValueError(f"test {test!r} draws by chance: give seed")
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, eq=False)
class Tested:
    """What a test found for every pair; nan where there is nothing to find.

    Attributes
    ----------
    p, effect, low, high : ndarray of float, shape (n_pairs,)
    effect_size, interval : str
        What `effect`, and `low` and `high`, are.
    exact : bool
        Whether p comes from all possible cases in every pair; else it was drawn or approached.
    seed, samples : int or None
        None where no sample was drawn.
    reason : str or None
        Why the limits of every pair are missing for a cause that lies not in the scores; goes before
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
    samples: int | None = None
    reason: str | None = None


T_INTERVAL = "Student's t interval of the mean difference"
D_Z = "d_z: mean difference / standard deviation of the differences"


def checked_scores(table: pd.DataFrame) -> np.ndarray:
    """The scores of a table, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        A system or a topic comes twice, or a score is missing or not finite.
    """
    for names, what in ((table.index, "system"), (table.columns, "topic")):
        if names.has_duplicates:
            raise ValueError(f"a table of scores has each {what} once; {names[names.duplicated()][0]} comes twice")
    scores = table.to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(scores).all():
        system, topic = np.argwhere(~np.isfinite(scores))[0]
        place = f"system {table.index[system]}, topic {table.columns[topic]}"
        raise ValueError(f"every score is a finite number; got {scores[system, topic]} for {place}")
    return scores
