"""The scores of every system if one judge is the gold: an array of systems, topics and judges.

The gold of a judge has all judgements of that judge (repeat 0 only; -1 and missing are not judgements), as in the rule
"judge:NAME" of `agreement.golds.make_gold`. A judge has scores on the topics of which they judged at least one
document. On other topics the scores are unknown, which is not a score of 0. Mixtures of judges (Voorhees 2000) select
from this array instead of scoring again.

References
----------
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing & Management 36(5), 697-716.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import numbers_of
from agreement.choices import TOP
from agreement.effectiveness import parse_measure
from agreement.effectiveness.blockwise import Blocks, blocks_of
from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import GradeMatrix, Runs
from agreement.ratings import first_judgements, not_judged
from pooling.inputs import Input, as_judgements
from pooling.ranking import check_common_topic


@dataclass(frozen=True, eq=False)
class JudgeScores:
    """Scores under the gold of every judge; returned by `scores_by_judge`.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, n_topics, n_judges)
        Scores; a meaningless 0 if `judged` is False.
    judged : ndarray of bool, shape (n_topics, n_judges)
        Whether the judge judged a document of the topic. Every topic has a judge, and every judge has a topic.
    systems, query_ids, judges : tuple of str
        Names of the systems, topics and judges, all ascending.
    measure : str
        Name of the measure.
    judged_share : ndarray of float, shape (n_topics, n_judges), or None
        Share of the first 10 documents of all systems on a topic that the judge judged; 0 if nothing was retrieved.
        None if it is unknown.
    """

    scores: np.ndarray
    judged: np.ndarray
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    judges: tuple[str, ...]
    measure: str
    judged_share: np.ndarray | None = None


def scores_by_judge(runs: Runs | Blocks, judgements: Input, measure: MeasureLike, **score_options: Any) -> JudgeScores:
    """Score runs under the gold of each judge.

    Examples
    --------
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> judgements = pd.DataFrame(
    ...     [("ann", "1", "d1", 1), ("ann", "1", "d2", 0), ("bob", "1", "d1", 0), ("bob", "1", "d2", 1)],
    ...     columns=["assessor", "query_id", "doc_id", "relevance"],
    ... )
    >>> cube = scores_by_judge(runs, judgements, "AP")
    >>> cube.judges, cube.scores[:, 0].tolist()
    (('ann', 'bob'), [[0.5, 1.0], [1.0, 0.5]])
    """
    measure = parse_measure(measure)
    if measure.lower_is_better:
        raise ValueError(f"The systems must be ranked by a measure for which higher is better, not by {measure.name}.")
    frame = first_judgements(as_judgements(judgements))
    frame = frame[~not_judged(frame["relevance"])]
    blocks = runs if isinstance(runs, Blocks) else blocks_of(runs, [frame], None)
    query_ids, judges = (pd.Index(sorted(frame[column].unique())) for column in ("query_id", "assessor"))
    scores = np.zeros((len(blocks.systems), len(query_ids), len(judges)))
    judged, judged_share = np.zeros(scores.shape[1:], dtype=bool), np.zeros(scores.shape[1:])
    for judge, (name, gold) in enumerate(frame.groupby("assessor")):
        check_common_topic(blocks.catalogue, gold["query_id"].unique(), f"judge {name!r}")
        grades = blocks.catalogue.grades_by_item(gold.assign(relevance=numbers_of(gold)), **score_options)
        scored = blocks.scored(grades, [measure, _judged_of_top])
        topics = query_ids.get_indexer(pd.Index(grades.query_ids))
        scores[:, topics, judge], judged_of_top = scored.values
        judged[topics, judge] = True
        judged_share[topics, judge] = _share_of_top(judged_of_top, scored.retrieved)
    names = tuple(blocks.systems), tuple(query_ids), tuple(judges)
    return JudgeScores(scores, judged, *names, measure.name, judged_share)


def _judged_of_top(matrix: GradeMatrix) -> np.ndarray:
    return matrix.judged(TOP)


def _share_of_top(judged: np.ndarray, retrieved: np.ndarray) -> np.ndarray:
    """Return the judged share of the first documents of all systems, shape (n_topics,)."""
    share: np.ndarray = judged.sum(axis=0) / np.maximum(np.minimum(retrieved, TOP).sum(axis=0), 1)
    return share
