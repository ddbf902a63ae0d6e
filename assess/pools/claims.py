"""Open claiming: an assessor takes the next tasks that still need judgements, wide before deep.

A claim is an assignment that holds one of the task's places for some minutes (`assess.pools.slots`); the clock starts anew
while its assessor goes on. When the time is over and somebody else wants to claim, the task goes back, and its assessor
may claim it again. Every claim is one short transaction. On SQLite writers take turns; on PostgreSQL tasks that
somebody else is just claiming are passed by.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, DateTimeField, Exists, F, OuterRef, QuerySet
from django.utils import timezone

from assess.collections.create import lock_collection
from assess.lib.prepared import Composed, Given
from assess.models import Assignment, Collection, Member, State, Task, Topic
from assess.pools import slots
from assess.pools.assign import adopt, mirror, unlike_judgements
from assess.pools.free_tasks import Free, claimable, turn_of
from assess.pools.repeats import add_repeats, repeats_of
from assess.pools.tasks import LAPSED, pooled_tasks

LAPSING_AT_ONCE = 500  # claims that one request gives back: an assessor waits for it
WAITS = 3  # for what others are just at, before a page says that there is nothing


# ---- opening and closing


@dataclass(frozen=True)
class OpenResult:
    """What opening came to: how many tasks have `more` assessors than asked already and keep them, and how many
    assignments that were given out beforehand are claims now."""

    more: int
    claims: int


def open_to_claims(collection: Collection, k: int) -> OpenResult:  # noqa: A001 - as one says it
    """Let every assessor take the next task, until each has `k` different ones; or change k.

    What was given out and is not judged becomes a claim, and lapses like any other unless its assessor goes on.
    """
    with transaction.atomic():
        lock_collection(collection)
        was_open = Collection.objects.get(pk=collection.pk).open_to_claims
        collection.judges_per_task = k
        collection.save(update_fields=["judges_per_task"])
        slots.lock(collection)
        claimed = 0 if was_open else _claim_what_was_given(collection)
        adopt(collection)
        slots.recount(collection)
        return OpenResult(pooled_tasks(collection).filter(taken__gt=k).count(), claimed)


def _claim_what_was_given(collection: Collection) -> int:
    pooled = pooled_tasks(collection).values("pk")
    given = Assignment.objects.filter(task__in=pooled, repeat=0, state__in=["", State.UNDONE])
    return given.update(holds_place=True, claimed_until=slots.until(collection))


def close_to_claims(collection: Collection) -> int:
    """Go back to tasks that are given out: claims stay with their assessors, now without end. Returns how many."""
    with transaction.atomic():
        lock_collection(collection)
        collection.judges_per_task = None
        collection.save(update_fields=["judges_per_task"])
        slots.lock(collection)
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


def claim(member: Member, topic: Topic, at_hand: Composed, limit: int) -> int:
    """Claim tasks of the topic until the assessor has `limit` of them at hand; returns how many were claimed.

    `at_hand` finds when the claims of a `member` in a `topic` lapse, None for what never does.
    """
    own = {"member": member.pk, "topic": topic.pk}
    now = at_hand.rows(**own)
    _renew(member, topic, min(filter(None, now), default=None))
    if len(now) >= limit or not _anything(member, topic):
        return 0
    claimed = _claim(member, topic, at_hand, limit, turn_of(member, topic))
    if claimed or now:
        return claimed
    # Where others are just at the last ones, wait for one of them rather than say that there is nothing.
    free = claimable(member, topic)
    return next(filter(None, (_claim(member, topic, at_hand, 1) for _ in range(WAITS) if free.exists())), 0)


def _anything(member: Member, topic: Topic) -> bool:
    """Whether anything is free, once what lapsed has gone back."""
    collection = member.collection
    asked = {"collection": collection.pk, "member": member.pk, "topic": topic.pk, "now": timezone.now()}
    is_free, has_lapsed = IS_FREE.first(**asked) or (False, False)  # an exercise may be erased at any moment
    return claimable(member, topic).exists() if has_lapsed and release_lapsed(collection) else is_free


@transaction.atomic
def _claim(member: Member, topic: Topic, at_hand: Composed, limit: int, turn: tuple = ()) -> int:
    """Claim in `turn`, passing by what others are just at; without one, wait for what they are at."""
    LOCK.rows(member=member.pk)
    keys = {"member": member.pk, "topic": topic.pk}
    wanted = limit - len(at_hand.rows(**keys))  # the other page may have claimed in the meantime
    if wanted < 1:
        return 0
    again = {assignment.task_id: assignment for assignment in OWN_LAPSED.rows(**keys)}
    free = Free(member, topic, list(again.values()))
    tasks = free.first(wanted, turn) if turn else free.awaited()
    Task.objects.filter(pk__in=[task.pk for task in tasks]).update(taken=F("taken") + 1)
    until, had = slots.until(member.collection), HAD.first(**keys) or 0
    claimed = [again.get(task.pk) or Assignment(task=task, topic=topic, member=member) for task in tasks]
    for position, assignment in enumerate(claimed, start=had):
        assignment.position = position
        assignment.state, assignment.holds_place, assignment.claimed_until = "", True, until
    Assignment.objects.bulk_update(
        [each for each in claimed if each.pk], ["position", "state", "holds_place", "claimed_until"]
    )
    Assignment.objects.bulk_create([each for each in claimed if not each.pk])
    add_repeats(member, list(zip(claimed, tasks, strict=True)))
    if not SAID_BEFORE.rows(**keys):
        return len(tasks)
    # Some of it they had put off before: that holds no place, and others come in its stead.
    fresh = Assignment.objects.filter(member=member, task__in=tasks, repeat=0)
    mirror(fresh)
    put_off = _settle_mirrored(fresh)
    more = _claim(member, topic, at_hand, limit, turn) if put_off and turn else 0  # who waits, waits but once
    return len(tasks) - put_off + more


def _settle_mirrored(claimed: QuerySet[Assignment]) -> int:
    """Let claims of what their assessor had said something of hold a place as that asks for; how many hold none."""
    claimed.filter(state=State.JUDGED).update(claimed_until=None)
    put_off = list(claimed.filter(state__in=[State.LATER, State.CANNOT_JUDGE], holds_place=True))
    slots.give_back_all(put_off)
    return len(put_off)


IS_FREE = Composed(
    lambda: Collection.objects.filter(pk=Given("collection")).values_list(
        Exists(claimable(Given("member"), Given("topic"))),
        Exists(_over(Given("now", DateTimeField()), Topic.objects.filter(collection=OuterRef(OuterRef("pk"))))),
    )
)
# Two pages of one assessor claim in turn. no_key: a judgement, whose row names the member, need not wait.
LOCK = Composed(lambda: Member.objects.filter(pk=Given("member")).select_for_update(no_key=True))
OWN_LAPSED = Composed(lambda: _own().filter(state=LAPSED).select_for_update(skip_locked=True, no_key=True))
HAD = Composed(lambda: _own().values("member").annotate(had=Count("pk")).values_list("had", flat=True))
SAID_BEFORE = Composed(lambda: unlike_judgements(_own().filter(repeat=0)).values_list("pk", flat=True)[:1])


def _own() -> QuerySet[Assignment]:
    return Assignment.objects.filter(member=Given("member"), topic=Given("topic"))


# ---- lapsing


def _renew(member: Member, topic: Topic, soonest: datetime | None) -> None:
    """Start the clock of the assessor's claims anew where the `soonest` lapses in less than half its time."""
    half = timedelta(minutes=member.collection.claim_minutes) / 2
    if soonest and soonest < timezone.now() + half:
        held = Assignment.objects.filter(member=member, topic=topic, claimed_until__isnull=False)
        held.update(claimed_until=slots.until(member.collection))


def release_lapsed(collection: Collection) -> int:
    """Give back the places of claims whose time is over, those first that wait longest; returns how many."""
    over = _over(timezone.now(), collection.topics)
    if not over.exists():
        return 0
    with transaction.atomic():
        lapsed = over.select_for_update(skip_locked=True, no_key=True).order_by("claimed_until", "pk")
        return give_back(list(lapsed[:LAPSING_AT_ONCE]))


def _over(now: datetime | Given, topics: QuerySet[Topic]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(claimed_until__lt=now, topic__in=topics.values("pk"))


def give_back(claims: list[Assignment]) -> int:
    """Let these go back, which the caller has locked: what was never judged is as if it had not been claimed."""
    slots.give_back_all(claims)
    untouched = Assignment.objects.filter(pk__in=[each.pk for each in claims if not each.state])
    repeats_of(untouched).delete()
    untouched.update(state=LAPSED)
    return len(claims)
