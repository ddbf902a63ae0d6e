"""Mean scores of all systems under many choices of judges.

A mean over topics is a sum of one row for each topic. The rows of a few topics are added in advance for all
combinations of their judges, so that a choice reads one row of such a table instead of one row for each topic. The
tables fit into a processor's cache; with many judges, a table holds a single topic. The order of the additions depends
on the data only, so that a score does not depend on the size of the blocks of draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.effectiveness.judge_scores import JudgeScores

TABLE_BYTES = 1 << 18


def rows_of_topics(cube: JudgeScores) -> list[np.ndarray]:
    """Return for every topic the scores under each of its judges, shape (n_judges of the topic, n_systems)."""
    return [np.ascontiguousarray(cube.scores[:, topic, judges].T) for topic, judges in enumerate(cube.judged)]


def mean_of_draws(rows: Sequence[np.ndarray], counts: np.ndarray) -> np.ndarray:
    """Return the mean score of every system over all draws.

    Shapes: `rows` (n_judges of the topic, n_systems); `counts` (n_topics, largest number of judges of a topic); the
    result (n_systems,).
    """
    draws = counts[0].sum()
    sums = np.zeros(rows[0].shape[1])
    for count, row in zip(counts, rows, strict=True):
        sums = sums + count[: len(row)] @ row
    return np.asarray(sums / draws / len(rows))


def combination_index(chosen: np.ndarray, n_judges: Sequence[int]) -> np.ndarray:
    """Return the index of each choice (n, n_topics) among all combinations; the last topic changes fastest."""
    index: np.ndarray = chosen[:, 0]
    for topic in range(1, chosen.shape[1]):
        index = index * n_judges[topic] + chosen[:, topic]
    return index


@dataclass(frozen=True, eq=False)
class MeanScores:
    """Mean scores over topics, by choice of judges.

    Attributes
    ----------
    tables : list of (slice, ndarray of shape (n_combinations, n_systems))
        Topics, and the sums of their rows for every combination of their judges.
    n_judges : tuple of int, length n_topics
        Number of judges of each topic.
    """

    tables: list[tuple[slice, np.ndarray]]
    n_judges: tuple[int, ...]

    @classmethod
    def over(cls, rows: Sequence[np.ndarray]) -> "MeanScores":
        """Return the mean scores over one or more topics with these rows."""
        most_rows = TABLE_BYTES // max(rows[0][0].nbytes, 1)
        tables: list[tuple[slice, np.ndarray]] = []
        for topic, row in enumerate(rows):
            if tables and len(tables[-1][1]) * len(row) <= most_rows:
                before, sums = tables.pop()
                tables.append((slice(before.start, topic + 1), (sums[:, None] + row).reshape(-1, row.shape[1])))
            else:
                tables.append((slice(topic, topic + 1), row))
        return cls(tables, tuple(map(len, rows)))

    def under(self, chosen: np.ndarray) -> np.ndarray:
        """Return the means under each choice; choices of shape (n, n_topics), result of shape (n, n_systems)."""
        sums = np.zeros((len(chosen), self.tables[0][1].shape[1]))
        for topics, table in self.tables:
            sums += table[combination_index(chosen[:, topics], self.n_judges[topics])]
        return sums / len(self.n_judges)
