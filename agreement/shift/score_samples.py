"""Mean scores of systems under two golds in samples of topics, and of topics and judges.

A sample of topics takes as many topics as there are, with replacement; both golds score the same topics. With judges, a
sample also takes as many judges of each gold as there are, with replacement, each with all of their topics. The score
on a topic is the mean over the taken judges of the topic, and a topic of which no judge was taken does not count.

References
----------
A. B. Owen (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), 386-411.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.effectiveness.judge_scores import JudgeScores
from agreement.significance.rank_intervals import Cells

FEW_JUDGES = 5
BLOCK = 4_000_000  # numbers in memory at once


@dataclass(frozen=True, eq=False)
class TopicSample:
    """The scores of the systems on the same topics under two golds, each of shape (n_systems, n_topics)."""

    first: np.ndarray
    second: np.ndarray

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(self.first.shape[1])

    @property
    def few_judges(self) -> bool:
        """Whether too few judges were resampled; here, none are."""
        return False

    def means(self) -> np.ndarray:
        """The mean scores, shape (n_systems, 2)."""
        return np.stack([self.first.mean(axis=1), self.second.mean(axis=1)], axis=1)

    def drawn(self, rng: np.random.Generator, draws: int) -> np.ndarray:
        """The mean scores in samples of topics, shape (draws, n_systems, 2)."""
        cells = Cells(np.concatenate([self.first, self.second]), np.arange(self.n_topics), self.n_topics)
        return np.stack(np.split(cells.means(rng, draws), 2, axis=1), axis=2)

    @property
    def is_same(self) -> bool:
        """Whether both golds give the same scores on all topics."""
        return np.array_equal(self.first, self.second)


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """Scores by judge, and 1 where a judge judged a topic, else 0.

    Shapes: `scores` (n_systems, n_topics, n_judges); `judged` (n_topics, n_judges).
    """

    scores: np.ndarray
    judged: np.ndarray

    def topic_means(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean over judges that are taken `times` times, and whether the topic has one of them.

        Shapes: `times` (draws, n_judges); the results (n_systems, n_topics, draws), (n_topics, draws).
        """
        given = self.judged @ times.T
        sums = (self.scores * self.judged) @ times.T
        return sums / np.maximum(given, 1), given > 0


def on_topics_of(cube: JudgeScores, names: Sequence[str]) -> JudgedScores:
    """The scores on some topics, of the judges who judged one of them."""
    rows = [cube.query_ids.index(name) for name in names]
    judged = cube.judged[rows]
    judges = judged.any(axis=0)
    return JudgedScores(cube.scores[:, rows][:, :, judges], judged[:, judges].astype(np.float64))


@dataclass(frozen=True, eq=False)
class JudgeSample:
    """The scores of the systems on the same topics under two golds of several judges."""

    first: JudgedScores
    second: JudgedScores

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(self.first.judged.shape[0])

    @property
    def few_judges(self) -> bool:
        """Whether a gold has two judges or more, but fewer than five."""
        return any(1 < each.judged.shape[1] < FEW_JUDGES for each in (self.first, self.second))

    @property
    def is_same(self) -> bool:
        """Whether both golds have the same scores by all judges on all topics."""
        first, second = self.first, self.second
        return np.array_equal(first.judged, second.judged) and np.array_equal(first.scores, second.scores)

    def means(self) -> np.ndarray:
        """The mean over topics of the mean over judges, shape (n_systems, 2)."""
        if not self.n_topics:
            return np.zeros((self.first.scores.shape[0], 2))
        ones = (np.ones((1, each.judged.shape[1])) for each in (self.first, self.second))
        means = [each.topic_means(one)[0][:, :, 0] for each, one in zip((self.first, self.second), ones, strict=True)]
        return np.stack([mean.mean(axis=1) for mean in means], axis=1)

    def drawn(self, rng: np.random.Generator, draws: int) -> np.ndarray:
        """The mean scores in samples of topics and judges, shape (draws or fewer, n_systems, 2)."""
        step = max(BLOCK // max(self.first.scores[:, :, 0].size, 1), 1)
        blocks = [self._block(rng, min(step, draws - start)) for start in range(0, draws, step)]
        means = np.concatenate(blocks)
        # A sample in which no topic has one of its judges has no mean.
        return np.asarray(means[np.isfinite(means).all(axis=(1, 2))])

    def _block(self, rng: np.random.Generator, draws: int) -> np.ndarray:
        topics = rng.multinomial(self.n_topics, np.full(self.n_topics, 1 / self.n_topics), draws).T
        columns = []
        for each in (self.first, self.second):
            n_judges = each.judged.shape[1]
            means, given = each.topic_means(rng.multinomial(n_judges, np.full(n_judges, 1 / n_judges), draws))
            weights = topics * given
            with np.errstate(invalid="ignore"):
                columns.append((means * weights).sum(axis=1) / weights.sum(axis=0))
        return np.stack(columns, axis=2).transpose(1, 0, 2)
