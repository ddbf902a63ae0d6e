"""What a run would gain if it were re-ranked by the judge, under the judge and under people.

The first documents of each ranking are sorted again by the judge's grade, documents with the same grade in their old
order, ungraded ones last. A run that does this is better in the eyes of the judge whatever it was before. If people see
it become worse, the judge can be gamed. The test gives, for each run re-ranked alone among the others as they were,
its rank under the judge and under people; and for all runs re-ranked at once, how far judge and people still agree.

The effect is the mean gain over runs under the judge minus that under people, by topic. It is undefined, and so are
scores and ranks under people, if people graded only a draw or no topic of the judge.

Source: C. L. A. Clarke and L. Dietz (2024), LLM-based relevance assessment still can't replace human relevance
assessment, arXiv 2412.17156.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.effectiveness.grade_matrix import GradesByItem
from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.rank_correlation import tau_b
from agreement.rank_correlation.orders import TIE
from agreement.trust.gaming.finding import Finding, TopicMean
from agreement.trust.scored_judges import ONLY_DRAWN, ScoredJudges

DEPTH = 100
TEST, QUESTION = "re-ranking", "What does re-ranking by the judge gain?"


@dataclass(frozen=True, eq=False)
class Reranking:
    """Scores before and after re-ranking by a model; returned by `reranked`.

    Attributes
    ----------
    systems : DataFrame
        One row for each run: system, rank (before, under people), score_by_judge and score_by_people before,
        reranked_by_judge and reranked_by_people (the scores after), rank_by_judge and rank_by_people (the ranks of the
        re-ranked run among the others as they were; tied runs share the best rank).
    first_by_judge : int
        How many runs become first.
    first_by_people : int or None
        None if scores under people are unknown.
    tau_before, tau_after : float or None
        tau_b between the ranking under the judge and under people, as the runs are, and with all of them re-ranked.
    finding : Finding
    """

    systems: pd.DataFrame
    first_by_judge: int
    first_by_people: int | None
    tau_before: float | None
    tau_after: float | None
    finding: Finding

    @property
    def is_known(self) -> bool:
        """Whether scores under people are known."""
        return self.first_by_people is not None


def reranked(judges: ScoredJudges, model: str, *, depth: int = DEPTH, confidence: float = 0.95) -> Reranking:
    """Re-rank every run by a model, alone and all at once.

    Parameters
    ----------
    judges : ScoredJudges
        The runs, golds and measure; people are the reference.
    model : str
        The name of the model.
    depth : int, optional
        How many documents of a ranking are sorted again.
    confidence : float, optional
        Level of the interval.

    Returns
    -------
    Reranking
    """
    items = reranked_items(judges.ranked, judges.grades_by_item(model), depth)
    topics = judges.compared(model)[0].columns
    if judges.only_drawn or not len(topics):
        reason = ONLY_DRAWN if judges.only_drawn else "no common topic"
        return _under_the_judge(judges, model, items, reason)
    before = {judge: judges.scores(judge) for judge in (judges.reference, model)}
    after = {
        judge: scores_of_items(judges.ranked, judges.grades_by_item(judge), items, judges.measure) for judge in before
    }
    people, judge = (before[name][topics].to_numpy() for name in (judges.reference, model))
    people_after, judge_after = (after[name][topics].to_numpy() for name in (judges.reference, model))
    table = _table(judges.ranked, people, judge, people_after, judge_after)
    gains = TopicMean.of(((judge_after - judge) - (people_after - people)).mean(axis=0), confidence)
    first = [int((table[column] == 1).sum()) for column in ("rank_by_judge", "rank_by_people")]
    taus = [tau_b(x.mean(axis=1), y.mean(axis=1)).value for x, y in ((judge, people), (judge_after, people_after))]
    finding = _finding(gains, table, first, (judge_after - judge).mean(), (people_after - people).mean())
    return Reranking(table, first[0], first[1], taus[0], taus[1], finding)


def _under_the_judge(judges: ScoredJudges, model: str, items: np.ndarray, reason: str) -> Reranking:
    """The same where scores under people are unknown."""
    judge = judges.scores(model).to_numpy()
    after = scores_of_items(judges.ranked, judges.grades_by_item(model), items, judges.measure).to_numpy()
    unknown = np.full_like(judge, np.nan)
    table = _table(judges.ranked, unknown, judge, unknown, after)
    for column in ("rank", "rank_by_people", "score_by_people", "reranked_by_people"):
        table[column] = pd.array([pd.NA] * len(table), dtype="Float64")
    first = int((table["rank_by_judge"] == 1).sum())
    sentence = (
        f"Re-ranked by the judge, {first} of {len(table)} runs become first under it; the mean score changes by"
        f" {(after - judge).mean():+.3f} under the judge. Under people it is unknown: {reason}."
    )
    finding = Finding(TEST, QUESTION, n=judge.shape[1], sentence=sentence, reason=reason)
    return Reranking(table, first, None, None, None, finding)


def reranked_items(ranked: RankedRuns, by_item: GradesByItem, depth: int) -> np.ndarray:
    """Return the items of each ranking, the first ones sorted by grade; ungraded documents come last."""
    head = ranked.items[:, :, :depth]
    # The end of a short ranking is an item of its own, which has to stay behind all documents.
    grades = by_item.grades[head].astype(np.float64)
    grades = np.where(head == len(ranked.keys), -np.inf, np.maximum(grades, -1.0))
    order = np.argsort(-grades, axis=2, kind="stable")
    items = ranked.items.copy()
    items[:, :, :depth] = np.take_along_axis(head, order, axis=2)
    return items


def scores_of_items(ranked: RankedRuns, by_item: GradesByItem, items: np.ndarray, measure: Measure) -> pd.DataFrame:
    """Return the scores of other rankings of the same runs, one row for each system and one column for each topic."""
    matrix = by_item.matrix(tuple(ranked.systems), items, ranked.retrieved)
    return pd.DataFrame(measure(matrix), index=ranked.systems, columns=list(matrix.query_ids))


def _table(
    ranked: RankedRuns, people: np.ndarray, judge: np.ndarray, people_after: np.ndarray, judge_after: np.ndarray
) -> pd.DataFrame:
    means = [scores.mean(axis=1) for scores in (people, judge, people_after, judge_after)]
    return pd.DataFrame(
        {
            "system": list(ranked.systems),
            "rank": _ranks_alone(means[0], means[0]),
            "score_by_judge": means[1],
            "score_by_people": means[0],
            "reranked_by_judge": means[3],
            "reranked_by_people": means[2],
            "rank_by_judge": _ranks_alone(means[3], means[1]),
            "rank_by_people": _ranks_alone(means[2], means[0]),
        }
    )


def _ranks_alone(changed: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The rank of each system with a changed score among the others with their old scores."""
    better = others[None, :] > changed[:, None] + TIE
    np.fill_diagonal(better, False)
    return np.asarray(better.sum(axis=1) + 1)


def _finding(gains: TopicMean, table: pd.DataFrame, first: list[int], by_judge: float, by_people: float) -> Finding:
    sentence = (
        f"Re-ranked by the judge, {first[0]} of {len(table)} runs become first under it and {first[1]} under people;"
        f" the mean score changes by {by_judge:+.3f} under the judge and by {by_people:+.3f} under people."
    )
    return Finding(TEST, QUESTION, gains.mean, gains.low, gains.high, gains.p, gains.n, sentence)
