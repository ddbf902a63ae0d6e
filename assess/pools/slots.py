"""Slots: in a collection that is open to claims, each task has `wanted` slots for assessors.

A claim holds a slot until it lapses; a judgement holds it for good; *later* and *cannot judge* release it. `wanted` is
the number of judges per task. It is larger only while more assessors than that hold a slot: a slot released then
disappears.

All functions run inside the caller's transaction. Rows of assignments are locked before rows of tasks, and several
rows of a table are locked in the order of their keys, or only if nobody else holds them. So no two transactions wait
for each other on PostgreSQL.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest, Least
from django.utils import timezone

from assess.errors import Conflict
from assess.models import Assignment, Collection, State, Task
from pooling.errors import shown


class NotNeeded(Conflict):
    """The task has all its judges: the judgement was not saved, and sending it again is useless."""


def claim_end(collection: Collection) -> datetime:
    """Return when a claim made now lapses."""
    return timezone.now() + timedelta(minutes=collection.claim_minutes)


def update_slot(assignment: Assignment, state: str, collection: Collection) -> None:
    """Hold or release the slot as the new state requires. The caller has locked the assignment and saves it."""
    if state == State.JUDGED:
        _hold(assignment)
    elif state == State.UNDONE and take_slot(assignment):
        assignment.claimed_until = claim_end(collection)
    elif state in (State.LATER, State.CANNOT_JUDGE):
        _give_back(assignment)


def _hold(assignment: Assignment) -> None:
    """Hold a slot for good. Raises NotNeeded if none is free."""
    # A task without wanted judges has no slots: the collection was closed to claims in the meantime.
    if not take_slot(assignment) and Task.objects.filter(pk=assignment.task_id, wanted__gt=0).exists():
        raise NotNeeded(
            "This document already has all the judgements it needs. Your claim had expired, or you had postponed it. "
            "Your judgement was not saved."
        )
    assignment.claimed_until = None


def take_slot(assignment: Assignment) -> bool:
    """Take a slot unless the assignment holds one. Returns whether it holds one now."""
    if not assignment.holds_place:
        # One statement tests and takes the slot: on PostgreSQL it waits for a concurrent change and tests again.
        free = Task.objects.filter(pk=assignment.task_id, taken__lt=F("wanted"))
        assignment.holds_place = free.update(taken=F("taken") + 1) == 1
    return assignment.holds_place


def _give_back(assignment: Assignment) -> None:
    if assignment.holds_place:
        _free(Task.objects.filter(pk=assignment.task_id), 1)
    assignment.holds_place, assignment.claimed_until = False, None


def release_slots(assignments: Iterable[Assignment]) -> None:
    """Release the slots of these assignments, which the caller has locked."""
    held = Counter(each.task_id for each in assignments if each.holds_place)
    # Reads all rows, which locks them, without keeping them in memory.
    deque(_locked(Task.objects.filter(pk__in=held)), maxlen=0)
    by_number = defaultdict(list)
    for task, number in held.items():
        by_number[number].append(task)
    # One statement for each number, because one statement subtracts the same number everywhere.
    for number, tasks in by_number.items():
        _free(Task.objects.filter(pk__in=tasks), number)
    mine = Assignment.objects.filter(pk__in=[each.pk for each in assignments])
    mine.update(holds_place=False, claimed_until=None)


def _free(tasks: QuerySet[Task], number: int) -> None:
    judges = Subquery(Collection.objects.filter(topics=OuterRef("topic")).values("judges_per_task")[:1])
    left = F("taken") - number
    tasks.update(taken=left, wanted=Least(F("wanted"), Greatest(left, Coalesce(judges, Value(0)))))


# ---- a whole collection


def lock_slots(collection: Collection) -> None:
    """Prevent judgements and claims from changing a slot until the caller's transaction ends.

    On SQLite, rows have no locks and need none: a writing transaction already locks the database.
    """
    topics = collection.topics.values("pk")
    _lock(Assignment.objects.filter(topic__in=topics), Task.objects.filter(topic__in=topics))


def lock_slots_of(tasks: Sequence[int]) -> None:
    """Prevent judgements and claims from changing a slot of these tasks until the caller's transaction ends."""
    _lock(Assignment.objects.filter(task__in=tasks), Task.objects.filter(pk__in=tasks))


def _lock(assignments: QuerySet[Assignment], tasks: QuerySet[Task]) -> None:
    if connection.features.has_select_for_update:
        deque(_locked(assignments), maxlen=0)
        deque(_locked(tasks), maxlen=0)


def _locked(rows: QuerySet[Any]) -> Iterator[tuple[Any, ...]]:
    return rows.order_by("pk").select_for_update(no_key=True).values_list("pk").iterator()


def recount_slots(tasks: QuerySet[Task], k: int) -> None:
    """Recount the slots of these tasks, which need `k` judges: judgements and claims hold one each."""
    # Rows that are right already are left out of both updates: each written row costs time under the lock.
    first = Assignment.objects.filter(task__in=tasks.values("pk"), repeat=0)
    first.filter(state=State.JUDGED).exclude(holds_place=True, claimed_until=None).update(
        holds_place=True, claimed_until=None
    )
    first.filter(state__in=[State.LATER, State.CANNOT_JUDGE], holds_place=True).update(
        holds_place=False, claimed_until=None
    )
    tasks.update(taken=_held(), wanted=Greatest(_held(), Value(k)))


def _held() -> Coalesce:
    """Return the number of assignments of a task that hold a slot."""
    holding = Assignment.objects.filter(task=OuterRef("pk"), holds_place=True).order_by()
    return Coalesce(Subquery(holding.values("task").annotate(n=Count("pk")).values("n")), Value(0))


def slot_problems(collection: Collection | None = None) -> Iterator[str]:
    """Yield one sentence for every task whose slots do not match its assignments, in one collection or in all."""
    tasks = Task.objects.annotate(held=_held()).select_related("topic__collection", "document")
    if collection:
        tasks = tasks.filter(topic__collection=collection)
    for task in tasks.exclude(taken=F("held")).order_by("pk").iterator(2_000):
        yield f"{_describe(task)}: {task.taken} slots are recorded as taken, but {task.held} are actually taken."
    without_slot = Q(repeat=0, state=State.JUDGED, holds_place=False, task__wanted__gt=0)
    endless = Q(holds_place=True, claimed_until=None) & ~Q(state=State.JUDGED)
    lapsing = Q(state=State.JUDGED, claimed_until__isnull=False)
    wrong = without_slot | endless | lapsing
    rows = Assignment.objects.filter(wrong).select_related("task__topic", "task__document", "member")
    if collection:
        rows = rows.filter(topic__collection=collection)
    for row in rows.order_by("pk").iterator(2_000):
        yield f"{_describe(row.task)}: {shown(row.member.name)} {_problem(row)}."


def _problem(row: Assignment) -> str:
    if row.claimed_until:
        return "judged it, but the slot can still expire"
    return "holds a permanent slot without a judgement" if row.holds_place else "judged it without a slot"


def _describe(task: Task) -> str:
    return f"Task {task.pk} (document {shown(task.document.doc_id)} of topic {shown(task.topic.query_id)})"
