"""Open claiming: an assessor takes the next tasks that still need judgements.

A claim is an assignment that holds a slot of its task for some minutes (`assess.pools.slots`). The time starts again
while the assessor keeps judging. When it is over and somebody else wants to claim, the task is returned, and its
assessor may claim it again. Every claim is one short transaction. On SQLite, writers take turns; on PostgreSQL, a
claim skips tasks that another claim has locked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.jobs.queue import UNFINISHED
from assess.lib.batches import SHORT_BATCH, let_others_write
from assess.lib.long_work import report
from assess.models import Assignment, Collection, Job, LearnerModel, Member, Order, Role, State, Task, Topic
from assess.near_duplicates.group_documents import waiting_duplicates
from assess.pools import slots
from assess.pools.assign import adopt_judgements, copy_judgement_states, unmarked_assignments
from assess.pools.free_tasks import FreeTasks, claim_order
from assess.pools.learning import propose as spares
from assess.pools.learning.current import current_model
from assess.pools.learning.due import train_if_due
from assess.pools.learning.propose import Proposer
from assess.pools.queue import claims_in_hand
from assess.pools.repeats import add_repeats, unseen_repeats
from assess.pools.tasks import LAPSED, claimable, pooled_tasks

MOST_RETURNED_AT_ONCE = 500  # lapsed claims that one request returns, since an assessor waits for it
MOST_AT_ONCE = 20_000  # assignments and tasks; changing the slots of more takes longer than a page should
WAITS = 3  # times that a claim waits for locked tasks before the page says that nothing is left


# ---- opening and closing


def is_long(collection: Collection) -> bool:
    """Whether opening, closing or changing the judges per task takes longer than a page should."""
    topics = collection.topics.values("pk")
    return sum(model.objects.filter(topic__in=topics).count() for model in (Task, Assignment)) > MOST_AT_ONCE


@dataclass(frozen=True)
class SlotChanges:
    """What a change of the judges per task did.

    `more` tasks already have more assessors than requested, and keep them. `claims` assignments became claims, or
    claims became assignments.
    """

    more: int
    claims: int


def open_to_claims(collection: Collection, k: int) -> SlotChanges:
    """Let every assessor claim tasks until each task has `k` judges, or change k.

    Assignments that are not judged yet become claims, which lapse like any other.
    """
    set_judges(collection, k)
    return update_slots(collection)


def close_to_claims(collection: Collection) -> SlotChanges:
    """Return to assigned tasks: assessors keep their claims, now without end."""
    set_judges(collection, None)
    return update_slots(collection)


@transaction.atomic
def set_judges(collection: Collection, k: int | None) -> None:
    """Set the judges per task, or None for assigned tasks. The tasks follow by `update_slots`."""
    lock_active(collection)
    collection.judges_per_task = k
    collection.save(update_fields=["judges_per_task"])


def is_behind(collection: Collection) -> bool:
    """Whether tasks do not follow the judges per task yet, because `update_slots` was not finished."""
    if k := collection.judges_per_task:
        return pooled_tasks(collection).filter(Q(wanted__lt=k) | Q(wanted__gt=k, taken__lt=F("wanted"))).exists()
    return Task.objects.filter(topic__in=collection.topics.values("pk"), wanted__gt=0).exists()


def judges_problems(collection: Collection | None = None) -> Iterator[str]:
    """Yield one sentence for each collection whose tasks do not follow the judges per task, and no job updates them."""
    collections = Collection.objects.filter(pk=collection.pk) if collection else Collection.objects.all()
    updated = Job.objects.filter(collection=OuterRef("pk"), kind="change_rules", state__in=UNFINISHED)
    for each in collections.exclude(Exists(updated)).order_by("pk"):
        if is_behind(each):
            judges = f"{each.judges_per_task} judges" if each.open_to_claims else "no claims"
            yield f"{each} has tasks that want other numbers of judges than its rule, {judges}."


def update_slots(collection: Collection) -> SlotChanges:
    """Let all tasks follow the judges per task of the collection.

    Each batch is a transaction of its own, so that judging goes on: a task that is not reached yet follows the judges
    per task of before. An update that was interrupted is completed by the next one.
    """
    every = Task.objects.filter(topic__in=collection.topics.values("pk"))
    tasks = list(every.order_by("pk").values_list("pk", flat=True))
    claims = more = 0
    for start in range(0, len(tasks), SHORT_BATCH):
        report("Updating the documents", start, len(tasks))
        changes = _update_batch(collection, tasks[start : start + SHORT_BATCH])
        claims, more = claims + changes.claims, more + changes.more
        let_others_write()
    with transaction.atomic():
        lock_active(collection)
        spares.add_spares(collection)
    return SlotChanges(more, claims)


@transaction.atomic
def _update_batch(collection: Collection, tasks: list[int]) -> SlotChanges:
    lock_active(collection)
    k = Collection.objects.values_list("judges_per_task", flat=True).get(pk=collection.pk)
    slots.lock_slots_of(tasks)
    return _close(tasks) if k is None else _open(collection, tasks, k)


def _open(collection: Collection, tasks: list[int], k: int) -> SlotChanges:
    pooled = pooled_tasks(collection).filter(pk__in=tasks)
    unjudged = Assignment.objects.filter(task__in=pooled.filter(wanted=0), repeat=0, state__in=["", State.UNDONE])
    claims = unjudged.update(holds_place=True, claimed_until=slots.claim_end(collection))
    adopt_judgements(collection, tasks)
    slots.recount_slots(pooled, k)
    return SlotChanges(pooled.filter(taken__gt=k).count(), claims)


def _close(tasks: list[int]) -> SlotChanges:
    # Lapsed assignments stay: an assessor without a connection may have judged one of them.
    assignments = Assignment.objects.filter(task__in=tasks)
    kept = assignments.filter(claimed_until__isnull=False).count()
    assignments.filter(holds_place=True).update(holds_place=False, claimed_until=None)
    Task.objects.filter(pk__in=tasks).exclude(wanted=0).update(wanted=0, taken=0)
    return SlotChanges(0, kept)


def open_new_tasks(collection: Collection) -> None:
    """Open the tasks that were just added to the pool, inside the caller's transaction."""
    if judges := Collection.objects.values_list("judges_per_task", flat=True).get(pk=collection.pk):
        # Tasks with assignments are not new: `update_slots` has not reached them yet.
        pooled_tasks(collection).filter(wanted=0, assignments=None).update(wanted=judges)


