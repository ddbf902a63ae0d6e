"""The documents of an adjudication, and what was decided."""

from dataclasses import dataclass

from assess.adjudication.openings import blind_decisions
from assess.models import AdjudicatedTask, Collection, Judgement, JudgementKind, State
from assess.models.judgement import Reason


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
