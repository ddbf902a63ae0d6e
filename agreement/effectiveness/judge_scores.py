"""What every system scores when one judge is the gold: the cube of systems, topics and judges.

A judge's gold holds what that judge judged, as `agreement.golds.make_gold` makes it by the rule "judge:NAME" (repeat 0 only;
-1 and missing are no judgement). A judge has scores on the topics of which he judged one document or more; on the
others nothing is known, which is not a score of 0. Draws that mix judges topic by topic (Voorhees 2000) pick from
this cube instead of scoring anew.

References
----------
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing & Management 36(5), 697-716.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.effectiveness import Measure, parse_measure, prepare
from agreement.ratings import first_judgements, not_judged


@dataclass(frozen=True, eq=False)
class JudgeScores:
    """Scores under the gold of every judge.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, n_topics, n_judges)
        0 where the judge did not judge the topic: look at `judged`.
    judged : ndarray of bool, shape (n_topics, n_judges)
        Whether the judge judged a document of the topic. Every topic has a judge, and every judge a topic.
    systems, query_ids, judges : tuple of str
        All ascending.
    measure : str
        The name of the measure.
    """

    scores: np.ndarray
    judged: np.ndarray
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    judges: tuple[str, ...]
    measure: str


def scores_by_judge(runs, judgements: pd.DataFrame, measure: str | Measure, **given) -> JudgeScores:
    """Score runs under the gold of each judge.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `agreement.effectiveness.ranked_runs.prepare`.
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance (numbers), and perhaps repeat.
    measure : str or Measure
        As for `parse_measure`; one of which more is better, for systems are ranked by these scores.
    **given
        scale, collection_size and known, as for `RankedRuns.under`.

    Raises
    ------
    ValueError
        An unknown measure, or one of which less is better; what the functions named above refuse.
    """
    measure = parse_measure(measure) if isinstance(measure, str) else measure
    if measure.lower_is_better:
        raise ValueError(
            f"{measure.name} is better the less it is; systems are ranked here by a measure of which more is"
        )
    ranked_runs = prepare(runs)
    frame = first_judgements(judgements)
    frame = frame[~not_judged(frame["relevance"])]
    query_ids, judges = (pd.Index(sorted(frame[column].unique())) for column in ("query_id", "assessor"))
    scores = np.zeros((len(ranked_runs.systems), len(query_ids), len(judges)))
    judged = np.zeros(scores.shape[1:], dtype=bool)
    for judge, (_, gold) in enumerate(frame.groupby("assessor")):
        matrix = ranked_runs.under(gold.assign(relevance=pd.to_numeric(gold["relevance"])), **given)
        topics = query_ids.get_indexer(matrix.query_ids)
        scores[:, topics, judge] = measure(matrix)
        judged[topics, judge] = True
    return JudgeScores(scores, judged, tuple(ranked_runs.systems), tuple(query_ids), tuple(judges), measure.name)
