"""The open tasks of one assessor in one topic, and the order in which they come up."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When

from assess.models import Assignment, Judgement, JudgementKind, Member, State, Topic
from assess.pools import repeats
from assess.pools.tasks import OPEN


def open_tasks(member: Member, topic: Topic, claimed: bool) -> QuerySet[Assignment]:
    """Return what the assessor may judge now.

    A hidden repeat is included only when its first judgement is settled. With `claimed` (the collection is open to
    claims), a task is included only if the assessor holds a slot of it or a slot is free.
    """
    assignments = Assignment.objects.filter(member=member, topic=topic, state__in=OPEN)
    if claimed:
        has_slot = Q(holds_place=True) | ~Q(repeat=JudgementKind.REGULAR) | Q(task__taken__lt=F("task__wanted"))
        assignments = assignments.filter(has_slot)
    return repeats.due_repeats_only(assignments)


def claims_in_hand(member: Member, topic: Topic) -> list[datetime | None]:
    """Return when each claim that the assessor can judge next expires; None for one that does not expire."""
    in_hand = open_tasks(member, topic, claimed=True).exclude(state=State.LATER)
    return list(in_hand.values_list("claimed_until", flat=True))


def queue_parts(
    tasks: QuerySet[Assignment], member: Member, topic: Topic, order: tuple[Any, ...]
) -> Iterator[QuerySet[Assignment]]:
    """Yield the parts of the queue: undone judgements, new tasks in `order`, postponed ones.

    Repeats that would follow too soon after their first judgement come last.
    """
    judgements = Judgement.objects.filter(task=OuterRef("task"), member=member, repeat=OuterRef("repeat"))
    postponed_at = Case(When(state=State.LATER, then=Subquery(judgements.values("judged_at")[:1])))
    due = tasks
    if has_repeats := Assignment.objects.filter(member=member, topic=topic, repeat=JudgementKind.REPEAT).exists():
        due = tasks.exclude(repeats.too_soon(member, topic))
    yield due.filter(state=State.UNDONE).order_by(*order, "pk")
    yield due.filter(state="").order_by(*order, "pk")
    yield due.filter(state=State.LATER).order_by(postponed_at, *order, "pk")
    if has_repeats:
        yield tasks.filter(repeats.too_soon(member, topic)).order_by(postponed_at, *order, "pk")
