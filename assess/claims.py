"""Open claiming: an assessor takes the next tasks that still need judgements, wide before deep.

A claim is an assignment that holds one of the task's places for some minutes (`assess.places`); the clock starts anew
while its assessor goes on. When the time is over and somebody else wants to claim, the task goes back, and its assessor
may claim it again. Every claim is one short transaction. On SQLite writers take turns; on PostgreSQL tasks that
somebody else is just claiming are passed by.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import BigIntegerField, Count, Exists, F, Min, OrderBy, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Collate
from django.utils import timezone

from assess import adaptive_queue, places, repeats
from assess.assigning import adopt, mirror
from assess.collections import locked
from assess.drawing import DRAWS, draw
from assess.models import Assignment, Collection, Member, Order, State, Task, Topic
from assess.tasks import LAPSED, pooled_tasks

PRIME = DRAWS - 1  # 2**31 - 1
LAPSING_AT_ONCE = 500  # claims that one request gives back: an assessor waits for it
WAITS = 3  # for what others are just at, before a page says that there is nothing


# ---- opening and closing


@dataclass(frozen=True)
class Opened:
    """What opening came to: how many tasks have `more` assessors than asked already and keep them, and how many
    assignments that were given out beforehand are claims now."""

    more: int
    claims: int


def open(collection: Collection, k: int) -> Opened:  # noqa: A001 - as one says it
    """Let every assessor take the next task, until each has `k` different ones; or change k.

    What was given out and is not judged becomes a claim, and lapses like any other unless its assessor goes on.
    """
    with transaction.atomic():
        locked(collection)
        was_open = Collection.objects.get(pk=collection.pk).open_to_claims
        collection.judges_per_task = k
        collection.save(update_fields=["judges_per_task"])
        places.lock(collection)
        claimed = 0 if was_open else _claim_what_was_given(collection)
        adopt(collection)
        places.recount(collection)
        return Opened(pooled_tasks(collection).filter(taken__gt=k).count(), claimed)


def _claim_what_was_given(collection: Collection) -> int:
    pooled = pooled_tasks(collection).values("pk")
    given = Assignment.objects.filter(task__in=pooled, repeat=0, state__in=["", State.UNDONE])
    return given.update(holds_place=True, claimed_until=places.until(collection))


def close(collection: Collection) -> int:
    """Go back to tasks that are given out: claims stay with their assessors, now without end. Returns how many."""
    with transaction.atomic():
        locked(collection)
        collection.judges_per_task = None
        collection.save(update_fields=["judges_per_task"])
        places.lock(collection)
        # What lapsed stays where it is: an assessor without a connection may have judged it.
        given = Assignment.objects.filter(topic__in=collection.topics.values("pk"))
        kept = given.filter(claimed_until__isnull=False).count()
        given.filter(holds_place=True).update(holds_place=False, claimed_until=None)
        Task.objects.filter(topic__in=collection.topics.values("pk")).exclude(wanted=0).update(wanted=0, taken=0)
    return kept


def include_new(collection: Collection) -> None:
    """Open tasks that a pool has just brought, or brought into the pool, inside the caller's transaction."""
    if judges := Collection.objects.values_list("judges_per_task", flat=True).get(pk=collection.pk):
        pooled_tasks(collection).filter(wanted=0).update(wanted=judges)


# ---- claiming


def claim(member: Member, topic: Topic, at_hand: QuerySet[Assignment], limit: int) -> int:
    """Claim tasks of the topic until the assessor has `limit` of them `at_hand`; returns how many were claimed."""
    now = at_hand.aggregate(number=Count("pk"), soonest=Min("claimed_until"))
    _renew(member, topic, now["soonest"])
    if now["number"] >= limit:
        return 0
    release_lapsed(member.collection)
    free = claimable(member, topic)
    if not free.exists():
        return 0
    claimed = _claim(member, topic, at_hand, limit, _turn(free, member, topic))
    if claimed or now["number"]:
        return claimed
    # Where others are just at the last ones, wait for one of them rather than say that there is nothing.
    return next(filter(None, (_claim(member, topic, at_hand, 1) for _ in range(WAITS) if free.exists())), 0)


@transaction.atomic
def _claim(member: Member, topic: Topic, at_hand: QuerySet[Assignment], limit: int, turn: tuple = ()) -> int:
    """Claim in `turn`, passing by what others are just at; without one, wait for what they are at."""
    # Two pages of one assessor claim in turn. no_key: a judgement, whose row names the member, need not wait.
    Member.objects.select_for_update(no_key=True).get(pk=member.pk)
    wanted = limit - at_hand.count()  # the other page may have claimed in the meantime
    if wanted < 1:
        return 0
    own = Assignment.objects.filter(member=member, topic=topic)
    lapsed = own.filter(state=LAPSED).select_for_update(skip_locked=True, no_key=True)
    again = {assignment.task_id: assignment for assignment in lapsed}
    free = claimable(member, topic, list(again.values()))
    tasks = _next(free, turn, wanted) if turn else _awaited(free)
    Task.objects.filter(pk__in=[task.pk for task in tasks]).update(taken=F("taken") + 1)
    until, had = places.until(member.collection), own.count()
    claimed = [again.get(task.pk) or Assignment(task=task, topic=topic, member=member) for task in tasks]
    for position, assignment in enumerate(claimed, start=had):
        assignment.position = position
        assignment.state, assignment.holds_place, assignment.claimed_until = "", True, until
    Assignment.objects.bulk_update(
        [each for each in claimed if each.pk], ["position", "state", "holds_place", "claimed_until"]
    )
    Assignment.objects.bulk_create([each for each in claimed if not each.pk])
    repeats.add(member, list(zip(claimed, tasks, strict=True)))
    if not mirror(own.filter(task__in=tasks, repeat=0)):
        return len(tasks)
    # Some of it they had put off before: that holds no place, and others come in its stead.
    put_off = _settle_mirrored(own.filter(task__in=tasks, repeat=0))
    more = _claim(member, topic, at_hand, limit, turn) if put_off and turn else 0  # who waits, waits but once
    return len(tasks) - put_off + more


