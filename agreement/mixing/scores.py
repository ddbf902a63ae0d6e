"""The mean scores of all systems under many choices of judges, fast.

A mean over topics is a sum of one row per topic. Rows of a few topics are added once, for all combinations of their
judges, so that a choice picks one row of such a table instead of one row for each topic. The tables stay small enough
for a processor's cache; with many judges a table holds a single topic. The order of adding is fixed by the data, so
that a score does not depend on how the draws are cut into blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.effectiveness.judge_scores import JudgeScores

TABLE_BYTES = 1 << 18


def rows_of_topics(cube: JudgeScores) -> list[np.ndarray]:
    """For every topic the scores under each of its judges, shape (n_judges of the topic, n_systems)."""
    return [np.ascontiguousarray(cube.scores[:, topic, who].T) for topic, who in enumerate(cube.judged)]


def mean_of_draws(rows: Sequence[np.ndarray], counts: np.ndarray) -> np.ndarray:
    """Mean score of every system over all draws.

    Parameters
    ----------
    rows : sequence of ndarray
        As `rows_of_topics` gives them.
    counts : ndarray of int, shape (n_topics, most judges of a topic)
        How often each topic fell to each of its judges.

    Returns
    -------
    ndarray of float, shape (n_systems,)
    """
    draws = counts[0].sum()
    sums = sum(count[: len(row)] @ row for count, row in zip(counts, rows, strict=True))
    return sums / draws / len(rows)


def combination(places: np.ndarray, n_judges: Sequence[int]) -> np.ndarray:
    """Which of all combinations each choice is, the last topic changing fastest; choices (n, n_topics)."""
    row = places[:, 0]
    for topic in range(1, places.shape[1]):
        row = row * n_judges[topic] + places[:, topic]
    return row


@dataclass(frozen=True, eq=False)
class MeanScores:
    """Mean scores over topics, by choice of judges.

    Attributes
    ----------
    tables : list of (slice, ndarray of shape (n_combinations, n_systems))
        Topics, and the sums of their rows for every combination of their judges.
    n_judges : tuple of int, length n_topics
    """

    tables: list[tuple[slice, np.ndarray]]
    n_judges: tuple[int, ...]

    @classmethod
    def over(cls, rows: Sequence[np.ndarray]) -> "MeanScores":
        """The tables of one or more topics, whose rows are given."""
        most_rows = TABLE_BYTES // max(rows[0][0].nbytes, 1)
        tables: list[tuple[slice, np.ndarray]] = []
        for topic, row in enumerate(rows):
            if tables and len(tables[-1][1]) * len(row) <= most_rows:
                before, sums = tables.pop()
                tables.append((slice(before.start, topic + 1), (sums[:, None] + row).reshape(-1, row.shape[1])))
            else:
                tables.append((slice(topic, topic + 1), row))
        return cls(tables, tuple(map(len, rows)))

    def of(self, places: np.ndarray) -> np.ndarray:
        """The means under each choice; choices (n, n_topics) as `Choices` has them, result (n, n_systems)."""
        sums = np.zeros((len(places), self.tables[0][1].shape[1]))
        for topics, table in self.tables:
            sums += table[combination(places[:, topics], self.n_judges[topics])]
        return sums / len(self.n_judges)
