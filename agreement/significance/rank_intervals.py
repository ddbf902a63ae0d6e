"""How sure the rank of a system is: intervals by resampling topics, and topics and judges together.

A draw takes as many topics as there are, with replacement, and ranks the systems by their mean scores on them: rank 1
is the best, and systems closer than 1e-12 share the best of their ranks (1, 2, 2, 4). With judges, every drawn topic is
scored by one of its judges, chosen at random among those who judged it, anew each time the topic is drawn; this is
Voorhees' mixture of judges with the topics left to chance as well.

The interval of a rank at a level runs from the lowest to the highest rank after (1 - level) / 2 of the draws are left
out at either end (percentiles, ranks that occurred). Resampling topics says what other topics would have done;
resampling judges, what other judges among these would have said. Where there are fewer than two topics, limits are
missing: nothing is seen of how topics differ.

References
----------
B. Efron & R. J. Tibshirani (1993). An introduction to the bootstrap, chapter 13 (percentile intervals).
P. Hall & H. Miller (2009). Using the bootstrap to quantify the authority of an empirical ranking. Annals of Statistics
37(6B), 3929-3959.
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing & Management 36(5), 697-716.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.effectiveness import Measure
from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.rank_correlation import TIE
from agreement.significance.pairs import checked_scores

BLOCK = 1_000_000  # numbers that are held at once


def rank_intervals(
    scores: pd.DataFrame, draws: int = 10_000, seed: int | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Intervals of the ranks of systems, by resampling topics.

    Parameters
    ----------
    scores : DataFrame, shape (n_systems, n_topics)
        Index system, columns query_id, as `agreement.effectiveness.scores.score_table` gives it.
    draws : int
        1 or more.
    seed : int
        Needed.
    level : float
        Between 0 and 1.

    Returns
    -------
    DataFrame
        One row a system, in the order of the table: system, score (mean over topics), rank (by these scores), low and
        high (limits of the rank), share_top (share of the draws in which the system is at rank 1, alone or tied),
        reason ("no_topics" or "one_topic" where a figure is missing, else NA). `attrs` has resampled, n_topics,
        draws, seed and level.

    Raises
    ------
    ValueError
        No seed or a bad option, or a table that has a system or a topic twice or a score that is not finite.
    """
    request = _Request.of(draws, seed, level)
    cells = _Cells(checked_scores(scores), np.arange(scores.shape[1]), scores.shape[1])
    return _frame(scores.index, cells, request, resampled="topics")


def rank_intervals_with_judges(
    runs,
    judgements: pd.DataFrame,
    measure: str | Measure,
    draws: int = 10_000,
    seed: int | None = None,
    level: float = 0.95,
    **given,
) -> pd.DataFrame:
    """Intervals of the ranks of systems, by resampling topics and, for every drawn topic, one of its judges.

    Parameters
    ----------
    runs, judgements, measure
        As for `agreement.effectiveness.judge_scores.scores_by_judge`.
    draws, seed, level
        As for `rank_intervals`.
    **given
        scale, collection_size and known, as for `scores_by_judge`.

    Returns
    -------
    DataFrame
        As for `rank_intervals`, by system ascending; score is the mean over topics of the mean over the judges of the
        topic, which is what a draw gives on average. `attrs` also has measure and judges.

    Raises
    ------
    ValueError
        No seed or a bad option; or what `scores_by_judge` refuses.
    """
    request = _Request.of(draws, seed, level)
    found = scores_by_judge(runs, judgements, measure, **given)
    topic, _ = np.nonzero(found.judged)
    cells = _Cells(found.scores[:, found.judged], topic, len(found.query_ids))
    frame = _frame(pd.Index(found.systems, dtype="str"), cells, request, resampled="topics and judges")
    frame.attrs |= {"measure": found.measure, "judges": found.judges}
    return frame


@dataclass(frozen=True)
class _Request:
    draws: int
    seed: int
    level: float

    @classmethod
    def of(cls, draws: int, seed: int | None, level: float) -> "_Request":
        if draws < 1 or int(draws) != draws:
            raise ValueError(f"draws is a whole number from 1; got {draws}")
        if seed is None:
            raise ValueError("resampling needs chance: give seed")
        if not 0 < level < 1:
            raise ValueError(f"level lies between 0 and 1, such as 0.95; got {level}")
        return cls(int(draws), seed, float(level))


@dataclass(frozen=True, eq=False)
class _Cells:
    """What a drawn topic may score: scores (n_systems, n_cells), the topic of each cell, and how many topics."""

    scores: np.ndarray
    topic: np.ndarray
    n_topics: int

    def chances(self) -> np.ndarray:
        """The chance of each cell when one topic is drawn: topics alike, and the cells of a topic alike."""
        return 1 / (self.n_topics * np.bincount(self.topic, minlength=self.n_topics))[self.topic]

    def means(self, rng: np.random.Generator, draws: int) -> np.ndarray:
        """Mean scores in each draw, shape (draws, n_systems)."""
        times = rng.multinomial(self.n_topics, self.chances(), draws)
        return times @ self.scores.T / self.n_topics


def _frame(systems: pd.Index, cells: _Cells, request: _Request, resampled: str) -> pd.DataFrame:
    n_systems = len(systems)
    columns = {name: pd.array([pd.NA] * n_systems, dtype="Float64") for name in ("score", "share_top")}
    columns |= {name: pd.array([pd.NA] * n_systems, dtype="Int64") for name in ("rank", "low", "high")}
    if cells.n_topics:
        means = cells.scores @ cells.chances()
        columns |= {"score": _floats(means), "rank": _integers(_ranks(means[None, :])[0])}
    if cells.n_topics > 1 and n_systems:
        columns |= _drawn(cells, request)
    reason = {0: "no_topics", 1: "one_topic"}.get(cells.n_topics)
    columns |= {"system": systems, "reason": pd.array([reason] * n_systems, dtype="string")}
    frame = pd.DataFrame(columns)[["system", "score", "rank", "low", "high", "share_top", "reason"]]
    frame.attrs = {"resampled": resampled, "n_topics": cells.n_topics, "draws": request.draws}
    frame.attrs |= {"seed": request.seed, "level": request.level}
    return frame


def _drawn(cells: _Cells, request: _Request) -> dict:
    rng = np.random.default_rng(request.seed)
    step = max(BLOCK // max(cells.scores.shape), 1)
    sizes = [min(step, request.draws - start) for start in range(0, request.draws, step)]
    ranks = np.concatenate([_ranks(cells.means(rng, size)) for size in sizes])
    ends = [(1 - request.level) / 2, (1 + request.level) / 2]
    low, high = np.quantile(ranks, ends, axis=0, method="inverted_cdf")
    return {"low": _integers(low), "high": _integers(high), "share_top": _floats((ranks == 1).mean(axis=0))}


def _ranks(means: np.ndarray) -> np.ndarray:
    """Competition ranks of the systems in every draw, 1 for the best; shape of `means`."""
    ranks = np.ones(means.shape, dtype=np.int32)
    for column in means.T:
        ranks += column[:, None] - means >= TIE
    return ranks


def _integers(values: np.ndarray) -> pd.api.extensions.ExtensionArray:
    return pd.array(values.astype(np.int64), dtype="Int64")


def _floats(values: np.ndarray) -> pd.api.extensions.ExtensionArray:
    return pd.array(values, dtype="Float64")
