"""Move the open work of one assessor to others. Judgements stay.

Open work is every assignment without a judgement, postponed, or undone. Assigned tasks go to the assessor with the
least open work, never to one who has the task or has judged it. If the pool is open to claims, the tasks return to it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet

from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Conflict, Refused
from assess.lib.batches import BATCH, save_planned
from assess.lib.long_work import about_to_save, report
from assess.lib.seeded_draw import draw
from assess.models import Assignment, Collection, Judgement, Member
from assess.pools.assign import adopt_judgements, insert_assignments, stored_assignments
from assess.pools.claims import return_claims
from assess.pools.new_tasks import row_set
from assess.pools.repeats import position_of_repeat
from assess.pools.tasks import OPEN, SETTLED


class _Open(NamedTuple):
    """The keys of an open first judgement, and the draw of its task."""

    assignment: int
    task: int
    topic: int
    draw: int


Moves = list[tuple[_Open, Member]]


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
    named = list(to_members or ())
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims:
        return _release(collection, from_member, named)
    return save_planned(
        lambda: _plan(collection, from_member, named), lambda: _lock(collection, from_member), _Plan.save
    )


@transaction.atomic
def _release(collection: Collection, from_member: Member, named: list[Member]) -> ReassignResult:
    """Return the claims of a member to the pool."""
    _lock(collection, from_member)
    _others(collection, from_member, named)
    adopt_judgements(collection)
    own = _assignments_of(collection, from_member)
    report("Returning the claims")
    back = return_claims(list(_held(own).order_by("pk").select_for_update(no_key=True)))
    result = _result(own, {}, back)
    about_to_save()
    return result


def _lock(collection: Collection, from_member: Member) -> None:
    """Lock the open work, so that nobody judges it meanwhile. Refuse if the pool was opened or closed since."""
    was_open = collection.open_to_claims
    lock_active(collection)
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims != was_open:
        raise Conflict(f"{collection} was opened to claims or closed in the meantime; nothing was changed. Try again.")
    own = _assignments_of(collection, from_member).filter(state__in=OPEN).order_by("pk")
    list(own.select_for_update(of=("self",), no_key=True).values_list("pk"))


@dataclass(frozen=True)
class _Plan:
    """Everything that reassigning deletes and inserts, and what this depends on."""

    collection: Collection
    from_member: Member
    moves: Moves
    gone: list[int]
    rows: list[tuple[Any, ...]]
    basis: tuple[Any, ...]

    def is_current(self) -> bool:
        return self.basis == _basis(self.collection, self.from_member)

    def save(self) -> ReassignResult:
        """Replace old assignments by new ones. They disappear for the old assessor."""
        adopt_judgements(self.collection)
        # In parts, because a statement may have a limited number of parameters.
        for at in range(0, len(self.gone), BATCH):
            Assignment.objects.filter(pk__in=self.gone[at : at + BATCH]).delete()
        insert_assignments(self.rows)
        own = _assignments_of(self.collection, self.from_member)
        return _result(own, dict(_count_by_name(self.moves)), 0)


def _basis(collection: Collection, from_member: Member) -> tuple[Any, ...]:
    """Return what a plan depends on, except how much others have judged meanwhile."""
    assignments = Assignment.objects.filter(topic__in=collection.topics.values("pk"))
    own = assignments.filter(member=from_member, state__in=OPEN).order_by("pk").values_list("pk", "state")
    people = [(member.pk, member.name) for member in active_assessors(collection)]
    return row_set(assignments), row_set(Judgement.objects.filter(member=from_member)), people, list(own)


def _plan(collection: Collection, from_member: Member, named: list[Member]) -> _Plan:
    basis = _basis(collection, from_member)  # before the rest is read
    others = _others(collection, from_member, named)
    own = _assignments_of(collection, from_member)
    report("Choosing assessors")
    moves = _plan_moves(_movable(own), others)
    repeats = _unseen_repeats(own)
    gone = [key for each, _ in moves for key in (each.assignment, repeats.get(each.task)) if key]
    return _Plan(collection, from_member, moves, gone, _rows(moves, repeats), basis)


def _rows(moves: Moves, repeats: dict[int, int]) -> list[tuple[Any, ...]]:
    """Return the new assignments, with the hidden repeats that move along."""
    keys = []
    for each, member in moves:
        position = _position(member, each)
        keys.append((each.task, each.topic, member.pk, 0, position))
        if each.task in repeats:
            keys.append((each.task, each.topic, member.pk, 1, position_of_repeat(position)))
    return stored_assignments(keys)


def _unseen_repeats(own: QuerySet[Assignment]) -> dict[int, int]:
    """Return the keys of the repeats that the assessor cannot have seen, by task."""
    return dict(own.filter(repeat=1, state="").values_list("task", "pk"))


def _result(own: QuerySet[Assignment], moved: dict[str, int], back: int) -> ReassignResult:
    stay = own.filter(state__in=OPEN).count()
    return ReassignResult(moved, back, stay, own.filter(state__in=SETTLED).count())


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
    moves = _plan_moves(_movable(own), others)
    repeats = sum(each.task in twice for each, _ in moves) if (twice := _unseen_repeats(own)) else 0
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


def _movable(own: QuerySet[Assignment]) -> list[_Open]:
    """Return open first judgements, except those whose hidden repeat was seen: nobody else could be compared."""
    seen = own.filter(task=OuterRef("task"), repeat=1).exclude(state="")
    rows = own.filter(~Exists(seen), repeat=0, state__in=OPEN).order_by("topic", "pk")
    return [_Open(*row) for row in rows.values_list("pk", "task", "topic", "task__draw")]


def _plan_moves(work: list[_Open], others: list[Member]) -> Moves:
    """Choose for each the member with the least open work who may take it."""
    had, load = _tasks_of(work, others), _open_work(others)
    moves: Moves = []
    for each in work:
        able = [member for member in others if each.task not in had[member.pk]]
        if able:
            least = min(load[member.pk] for member in able)
            tied = [member for member in able if load[member.pk] == least]
            # By the draw of the task and the member's name, so that the order of the members does not decide.
            member = tied[0] if len(tied) == 1 else min(tied, key=lambda member: _position(member, each))
            load[member.pk] += 1
            moves.append((each, member))
    return moves


def _tasks_of(work: list[_Open], others: list[Member]) -> dict[int, set[int]]:
    """Return the tasks that each member has or has judged."""
    topics = {each.topic for each in work}
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


def _position(member: Member, work: _Open) -> int:
    """Return the position of a task in the order of its new assessor, derived from the task's own draw."""
    return draw(member.collection.seed, "reassigned", member.name, str(work.draw))