def _settle_mirrored(claimed: QuerySet[Assignment]) -> int:
    """Let claims of what their assessor had said something of hold a place as that asks for; how many hold none."""
    claimed.filter(state=State.JUDGED).update(claimed_until=None)
    put_off = list(claimed.filter(state__in=[State.LATER, State.CANNOT_JUDGE], holds_place=True))
    places.give_back_all(put_off)
    return len(put_off)


def _next(free: QuerySet[Task], turn: tuple, limit: int) -> list[Task]:
    """Up to `limit` tasks, locked: all that fewer have before any that more have.

    Level by level: what another claim lifts from its level in between is no longer found there.
    """
    found: list[Task] = []
    level = _lowest(free)
    while level is not None and len(found) < limit:
        at_level = free.filter(taken=level).order_by(*turn)
        locked_ones = at_level.select_for_update(of=("self",), skip_locked=True, no_key=True)
        found += locked_ones[: limit - len(found)]
        level = _lowest(free.filter(taken__gt=level)) if len(found) < limit else None
    return found


def _awaited(free: QuerySet[Task]) -> list[Task]:
    """One of the tasks that the fewest have, locked, once whoever is at it is through; perhaps none is left then.

    Who has waited for one in vain holds it while waiting for the next: so all wait in the order of the keys, and for
    one level alone.
    """
    return list(free.filter(taken=_lowest(free)).order_by("pk").select_for_update(of=("self",), no_key=True)[:1])


def _lowest(tasks: QuerySet[Task]) -> int | None:
    return tasks.order_by("taken").values_list("taken", flat=True).first()


def is_open(member: Member, topic: Topic) -> bool:
    """Whether the assessor may take tasks of this topic."""
    return member.collection.open_to_claims and Task.objects.filter(topic=topic, wanted__gt=0).exists()


def claimable(member: Member, topic: Topic, again: list[Assignment] | None = None) -> QuerySet[Task]:
    """The tasks of a topic that need judgements and that the assessor has not, but for lapsed claims: all of them,
    or those in `again`."""
    own = Assignment.objects.filter(member=member, repeat=0, task=OuterRef("pk"))
    own = own.exclude(state=LAPSED) if again is None else own.exclude(pk__in=[each.pk for each in again])
    return Task.objects.filter(topic=topic, taken__lt=F("wanted")).exclude(Exists(own))


def _turn(free: QuerySet[Task], member: Member, topic: Topic) -> tuple:
    """An ORDER BY: among tasks that equally many have, the next one as the collection's rules say.

    A strategy is asked for it before the claim begins, lest others wait while it thinks; what they take in between is
    not free any more when the claim comes to it.
    """
    if member.collection.order == Order.FIXED:
        return (by_bytes("document__doc_id"),)
    shuffled = (_shuffled(member, topic), "pk")
    if member.collection.order == Order.ADAPTIVE:
        return (*adaptive_queue.of_tasks(free.order_by("taken", *shuffled), topic), "draw", "pk")
    return shuffled


def _shuffled(member: Member, topic: Topic):
    """An order of the assessor's own: the tasks' draws times a number of the assessor's, modulo a prime."""
    factor = 1 + draw(member.collection.seed, member.name, topic.query_id) % (PRIME - 1)
    return Cast("draw", BigIntegerField()) * Value(factor, BigIntegerField()) % PRIME


def by_bytes(path: str) -> OrderBy:
    """An order of texts that is the same on every database: of their bytes."""
    return OrderBy(Collate(F(path), "C") if connection.vendor == "postgresql" else F(path))


# ---- lapsing


def _renew(member: Member, topic: Topic, soonest: datetime | None) -> None:
    """Start the clock of the assessor's claims anew where the `soonest` lapses in less than half its time."""
    half = timedelta(minutes=member.collection.claim_minutes) / 2
    if soonest and soonest < timezone.now() + half:
        held = Assignment.objects.filter(member=member, topic=topic, claimed_until__isnull=False)
        held.update(claimed_until=places.until(member.collection))


def release_lapsed(collection: Collection) -> int:
    """Give back the places of claims whose time is over, those first that wait longest; returns how many."""
    over = Assignment.objects.filter(claimed_until__lt=timezone.now(), topic__in=collection.topics.values("pk"))
    if not over.exists():
        return 0
    with transaction.atomic():
        lapsed = over.select_for_update(skip_locked=True, no_key=True).order_by("claimed_until", "pk")
        return give_back(list(lapsed[:LAPSING_AT_ONCE]))


def give_back(claims: list[Assignment]) -> int:
    """Let these go back, which the caller has locked: what was never judged is as if it had not been claimed."""
    places.give_back_all(claims)
    untouched = Assignment.objects.filter(pk__in=[each.pk for each in claims if not each.state])
    repeats.of(untouched).delete()
    untouched.update(state=LAPSED)
    return len(claims)
