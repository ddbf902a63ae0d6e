"""What an adjudicator or a member of a norming round reads above a document.

In an open adjudication, this includes the grades of the judges without their names, lowest first; those of models only
when people and models have finished. It is the only place where the judging page reads judgements of others.
"""

from collections import defaultdict
from collections.abc import Iterable

from assess.judging.model_grades import are_shown
from assess.models import NOT_WITHDRAWN, AdjudicatedTask, JudgeKind, Judgement, JudgementKind, State

DECISION = "You decide this document. Its judges gave different grades."
NOTES = {
    JudgementKind.NORMING_BEFORE: "Norming: the whole group judges this document. You see the votes afterwards.",
    JudgementKind.NORMING_AFTER: "Norming: judge this document again after the discussion.",
}


def card_notes(assignments: Iterable[tuple[int, int, int]]) -> dict[int, str]:
    """Return the notes of assignments, from rows of primary key, task and kind.

    Regular ones have none, and hidden repeats and checks look like them.
    """
    special = [row for row in assignments if row[2] in NOTES or row[2] == JudgementKind.DECISION]
    if not special:
        return {}
    grades = _shown_grades([task for _, task, kind in special if kind == JudgementKind.DECISION])
    return {pk: NOTES.get(JudgementKind(kind)) or _decision_note(grades.get(task, [])) for pk, task, kind in special}


def _decision_note(grades: list[int]) -> str:
    return f"{DECISION} They gave {', '.join(map(str, grades))}." if grades else DECISION


def _shown_grades(tasks: list[int]) -> dict[int, list[int]]:
    """Return the grades of the tasks in open adjudications."""
    shown = AdjudicatedTask.objects.filter(task__in=tasks, adjudication__shows_grades=True).values("task")
    judged = Judgement.objects.filter(NOT_WITHDRAWN, task__in=shown, repeat=JudgementKind.REGULAR, state=State.JUDGED)
    of_models = judged.filter(member__imported_judge__kind=JudgeKind.MODEL)
    if (first := of_models.select_related("member__collection").first()) and not are_shown(first.member.collection):
        judged = judged.exclude(pk__in=of_models)
    grades: dict[int, list[int]] = defaultdict(list)
    for task, grade in judged.order_by("relevance").values_list("task", "relevance"):
        grades[task].append(grade or 0)
    return grades
