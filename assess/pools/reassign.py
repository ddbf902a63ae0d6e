"""Work that is taken from one assessor: what is open goes to others, what is judged stays.

Open is what was given and has no judgement, was put off, or was taken back. Where tasks are given out, each goes to
whom has least to do, and never to somebody who has it or has said something of it already. Where the pool is open to
claims, it goes back to the pool.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef

from assess.collections.create import lock_collection
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Assignment, Collection, Judgement, Member
from assess.pools import claims, repeats
from assess.pools.assign import adopt
from assess.pools.repeats import repeats_of
from assess.pools.tasks import OPEN, SETTLED


@dataclass(frozen=True)
class Reassigned:
    """How many tasks went to whom, by member name; or `back` to a pool that is open to claims. `stay` is the open work
    that nobody could take, `settled` what was judged or could not be."""

    moved: dict[str, int]
    back: int
    stay: int
    settled: int


def reassign(collection: Collection, from_member: Member, to_members: Iterable[Member] | None = None) -> Reassigned:
    """Take the open work of one assessor; all other assessors share it unless some are named."""
    with transaction.atomic():
        lock_collection(collection)
        collection.refresh_from_db(fields=["judges_per_task"])
        others = _others(collection, from_member, list(to_members or ()))
        adopt(collection)
        own = Assignment.objects.filter(member=from_member, topic__in=collection.topics.values("pk"))
        moved, back = Counter(), 0
        if collection.open_to_claims:
            held = own.filter(state__in=OPEN, holds_place=True).order_by("pk").select_for_update(no_key=True)
            back = claims.give_back(list(held))
        else:
            moved = _move(_movable(own), others)
        stay = own.filter(state__in=OPEN).count()
        return Reassigned(dict(moved), back, stay, own.filter(state__in=SETTLED).count())


def _others(collection: Collection, from_member: Member, named: list[Member]) -> list[Member]:
    """Who may take over; refused where that is nobody."""
    everybody = [member for member in active_assessors(collection) if member != from_member]
    if named and collection.open_to_claims:
        raise Refused(
            f"{collection} is open to claims: what {from_member} gives back goes to whoever claims it next, "
            "and cannot be given to somebody by name."
        )
    for member in named:
        if member not in everybody:
            raise Refused(f"{member} cannot take over from {from_member}: only another assessor who can sign in can.")
    if not everybody and not collection.open_to_claims:
        raise Refused(f"Nobody can take over from {from_member}: {collection} has no other assessor who can sign in.")
    return named or everybody


def _movable(own) -> list[Assignment]:
    """First judgements that are open; not those whose hidden repeat was seen, which nobody else could compare."""
    seen = own.filter(task=OuterRef("task"), repeat=1).exclude(state="")
    rows = own.filter(~Exists(seen), repeat=0, state__in=OPEN).order_by("topic", "pk")
    rows = rows.select_for_update(of=("self",), no_key=True).select_related("task")
    return list(rows)


def _move(given: list[Assignment], others: list[Member]) -> Counter:
    """Each to whom has least open among those who may take it; returns how many went to whom."""
    had, load, moves = _had(given, others), _open_work(others), []
    for assignment in given:
        able = [member for member in others if assignment.task_id not in had[member.pk]]
        if able:
            member = min(able, key=lambda member: (load[member.pk], _chance(member, assignment)))
            load[member.pk] += 1
            moves.append((assignment, member))
    _hand_over(moves)
    return Counter(member.name for _, member in moves)


def _had(given: list[Assignment], others: list[Member]) -> dict[int, set[int]]:
    """The tasks that each has, or has said something of."""
    topics, found = {assignment.topic_id for assignment in given}, defaultdict(set)
    for rows in (
        Assignment.objects.filter(topic__in=topics, member__in=others),
        Judgement.objects.filter(task__topic__in=topics, member__in=others),
    ):
        for member, task in rows.values_list("member", "task"):
            found[member].add(task)
    return found


def _open_work(others: list[Member]) -> Counter:
    rows = Assignment.objects.filter(member__in=others, state__in=OPEN)
    return Counter(dict(rows.values("member").annotate(n=Count("pk")).order_by().values_list("member", "n")))


def _chance(member: Member, assignment: Assignment) -> int:
    """The place of a task in the order of its new assessor; the task's own draw stands for its names."""
    return draw(member.collection.seed, "reassigned", member.name, str(assignment.task.draw))


def _hand_over(moves: list[tuple[Assignment, Member]]) -> None:
    """New assignments for old: who had them finds them gone. A hidden repeat goes along."""
    gone = Assignment.objects.filter(pk__in=[assignment.pk for assignment, _ in moves])
    again = repeats_of(gone)
    twice = set(again.values_list("task", flat=True))
    new = []
    for old, member in moves:
        first = Assignment(task_id=old.task_id, topic_id=old.topic_id, member=member, position=_chance(member, old))
        new += [first, repeats.behind(first)] if old.task_id in twice else [first]
    again.delete()
    gone.delete()
    Assignment.objects.bulk_create(new, batch_size=BATCH)
