"""Places: in a collection that is open to claims, at most `task.wanted` assessors have one of a task's places.

A claim holds a place until it lapses, a judgement holds it for ever; later and cannot judge give it back. `wanted` is
the collection's judges a task, and more only while more than that hold a place already: a place that is given back
then is gone.

All functions run inside the caller's transaction. Whoever locks rows locks assignments before tasks, and several rows
of a table only in the order of their keys or where nobody else holds them: so on PostgreSQL no two wait for each other.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest, Least
from django.utils import timezone

from assess.errors import Conflict
from assess.models import Assignment, Collection, State, Task
from assess.pools.tasks import pooled_tasks
from pooling.errors import shown


class NotNeeded(Conflict):
    """The task has its judges: nothing more is kept of it, and nobody is to be asked again."""


def claim_end(collection: Collection) -> datetime:
    """When a claim made now lapses."""
    return timezone.now() + timedelta(minutes=collection.claim_minutes)


def update_slot(assignment: Assignment, state: str, collection: Collection) -> None:
    """Hold or give back the place as the assessor's word asks for; the caller holds and saves the assignment."""
    if state == State.JUDGED:
        _hold(assignment)
    elif state == State.UNDONE and _take(assignment):
        assignment.claimed_until = claim_end(collection)
    elif state in (State.LATER, State.CANNOT_JUDGE):
        _give_back(assignment)


def _hold(assignment: Assignment) -> None:
    """Hold a place for ever; raises NotNeeded where none is free."""
    # A task that wants nobody has no places: the collection was closed in the meantime, and all is given out.
    if not _take(assignment) and Task.objects.filter(pk=assignment.task_id, wanted__gt=0).exists():
        raise NotNeeded(
            "This document has all its judgements by now: your claim had lapsed, or you had put it off. "
            "What you said of it was not kept."
        )
    assignment.claimed_until = None


def _take(assignment: Assignment) -> bool:
    """Take a place, unless one is held already; whether one is held now."""
    if not assignment.holds_place:
        # One statement that tests and takes: on PostgreSQL it waits for whoever is at the same row, and looks again.
        free = Task.objects.filter(pk=assignment.task_id, taken__lt=F("wanted"))
        assignment.holds_place = free.update(taken=F("taken") + 1) == 1
    return assignment.holds_place


def _give_back(assignment: Assignment) -> None:
    if assignment.holds_place:
        _free(Task.objects.filter(pk=assignment.task_id), 1)
    assignment.holds_place, assignment.claimed_until = False, None


def release_slots(assignments: Iterable[Assignment]) -> None:
    """Give back the places of these, which the caller has locked."""
    held = Counter(each.task_id for each in assignments if each.holds_place)
    deque(_locked(Task.objects.filter(pk__in=held)), maxlen=0)
    by_number = defaultdict(list)
    for task, number in held.items():
        by_number[number].append(task)
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
    """Let no judgement and no claim change a place until the caller's transaction ends."""
    topics = collection.topics.values("pk")
    deque(_locked(Assignment.objects.filter(topic__in=topics)), maxlen=0)
    deque(_locked(Task.objects.filter(topic__in=topics)), maxlen=0)


def _locked(rows: QuerySet) -> Iterator:
    return rows.order_by("pk").select_for_update(no_key=True).values_list("pk").iterator()


def recount_slots(collection: Collection) -> None:
    """Count the places of every pooled task anew: who judged it holds one, as does who has a claim."""
    first = Assignment.objects.filter(task__in=pooled_tasks(collection).values("pk"), repeat=0)
    first.filter(state=State.JUDGED).exclude(holds_place=True, claimed_until=None).update(
        holds_place=True, claimed_until=None
    )
    first.filter(state__in=[State.LATER, State.CANNOT_JUDGE], holds_place=True).update(
        holds_place=False, claimed_until=None
    )
    pooled_tasks(collection).update(taken=_held(), wanted=Greatest(_held(), Value(collection.judges_per_task)))


def _held() -> Coalesce:
    """How many assignments of a task hold one of its places."""
    holding = Assignment.objects.filter(task=OuterRef("pk"), holds_place=True).order_by()
    return Coalesce(Subquery(holding.values("task").annotate(n=Count("pk")).values("n")), Value(0))


def slot_problems(collection: Collection | None = None) -> Iterator[str]:
    """One sentence for every task whose places are not as its assignments say; of all collections unless one is
    named."""
    tasks = Task.objects.annotate(held=_held()).select_related("topic__collection", "document")
    if collection:
        tasks = tasks.filter(topic__collection=collection)
    for task in tasks.exclude(taken=F("held")).order_by("pk").iterator(2_000):
        yield f"{_named(task)}: {task.taken} of its places are said to be taken, and {task.held} are."
    placeless = Q(repeat=0, state=State.JUDGED, holds_place=False, task__wanted__gt=0)
    endless = Q(holds_place=True, claimed_until=None) & ~Q(state=State.JUDGED)
    lapsing = Q(state=State.JUDGED, claimed_until__isnull=False)
    wrong = placeless | endless | lapsing
    rows = Assignment.objects.filter(wrong).select_related("task__topic", "task__document", "member")
    if collection:
        rows = rows.filter(topic__collection=collection)
    for row in rows.order_by("pk").iterator(2_000):
        yield f"{_named(row.task)}: {shown(row.member.name)} {_wrong_with(row)}."


def _wrong_with(row: Assignment) -> str:
    if row.claimed_until:
        return "judged it, and the place would lapse all the same"
    return "holds a place for ever without a judgement" if row.holds_place else "judged it without a place"


def _named(task: Task) -> str:
    return f"Task {task.pk} (document {shown(task.document.doc_id)} of topic {shown(task.topic.query_id)})"
