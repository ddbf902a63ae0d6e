"""Shows the suggestions of a model with the documents, and says which judgements were made with one.

This is the only place where the judging page reads the grades of a model. What is sent to an assessor is saved first.
So the server knows what was shown, whatever the page sends back: who has once received the suggestion for a document
can only judge it with assistance afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from assess.errors import Refused
from assess.models import (
    Assignment,
    Assistance,
    Collection,
    JudgeKind,
    Judgement,
    JudgementKind,
    Member,
    Role,
    ShownSuggestion,
    State,
)


@dataclass(frozen=True)
class Suggestion:
    """The grade of a model for a document, as the page shows it; `token` names it when the document is judged."""

    token: str
    judge: str
    grade: int
    text: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def show_suggestions(
    collection: Collection, assignments: Sequence[tuple[int, int, int, int]]
) -> Mapping[int, Suggestion]:
    """Return the suggestions for assignments by primary key, and save that their assessors saw them.

    The rows have the keys of assignment, member and task, and the kind of judgement. Only regular ones get suggestions.
    """
    if collection.suggesting_judge_id is None:
        return {}
    regular = [row for row in assignments if row[3] == JudgementKind.REGULAR]
    grades = _grades(collection, [task for _, _, task, _ in regular])
    wanted = {pk: (member, task) for pk, member, task, _ in regular if task in grades}
    tokens = _saved(set(wanted.values()), grades)
    names = dict(collection.grades.values_list("value", "name")) if wanted else {}
    return {pk: _suggestion(tokens[pair], *grades[pair[1]], names) for pk, pair in wanted.items()}


def _grades(collection: Collection, tasks: Sequence[int]) -> dict[int, tuple[str, int]]:
    """Return name and grade of the suggesting model by task."""
    graded = Judgement.objects.filter(
        member=collection.suggesting_judge_id,
        member__collection=collection,
        member__role=Role.ASSESSOR,
        member__imported_judge__kind=JudgeKind.MODEL,
        repeat=JudgementKind.REGULAR,
        state=State.JUDGED,
        task__in=tasks,
    )
    rows = graded.values_list("task", "member__name", "relevance")
    return {task: (name, grade) for task, name, grade in rows if grade is not None}


def _saved(pairs: set[tuple[int, int]], grades: Mapping[int, tuple[str, int]]) -> dict[tuple[int, int], UUID]:
    """Save the suggestions for these members and tasks that were not shown before. Returns the token of each."""
    known = _tokens(pairs, grades)
    new = [
        ShownSuggestion(member_id=member, task_id=task, judge=grades[task][0], grade=grades[task][1])
        for member, task in sorted(pairs - known.keys())
    ]
    if not new:
        return known
    ShownSuggestion.objects.bulk_create(new, ignore_conflicts=True)
    return _tokens(pairs, grades)  # read again: another page may have saved the same ones first


def _tokens(pairs: set[tuple[int, int]], grades: Mapping[int, tuple[str, int]]) -> dict[tuple[int, int], UUID]:
    members, tasks = {member for member, _ in pairs}, {task for _, task in pairs}
    rows = ShownSuggestion.objects.filter(member__in=members, task__in=tasks)
    return {
        (member, task): token
        for member, task, judge, grade, token in rows.values_list("member", "task", "judge", "grade", "public_id")
        if grades.get(task) == (judge, grade)
    }


def _suggestion(token: UUID, judge: str, grade: int, names: Mapping[int, str]) -> Suggestion:
    text = f"{judge} suggests {grade} {names.get(grade, '')}".rstrip()
    return Suggestion(str(token), judge, grade, text)


def assistance(assignment: Assignment, member: Member, token: UUID | None, was_shown: bool) -> Assistance | None:
    """Return the suggestion that the assessor had seen, not saved; None if they had seen none.

    `token` is what the page sent. Without one, it is the suggestion that was shown last. Raises Refused if the token
    names nothing that was shown to this assessor for this document. `was_shown` says whether anything was.
    """
    if assignment.repeat != JudgementKind.REGULAR or not was_shown:
        shown: list[ShownSuggestion] = []
    else:
        shown = list(ShownSuggestion.objects.filter(member=member, task=assignment.task_id).order_by("pk"))
    if token is not None:
        shown = [row for row in shown if row.public_id == token]
        if not shown:
            raise Refused("This suggestion was not shown to you for this document; reload the page.")
    return Assistance(judge=shown[-1].judge, grade=shown[-1].grade) if shown else None
