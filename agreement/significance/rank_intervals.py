"""Intervals of the ranks of systems, by resampling topics, or topics and judges together.

A draw takes as many topics as there are, with replacement, and ranks the systems by their mean scores on them. Rank 1
is the best, and systems closer than 1e-12 share the best of their ranks (1, 2, 2, 4). With judges, every drawn topic is
scored by one of its judges, chosen at random among those who judged it, again each time the topic is drawn. This is
Voorhees' mixture of judges with random topics.

The interval of a rank leaves out (1 - confidence) / 2 of the draws at either end (percentiles, always ranks that
occurred). Resampling topics shows the effect of other topics; resampling judges shows the effect of another choice
among these judges. With fewer than two topics there are no limits, because the variance over topics is unknown. With
fewer than 50 topics, a note states which true difference a paired t test of two systems finds at the level
1 - confidence. It uses the mean score over the judges of a topic.

References
----------
B. Efron & R. J. Tibshirani (1993). An introduction to the bootstrap, chapter 13 (percentile intervals).
P. Hall & H. Miller (2009). Using the bootstrap to quantify the authority of an empirical ranking. Annals of Statistics
37(6B), 3929-3959.
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing & Management 36(5), 697-716.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import level, whole_number
from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs
from agreement.effectiveness.scores import check_score_options
from agreement.rank_correlation import TIE
from agreement.significance.noted_frame import NotedFrame
from agreement.significance.pairs import checked_scores, score_rows
from agreement.significance.power import few_topics_note
from pooling.inputs import Input

BLOCK = 1_000_000  # numbers in memory at the same time


def rank_intervals(scores: Input, draws: int = 10_000, seed: int | None = None, confidence: float = 0.95) -> NotedFrame:
    """Compute intervals of the ranks of systems by resampling topics.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table`.
    draws : int
        Number of draws, at least 1.
    seed : int
        Seed of the draws; required.
    confidence : float
        Level of the intervals, between 0 and 1.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each system, in the order of the table: system, score (mean over
        topics), rank (by these scores), low and high (limits of the rank), share_top (share of the draws in which the
        system is at rank 1, alone or tied), reason ("no_topics" or "one_topic" if a figure is missing, else NA).
        `attrs` has resampled, n_topics, draws, seed, confidence and note, which states the power of comparisons of
        systems if there are fewer than 50 topics, else None.

    Raises
    ------
    ValueError
        There is no seed, an option is invalid, a system or a topic occurs twice, or a score is not finite.

    References
    ----------
    B. Efron & R. J. Tibshirani (1993). An introduction to the bootstrap, chapter 13.
    P. Hall & H. Miller (2009). Using the bootstrap to quantify the authority of an empirical ranking. Annals of
    Statistics 37(6B), 3929-3959.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import rank_intervals
    >>> scores = pd.DataFrame([[0.9, 0.8], [0.4, 0.5]], index=["bm25", "lsa"], columns=["1", "2"])
    >>> rank_intervals(scores, draws=100, seed=1)[["system", "rank", "low", "high", "share_top"]]
      system  rank  low  high  share_top
    0   bm25     1    1     1        1.0
    1    lsa     2    2     2        0.0
    <BLANKLINE>
    Note: With 2 topics, fewer than 50, a true difference of 1.633 is significant
    with a probability of 80%. A smaller one is significant less often. A difference
    that is not significant may still be real. The power is that of a paired t test
    at level 0.05 before correction, with a standard error of 0.100.
    """
    request = DrawRequest.checked(draws, seed, confidence)
    table = score_rows(scores)
    cells = Cells(checked_scores(table), np.arange(table.shape[1]), table.shape[1])
    return _frame(table.index, cells, request, resampled="topics")


def rank_intervals_with_judges(
    runs: Runs,
    judgements: Input,
    measure: MeasureLike,
    draws: int = 10_000,
    seed: int | None = None,
    confidence: float = 0.95,
    **score_options: Any,
) -> NotedFrame:
    """Compute intervals of the ranks of systems by resampling topics and, for every drawn topic, one of its judges.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance (numbers) and optionally repeat. Only repeat 0 counts.
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5", for which higher is better.
    draws : int
        Number of draws, at least 1.
    seed : int
        Seed of the draws; required.
    confidence : float
        Level of the intervals, between 0 and 1.
    **score_options
        scale (declared grades, lowest first), collection_size (number of documents) and known (documents the reader
        knew: query_id, doc_id), for the measures that need them.

    Returns
    -------
    NotedFrame
        A DataFrame that shows its note. One row for each system, ascending: system, score (mean over topics of the mean
        over the judges of the topic), rank (by these scores), low and high (limits of the rank), share_top (share of
        the draws in which the system is at rank 1, alone or tied), reason ("no_topics" or "one_topic" if a figure is
        missing, else NA). `attrs` has resampled, n_topics, draws, seed, confidence, measure, judges and note, which
        states the power of comparisons of systems if there are fewer than 50 topics, else None.

    Raises
    ------
    ValueError
        There is no seed, an option is invalid, the measure is unknown or lower is better, or the runs or judgements are
        invalid.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
    Information Processing & Management 36(5), 697-716.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import rank_intervals_with_judges
    >>> runs = pd.DataFrame(
    ...     [(s, q, d, -i) for q in "12" for s, docs in (("bm25", "xy"), ("lsa", "yx")) for i, d in enumerate(docs)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> judgements = pd.DataFrame(
    ...     [(j, q, d, int(d == "x")) for j in ("ann", "bob") for q in "12" for d in "xy"],
    ...     columns=["assessor", "query_id", "doc_id", "relevance"],
    ... )
    >>> intervals = rank_intervals_with_judges(runs, judgements, "AP", draws=100, seed=1)
    >>> intervals[["system", "score", "rank", "low", "high"]]
      system  score  rank  low  high
    0   bm25    1.0     1    1     1
    1    lsa    0.5     2    2     2
    <BLANKLINE>
    Note: With 2 topics, fewer than 50, systems cannot be compared reliably, and the
    power is unknown (no variance over topics).
    """
    request = DrawRequest.checked(draws, seed, confidence)
    check_score_options(rank_intervals_with_judges, score_options)
    cube = scores_by_judge(runs, judgements, measure, **score_options)
    topic, _ = np.nonzero(cube.judged)
    cells = Cells(cube.scores[:, cube.judged], topic, len(cube.query_ids))
    frame = _frame(pd.Index(cube.systems, dtype="str"), cells, request, resampled="topics and judges")
    frame.attrs |= {"measure": cube.measure, "judges": cube.judges}
    return frame


@dataclass(frozen=True)
class DrawRequest:
    """The checked options: number of draws, seed and confidence."""

    draws: int
    seed: int
    confidence: float

    @classmethod
    def checked(cls, draws: int, seed: int | None, confidence: float) -> "DrawRequest":
        """Return the options; raise ValueError if one is invalid or the seed is missing."""
        draws = whole_number("draws", draws, 1)
        if seed is None:
            raise ValueError("Resampling is random and needs a seed.")
        return cls(draws, whole_number("seed", seed, 0), level("confidence", confidence, 0.95))


@dataclass(frozen=True, eq=False)
class Cells:
    """The possible scores of a drawn topic.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, n_cells)
        Scores in each cell, a topic or a topic with one of its judges.
    topic : ndarray of int, shape (n_cells,)
        The topic of each cell.
    n_topics : int
        Number of topics.
    """

    scores: np.ndarray
    topic: np.ndarray
    n_topics: int

    def topic_means(self) -> np.ndarray:
        """Return the mean over the cells of each topic, shape (n_systems, n_topics)."""
        means = np.zeros((len(self.scores), self.n_topics))
        # add.at, because a topic has a cell for each of its judges.
        np.add.at(means.T, self.topic, self.scores.T)
        return means / np.maximum(np.bincount(self.topic, minlength=self.n_topics), 1)

    def probabilities(self) -> np.ndarray:
        """Return the probability of each cell in one draw: equal for topics, and equal for the cells of a topic."""
        return np.asarray(1 / (self.n_topics * np.bincount(self.topic, minlength=self.n_topics))[self.topic])

    def means(self, rng: np.random.Generator, draws: int) -> np.ndarray:
        """Draw topics, and return the mean scores in each draw, shape (draws, n_systems)."""
        times = rng.multinomial(self.n_topics, self.probabilities(), draws)
        means: np.ndarray = times @ self.scores.T / self.n_topics
        return means


def _frame(systems: pd.Index, cells: Cells, request: DrawRequest, resampled: str) -> NotedFrame:
    n_systems = len(systems)
    columns: dict[str, Any] = {name: pd.array([pd.NA] * n_systems, dtype="Float64") for name in ("score", "share_top")}
    columns |= {name: pd.array([pd.NA] * n_systems, dtype="Int64") for name in ("rank", "low", "high")}
    if cells.n_topics:
        means = cells.scores @ cells.probabilities()
        columns |= {"score": _floats(means), "rank": _integers(_ranks(means[None, :])[0])}
    if cells.n_topics > 1 and n_systems:
        columns |= _drawn(cells, request)
    reason = {0: "no_topics", 1: "one_topic"}.get(cells.n_topics)
    columns |= {"system": systems, "reason": pd.array([reason] * n_systems, dtype="string")}
    frame = NotedFrame(columns)[["system", "score", "rank", "low", "high", "share_top", "reason"]]
    frame.attrs = {"resampled": resampled, "n_topics": cells.n_topics, "draws": request.draws}
    frame.attrs |= {"seed": request.seed, "confidence": request.confidence}
    frame.attrs["note"] = few_topics_note(cells.topic_means(), 1 - request.confidence)
    return frame


def _drawn(cells: Cells, request: DrawRequest) -> dict[str, pd.api.extensions.ExtensionArray]:
    rng = np.random.default_rng(request.seed)
    step = max(BLOCK // max(cells.scores.shape), 1)
    sizes = [min(step, request.draws - start) for start in range(0, request.draws, step)]
    ranks = np.concatenate([_ranks(cells.means(rng, size)) for size in sizes])
    ends = [(1 - request.confidence) / 2, (1 + request.confidence) / 2]
    low, high = np.quantile(ranks, ends, axis=0, method="inverted_cdf")
    return {"low": _integers(low), "high": _integers(high), "share_top": _floats((ranks == 1).mean(axis=0))}


def _ranks(means: np.ndarray) -> np.ndarray:
    """Return the competition ranks of the systems in every draw, 1 for the best, in the shape of `means`."""
    ranks = np.ones(means.shape, dtype=np.int32)
    for column in means.T:
        ranks += column[:, None] - means >= TIE
    return ranks


def _integers(values: np.ndarray) -> pd.api.extensions.ExtensionArray:
    return pd.array(values.astype(np.int64), dtype="Int64")


def _floats(values: np.ndarray) -> pd.api.extensions.ExtensionArray:
    return pd.array(values, dtype="Float64")
