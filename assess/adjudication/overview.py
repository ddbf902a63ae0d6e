"""The documents of an adjudication, what was decided, and how far each judge agrees with the decisions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

import agreement
from assess.adjudication.openings import blind_decisions
from assess.analysis.data import collection_decisions, collection_judgements
from assess.collections.scale import scale_of
from assess.models import AdjudicatedTask, Collection, Judgement, JudgementKind, State
from assess.models.judgement import Reason

DECISIONS = "adjudicated"


@dataclass(frozen=True)
class AdjudicationRow:
    """One document: `decision` is the grade or what the adjudicator chose instead, empty if nothing is decided.

    `is_blind` is None without a decision.
    """

    task: int
    query_id: str
    topic: str
    doc_id: str
    adjudicator: str
    decision: str
    is_blind: bool | None


def adjudication_rows(collection: Collection, number: int) -> list[AdjudicationRow]:
    """Return the documents of an adjudication, in the order in which they were chosen."""
    blind = blind_decisions(collection)
    tasks = AdjudicatedTask.objects.filter(adjudication__collection=collection, adjudication__number=number)
    rows = list(tasks.order_by("pk").select_related("task__topic", "task__document", "adjudicator"))
    decisions = _decisions([row.task_id for row in rows])
    return [
        AdjudicationRow(
            row.task_id,
            row.task.topic.query_id,
            row.task.topic.title,
            row.task.document.doc_id,
            row.adjudicator.name,
            decisions.get(row.task_id, ""),
            blind.get(row.task_id),
        )
        for row in rows
    ]


def _decisions(tasks: list[int]) -> dict[int, str]:
    rows = Judgement.objects.filter(task__in=tasks, repeat=JudgementKind.DECISION).exclude(state=State.UNDONE)
    words = {State.CANNOT_JUDGE: "cannot judge", State.LATER: "later"}
    return {
        task: words.get(State(state), "") + (f": {Reason(reason).label}" if reason else "")
        if relevance is None
        else str(relevance)
        for task, state, relevance, reason in rows.values_list("task", "state", "relevance", "reason")
    }


@dataclass(frozen=True)
class JudgeAndDecisions:
    """One judge compared with the decisions on the documents that they judged; `same` of `n` grades are equal."""

    judge: str
    n: int
    same: int
    kappa: agreement.Estimate


def agreement_with_decisions(collection: Collection, query_ids: Sequence[str] = ()) -> list[JudgeAndDecisions]:
    """Return each judge with a decided document, the closest to the decisions first.

    With `query_ids`, only documents of these topics count. Only disputed documents are decided, so the values are lower
    than over all documents.
    """
    decisions = collection_decisions(collection)
    decisions = decisions[decisions["query_id"].isin(query_ids)] if query_ids else decisions
    judgements = collection_judgements(collection).merge(decisions[["query_id", "doc_id"]])
    rows = [_row(collection, name, part, decisions) for name, part in _by_judge(judgements)]
    return sorted(rows, key=lambda row: (-row.same / row.n, row.judge))


def _by_judge(judgements: pd.DataFrame) -> Iterable[tuple[str, pd.DataFrame]]:
    return ((str(name), part) for name, part in judgements.groupby("assessor"))


def _row(collection: Collection, name: str, judged: pd.DataFrame, decisions: pd.DataFrame) -> JudgeAndDecisions:
    final = decisions.merge(judged[["query_id", "doc_id"]]).assign(assessor=DECISIONS)
    # The judge gets another name, because a person may be called like the decisions.
    both = pd.concat([judged.assign(assessor="judge"), final], ignore_index=True)
    ratings = agreement.Ratings.from_judgements(both, scale_of(collection))
    kappa = agreement.cohen_kappa(ratings, "judge", DECISIONS)
    pairs = judged.merge(final, on=["query_id", "doc_id"], suffixes=("", "_decided"))
    return JudgeAndDecisions(name, len(pairs), int((pairs["relevance"] == pairs["relevance_decided"]).sum()), kappa)
