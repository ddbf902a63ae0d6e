"""Move the open work of one assessor to others. Judgements stay.

Open work is every assignment without a judgement, postponed, or undone. Assigned tasks go to the assessor with the
least open work, never to one who has the task or has judged it. If the pool is open to claims, the tasks return to it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet

from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Assignment, Collection, Judgement, Member
from assess.pools.assign import adopt_judgements
from assess.pools.claims import return_claims
from assess.pools.repeats import repeat_after, unseen_repeats
from assess.pools.tasks import OPEN, SETTLED

Moves = list[tuple[Assignment, Member]]


@dataclass(frozen=True)
class ReassignResult:
    """The number of tasks that each member received; or, with open claims, the number that went `back` to the pool.

    `stay` is the open work that nobody could take, `settled` the finished work.
    """

    moved: dict[str, int]
    back: int
    stay: int
    settled: int

    @property
    def moves_anything(self) -> bool:
        return bool(self.moved or self.back)


def reassign(collection: Collection, from_member: Member, to_members: Iterable[Member] | None = None) -> ReassignResult:
    """Move the open work of one assessor to the named members, or to all other assessors."""
    with transaction.atomic():
        lock_active(collection)
        collection.refresh_from_db(fields=["judges_per_task"])
        others = _others(collection, from_member, list(to_members or ()))
        adopt_judgements(collection)
        own = _assignments_of(collection, from_member)
        moved: Counter[str] = Counter()
        back = 0
        if collection.open_to_claims:
            back = return_claims(list(_held(own).order_by("pk").select_for_update(no_key=True)))
        else:
            movable = _movable(own).select_for_update(of=("self",), no_key=True)
            moves = _plan_moves(list(movable), others)
            _hand_over(moves)
            moved = _count_by_name(moves)
        stay = own.filter(state__in=OPEN).count()
        return ReassignResult(dict(moved), back, stay, own.filter(state__in=SETTLED).count())


def preview_reassign(
    collection: Collection, from_member: Member, to_members: Iterable[Member] | None = None
) -> ReassignResult:
    """Return what `reassign` would do now, without doing it."""
    others = _others(collection, from_member, list(to_members or ()))
    own = _assignments_of(collection, from_member)
    settled = own.filter(state__in=SETTLED).count()
    open_work = own.filter(state__in=OPEN).count()
    if collection.open_to_claims:
        back = _held(own).count()
        return ReassignResult({}, back, open_work - back, settled)
    movable = list(_movable(own))
    moves = _plan_moves(movable, others)
    repeats = unseen_repeats(own.filter(pk__in=[assignment.pk for assignment, _ in moves])).count()
    return ReassignResult(dict(_count_by_name(moves)), 0, open_work - len(moves) - repeats, settled)


def _assignments_of(collection: Collection, member: Member) -> QuerySet[Assignment]:
    return Assignment.objects.filter(member=member, topic__in=collection.topics.values("pk"))


def _held(own: QuerySet[Assignment]) -> QuerySet[Assignment]:
    return own.filter(state__in=OPEN, holds_place=True)


def _count_by_name(moves: Moves) -> Counter[str]:
    return Counter(member.name for _, member in moves)


def _others(collection: Collection, from_member: Member, named: list[Member]) -> list[Member]:
    """Return who may take over; raise Refused if nobody can."""
    candidates = [member for member in active_assessors(collection) if member != from_member]
    if named and collection.open_to_claims:
        raise Refused(
            f"{collection} is open to claims: the tasks of {from_member} return to the pool and cannot be assigned "
            "to a named member."
        )
    for member in named:
        if member not in candidates:
            raise Refused(f"{member} cannot take over from {from_member}: only another assessor who can sign in can.")
    if not candidates and not collection.open_to_claims:
        raise Refused(f"Nobody can take over from {from_member}: {collection} has no other assessor who can sign in.")
    return named or candidates


def _movable(own: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return open first judgements, except those whose hidden repeat was seen: nobody else could be compared."""
    seen = own.filter(task=OuterRef("task"), repeat=1).exclude(state="")
    return own.filter(~Exists(seen), repeat=0, state__in=OPEN).order_by("topic", "pk").select_related("task")


def _plan_moves(assignments: list[Assignment], others: list[Member]) -> Moves:
    """Choose for each the member with the least open work who may take it."""
    had, load = _tasks_of(assignments, others), _open_work(others)
    moves: Moves = []
    for assignment in assignments:
        able = [member for member in others if assignment.task_id not in had[member.pk]]
        if able:
            member = min(able, key=lambda member: (load[member.pk], _position(member, assignment)))
            load[member.pk] += 1
            moves.append((assignment, member))
    return moves


def _tasks_of(assignments: list[Assignment], others: list[Member]) -> dict[int, set[int]]:
    """Return the tasks that each member has or has judged."""
    topics = {assignment.topic_id for assignment in assignments}
    tasks = defaultdict(set)
    for rows in (
        Assignment.objects.filter(topic__in=topics, member__in=others),
        Judgement.objects.filter(task__topic__in=topics, member__in=others),
    ):
        for member, task in rows.values_list("member", "task"):
            tasks[member].add(task)
    return tasks


def _open_work(others: list[Member]) -> Counter[int]:
    rows = Assignment.objects.filter(member__in=others, state__in=OPEN)
    return Counter(dict(rows.values("member").annotate(n=Count("pk")).order_by().values_list("member", "n")))


def _position(member: Member, assignment: Assignment) -> int:
    """Return the position of a task in the order of its new assessor, derived from the task's own draw."""
    return draw(member.collection.seed, "reassigned", member.name, str(assignment.task.draw))


def _hand_over(moves: Moves) -> None:
    """Replace old assignments by new ones, with their hidden repeats. They disappear for the old assessor."""
    gone = Assignment.objects.filter(pk__in=[assignment.pk for assignment, _ in moves])
    again = unseen_repeats(gone)
    twice = set(again.values_list("task", flat=True))
    new = []
    for old, member in moves:
        first = Assignment(task_id=old.task_id, topic_id=old.topic_id, member=member, position=_position(member, old))
        new += [first, repeat_after(first)] if old.task_id in twice else [first]
    again.delete()
    gone.delete()
    Assignment.objects.bulk_create(new, batch_size=BATCH)