# ---- claiming


def claim(member: Member, topic: Topic, limit: int) -> int:
    """Claim tasks of the topic until the assessor has `limit` open claims. Returns how many were claimed."""
    model = _model(member, topic)
    limit += len(waiting_duplicates(member, topic))
    in_hand = claims_in_hand(member, topic)
    _renew(member, topic, min(filter(None, in_hand), default=None))
    if len(in_hand) >= limit:
        return 0
    release_lapsed(member.collection)
    if not model and not claimable(member, topic).exists():
        return 0
    claimed = _claim(member, topic, limit, claim_order(member, topic, is_learned=model is not None), model)
    if claimed or in_hand:
        return claimed
    # If other claims have the last tasks locked, wait for one of them before reporting that nothing is left.
    free = claimable(member, topic)
    return next(filter(None, (_claim(member, topic, 1) for _ in range(WAITS) if free.exists())), 0)


def _model(member: Member, topic: Topic) -> LearnerModel | None:
    """Return the model that proposes documents of the topic, if a learner does."""
    if member.collection.order != Order.ADAPTIVE:
        return None
    model = current_model(topic)
    return current_model(topic) if model and train_if_due(model) else model


@transaction.atomic
def _claim(
    member: Member, topic: Topic, limit: int, order: tuple[Any, ...] = (), model: LearnerModel | None = None
) -> int:
    """Claim in `order`, skipping tasks that others have locked; without an order, wait for one locked task.

    If near-duplicates are judged together, the free ones of these tasks are claimed too.

    What the model proposes comes first. Such claims add documents to the pool, so they lock the collection.
    """
    if model:
        Collection.objects.select_for_update(no_key=True).only("pk").get(pk=member.collection_id)
    # Two pages of one assessor claim one after the other. no_key: a judgement, whose row refers to the member, does
    # not wait.
    # The lock of a member comes before those of assignments and tasks, as in a judgement.
    still_assessor = Member.objects.filter(pk=member.pk, user=member.user_id, role=Role.ASSESSOR)
    if still_assessor.select_for_update(no_key=True).first() is None:  # removed after the request began
        return 0
    missing = limit - len(claims_in_hand(member, topic))  # the other page may have claimed in the meantime
    if missing < 1:
        return 0
    own = Assignment.objects.filter(member=member, topic=topic)
    lapsed = {each.task_id: each for each in own.filter(state=LAPSED).select_for_update(skip_locked=True, no_key=True)}
    free = FreeTasks(member, topic, list(lapsed.values()))
    proposer = Proposer(member, model) if model else None
    tasks = _lock_tasks(free, missing, order, proposer)
    _write_claims(member, topic, tasks, lapsed, own.count())
    if not unmarked_assignments(own.filter(repeat=0)).exists():
        return len(tasks)
    # The assessor had postponed some of these tasks before: such a claim holds no slot, and others replace it.
    new = own.filter(task__in=tasks, repeat=0)
    copy_judgement_states(new)
    postponed = _settle_copied(new)
    more = _claim(member, topic, limit, order, model) if postponed and order else 0
    return len(tasks) - postponed + more


