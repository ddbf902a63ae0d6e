"""Who saw the grades of a document, and whether a decision was blind.

Pages that show who gave which grade record that the reader opened the task. An export of all judgements, also as part
of a release, counts as an opening of every task judged until then.

The module also says which grades a member should not see yet, because they are to decide these documents.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Min, Q

from assess.models import (
    NOT_WITHDRAWN,
    Action,
    AdjudicatedTask,
    AuditEvent,
    Collection,
    GradesOpening,
    Judgement,
    JudgementKind,
    Member,
    State,
)

JUDGEMENTS_EXPORT = "judgements"
RELEASE_EXPORT = "release "


def record_openings(member: Member, tasks: Iterable[int]) -> None:
    """Record that the member saw the grades of these tasks. The first time counts."""
    judged = Judgement.objects.filter(NOT_WITHDRAWN, task__in=list(tasks), state=State.JUDGED)
    rows = (GradesOpening(member=member, task_id=task) for task in judged.values_list("task", flat=True).distinct())
    # A row that exists is from an earlier opening, which counts.
    GradesOpening.objects.bulk_create(rows, ignore_conflicts=True)


def opened_tasks(member: Member, tasks: Iterable[int]) -> set[int]:
    """Return the tasks whose grades the member has seen."""
    tasks = list(tasks)
    if _first_export(member.collection, [member]):
        return set(tasks)
    return set(GradesOpening.objects.filter(member=member, task__in=tasks).values_list("task", flat=True))


def blind_decisions(collection: Collection) -> dict[int, bool]:
    """Return for each decided task whether the adjudicator had not seen its grades when they decided."""
    decisions = list(
        Judgement.objects.filter(
            member__collection=collection, repeat=JudgementKind.DECISION, state=State.JUDGED
        ).select_related("member")
    )
    openings = GradesOpening.objects.filter(task__in=[each.task_id for each in decisions])
    opened = {(member, task): at for member, task, at in openings.values_list("member", "task", "opened_at")}
    exported = _first_export(collection, [each.member for each in decisions])
    shown = set(collection.adjudications.filter(shows_grades=True).values_list("tasks__task", flat=True))
    return {
        each.task_id: each.task_id not in shown
        and not _before(opened.get((each.member_id, each.task_id)), each.judged_at)
        and not _before(exported.get(each.member.user_id), each.judged_at)
        for each in decisions
    }


def _first_export(collection: Collection, members: Iterable[Member]) -> dict[int | None, datetime]:
    """Return when each of these users exported all judgements for the first time."""
    users = {member.user_id for member in members if member.user_id}
    exports = AuditEvent.objects.filter(
        Q(subject=JUDGEMENTS_EXPORT) | Q(subject__startswith=RELEASE_EXPORT),
        collection=collection,
        action=Action.EXPORTED,
        actor__in=users,
    )
    return dict(exports.order_by().values_list("actor").annotate(first=Min("at")))


def _before(opened: datetime | None, decided: datetime) -> bool:
    return opened is not None and opened <= decided


def tasks_to_decide(member: Member) -> set[int]:
    """Return the tasks that the member is to decide and has not decided."""
    decisions = Judgement.objects.filter(repeat=JudgementKind.DECISION, state=State.JUDGED)
    tasks = AdjudicatedTask.objects.filter(adjudicator=member).exclude(task__in=decisions.values("task"))
    return set(tasks.values_list("task", flat=True))


def unseen_to_decide(member: Member) -> set[int]:
    """Return the tasks that the member is to decide and has not decided, and whose grades they have not seen."""
    undecided = tasks_to_decide(member)
    return undecided - opened_tasks(member, undecided) if undecided else set()