def _lock_tasks(free: FreeTasks, missing: int, order: tuple[Any, ...], proposer: Proposer | None) -> list[Task]:
    if proposer:
        tasks = free.lock_these(proposer.propose(missing), missing, order)
        proposer.record(tasks)
    else:
        tasks = free.lock_first(missing, order) if order else free.wait_for_one()
    return tasks + free.lock_duplicates(tasks)


def _write_claims(
    member: Member, topic: Topic, tasks: list[Task], lapsed: dict[int, Assignment], position: int
) -> None:
    """Take a slot of each task and save the claims, in the queue from `position` on."""
    Task.objects.filter(pk__in=[task.pk for task in tasks]).update(taken=F("taken") + 1)
    until = slots.claim_end(member.collection)
    claims = [lapsed.get(task.pk) or Assignment(task=task, topic=topic, member=member) for task in tasks]
    for offset, assignment in enumerate(claims):
        assignment.position = position + offset
        assignment.state, assignment.holds_place, assignment.claimed_until = "", True, until
    fields = ["position", "state", "holds_place", "claimed_until"]
    Assignment.objects.bulk_update([each for each in claims if each.pk], fields)
    Assignment.objects.bulk_create([each for each in claims if not each.pk])
    add_repeats(member, list(zip(claims, tasks, strict=True)))


def _settle_copied(claimed: QuerySet[Assignment]) -> int:
    """Let claims with an earlier judgement hold a slot as that judgement requires. Returns how many hold none."""
    claimed.filter(state=State.JUDGED).update(claimed_until=None)
    postponed = list(claimed.filter(state__in=[State.LATER, State.CANNOT_JUDGE], holds_place=True))
    slots.release_slots(postponed)
    return len(postponed)


# ---- lapsing


def _renew(member: Member, topic: Topic, soonest: datetime | None) -> None:
    """Restart the time of the assessor's claims if the `soonest` expires in less than half of it."""
    half = timedelta(minutes=member.collection.claim_minutes) / 2
    # Not at every request, because each renewal writes all claims of the topic.
    if soonest and soonest < timezone.now() + half:
        held = Assignment.objects.filter(member=member, topic=topic, claimed_until__isnull=False)
        held.update(claimed_until=slots.claim_end(member.collection))


def release_lapsed(collection: Collection) -> int:
    """Return claims whose time is over, the oldest first. Returns how many."""
    over = Assignment.objects.filter(claimed_until__lt=timezone.now(), topic__in=collection.topics.values("pk"))
    # Without writing: on SQLite, the transaction would wait for the lock of the database even if nothing lapsed.
    if not over.exists():
        return 0
    with transaction.atomic():
        # skip_locked: a claim that is locked is being judged, or another request returns it.
        lapsed = over.select_for_update(skip_locked=True, no_key=True).order_by("claimed_until", "pk")
        return return_claims(list(lapsed[:MOST_RETURNED_AT_ONCE]))


def return_claims(claims: list[Assignment]) -> int:
    """Return these claims, which the caller has locked. A claim that was never judged becomes lapsed."""
    slots.release_slots(claims)
    untouched = Assignment.objects.filter(pk__in=[each.pk for each in claims if not each.state])
    unseen_repeats(untouched).delete()
    untouched.update(state=LAPSED)
    return len(claims)
