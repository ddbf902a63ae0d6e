"""Assign every pooled task to assessors beforehand, with a policy of `pooling.assignment`."""

import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused, as_sentence
from assess.lib.batches import BATCH, column_values, insert_rows, save_planned
from assess.models import Assignment, Collection, Judgement, JudgementImport, Member, Role
from assess.pools.new_tasks import RowSet, row_set, task_sets
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks

if TYPE_CHECKING:
    from pooling.assignment import Assignment as PlannedAssignment
    from pooling.assignment import Assignments, Policy

Result = TypeVar("Result")
TaskKeys = tuple[int, int]  # task, topic


@dataclass(frozen=True)
class AssignResult:
    """What was assigned: `added` assignments, of which `repeats` are hidden repeats, to `assessors` assessors.

    `shortfall` says which assignments the limits prevented.
    """

    added: int
    tasks: int
    assessors: int
    least: int
    most: int
    repeats: int = 0
    shortfall: str = ""


def assign(
    collection: Collection,
    judges: int = 1,
    by_topic: bool = False,
    *,
    share: float | None = None,
    shared: int | None = None,
    repeats: float = 0,
    limit: int | None = None,
) -> AssignResult:
    """Assign every pooled task to `judges` different assessors. Existing assignments stay.

    With `share`, this share of the tasks goes to `judges` assessors and the others to one. With `shared`, this number
    of tasks goes to everyone and the others to one. `by_topic` keeps all tasks of a topic with the same assessors.
    `repeats` is the share of their tasks that assessors judge twice. `limit` is the most assignments for each.
    """
    members = active_assessors(collection)
    if len(members) < judges:
        raise Refused(
            f"{judges} judges per task require as many assessors who can sign in; {collection} has {len(members)}. "
            "Add assessors with add_member --role assessor."
        )
    policies = _policies(judges, by_topic, share, shared, repeats)
    plan = save_planned(
        lambda: _plan(collection, members, policies, limit),
        lambda: _lock(collection),
        _save,
    )
    existing, new = plan.existing, plan.new
    load = Counter(each.assessor for each in existing) + Counter(each.assessor for each in new)
    loads = [load[at] for at in range(len(members))]
    again = sum(each.repeat for each in new)
    return AssignResult(len(new), len(plan.tasks), len(members), min(loads), max(loads), again, new.shortfall())


def _lock(collection: Collection) -> None:
    lock_active(collection)
    _check_closed(collection)


def _check_closed(collection: Collection) -> None:
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims:
        raise Refused(
            f"{collection} is open to claims: assessors claim the tasks themselves. "
            "Close it before you assign tasks (set_judging --assigned-only)."
        )


def _policies(judges: int, by_topic: bool, share: float | None, shared: int | None, repeats: float) -> "list[Policy]":
    """Return the policies that the options mean, in the order in which they are applied."""
    from pooling import assignment  # loads numpy, which pages that only count tasks do not need

    if share is not None and shared is not None:
        raise Refused("The options share and shared cannot be combined; choose one.")
    more: list[Policy] = []
    if share is not None:
        more.append(_checked(lambda: assignment.overlap_sample(share, judges)))
    if shared is not None:
        more.append(_checked(lambda: assignment.everyone(shared)))
    if by_topic:
        more.insert(0, _checked(lambda: assignment.by_topic(1 if more else judges)))
    if not more:
        more.append(_checked(lambda: assignment.overlap(judges)))
    return [*more, _checked(lambda: assignment.repeats(repeats))] if repeats else more


def _checked(make: Callable[[], Result]) -> Result:
    """Return the result of `make`; turn its ValueError into Refused."""
    try:
        return make()
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


@dataclass(frozen=True)
class _AssignPlan:
    """The existing and the new assignments, as indices into tasks and members, and the rows to write."""

    collection: Collection
    tasks: list[TaskKeys]
    existing: "list[PlannedAssignment]"
    new: "Assignments"
    rows: list[tuple[Any, ...]]
    lapsed: list[tuple[Any, ...]]
    basis: tuple[RowSet, ...]

    def is_current(self) -> bool:
        return self.basis == _basis(self.collection)


def _basis(collection: Collection) -> tuple[RowSet, ...]:
    """Return what a plan depends on. Judging creates no assignment; an import may bring judgements without one."""
    assignments = Assignment.objects.filter(topic__in=collection.topics.values("pk"))
    imports = JudgementImport.objects.filter(member__collection=collection)
    return *task_sets(collection), row_set(assignments), row_set(imports), row_set(collection.pool_buildings.all())


def _plan(collection: Collection, members: list[Member], policies: "list[Policy]", limit: int | None) -> _AssignPlan:
    from pooling import assignment

    _check_closed(collection)
    basis = _basis(collection)  # before the rest is read
    tasks = list(pooled_tasks(collection).order_by("pk").values_list("pk", "topic"))
    if not tasks:
        raise Refused(f"{collection} has no pool yet; build it first (build_pool).")
    existing = _existing(collection, tasks, members)
    topics = _numbered(collection, tasks)
    new = _checked(
        lambda: assignment.assign(topics, len(members), policies, seed=collection.seed, existing=existing, limits=limit)
    )
    return _AssignPlan(collection, tasks, existing, new, *_rows(new, tasks, members), basis)


def _rows(
    plan: "Sequence[PlannedAssignment]", tasks: list[TaskKeys], members: list[Member]
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Return the rows to insert, and the positions and keys of lapsed claims to update.

    A lapsed claim of the same assessor is assigned again and keeps its public id.
    """
    claims = Assignment.objects.filter(member__in=members, state=LAPSED)
    lapsed = {tuple(keys): pk for *keys, pk in claims.values_list("task", "member", "repeat", "pk")}
    common = tuple(column_values(Assignment, _common_values()).values())
    rows, again = [], []
    for each in plan:
        (task, topic), member = tasks[each.task], members[each.assessor].pk
        if key := lapsed.get((task, member, each.repeat)):
            again.append((each.position, key))
        else:
            rows.append((_stored_id(), task, topic, member, each.repeat, each.position, *common))
    return rows, again


def _common_values() -> dict[str, Any]:
    return {"state": "", "holds_place": False, "claimed_until": None, "created_at": timezone.now()}


def _stored_id() -> Any:
    """Return a new public id as the database stores it."""
    return uuid.uuid4() if connection.features.has_native_uuid_field else uuid.uuid4().hex


def _save(plan: _AssignPlan) -> _AssignPlan:
    """Save what was planned, inside the caller's transaction."""
    adopt_judgements(plan.collection)
    columns = ("public_id", "task_id", "topic_id", "member_id", "repeat", "position", *_common_values())
    insert_rows(Assignment, columns, plan.rows)
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE assess_assignment SET position = %s, state = '' WHERE id = %s", plan.lapsed)
    copy_judgement_states(Assignment.objects.filter(topic__in=plan.collection.topics.values("pk")))
    return plan


def _numbered(collection: Collection, tasks: list[TaskKeys]) -> list[int]:
    """Return the topic of each task, numbered from 0: the result depends on the seed, not on database keys."""
    topics = collection.topics.order_by("pk").values_list("pk", flat=True)
    numbers = {topic: number for number, topic in enumerate(topics)}
    return [numbers[topic] for _, topic in tasks]


def _existing(collection: Collection, tasks: list[TaskKeys], members: list[Member]) -> "list[PlannedAssignment]":
    """Return the existing assignments and judgements without one, as indices into the two lists."""
    from pooling.assignment import Assignment as ExistingAssignment

    task_at = {pk: at for at, (pk, _) in enumerate(tasks)}
    member_at = {member.pk: at for at, member in enumerate(members)}
    assignments = Assignment.objects.filter(member__in=members).exclude(state=LAPSED)
    rows = list(assignments.values_list("task", "member", "position", "repeat"))
    adopted = _judgements_to_adopt(collection).filter(member__in=members)
    rows += adopted.values_list("task", "member", "task__draw", "repeat")
    return [
        ExistingAssignment(task_at[task], member_at[member], position, repeat)
        for task, member, position, repeat in rows
        if task in task_at
    ]


def adopt_judgements(collection: Collection) -> int:
    """Create assignments for judgements that assessors made elsewhere, so that these tasks are not assigned again."""
    new = _judgements_to_adopt(collection).order_by("pk")
    rows = new.values_list("task", "task__topic", "member", "repeat", "state", "task__draw")
    made = Assignment.objects.bulk_create(
        (
            Assignment(task_id=task, topic_id=topic, member_id=member, repeat=repeat, state=state, position=draw)
            for task, topic, member, repeat, state, draw in rows
        ),
        batch_size=BATCH,
    )
    return len(made)


def _judgements_to_adopt(collection: Collection) -> QuerySet[Judgement]:
    own = {"task": OuterRef("task"), "member": OuterRef("member")}
    judged = Judgement.objects.filter(
        Q(repeat=0) | Exists(Judgement.objects.filter(**own, repeat=0, state__in=SETTLED)),
        state__in=SETTLED,
        member__in=collection.members.filter(role=Role.ASSESSOR, user__isnull=False),
        task__in=pooled_tasks(collection).values("pk"),
    )
    return judged.exclude(Exists(Assignment.objects.filter(**own, repeat=OuterRef("repeat"))))


def copy_judgement_states(assignments: QuerySet[Assignment]) -> int:
    """Copy the state of existing judgements to new assignments, which were postponed or undone before.

    Returns the number of such assignments.
    """
    return unmarked_assignments(assignments).update(state=Subquery(_judgements().values("state")[:1]))


def unmarked_assignments(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the assignments that do not have the state of their existing judgement yet."""
    return assignments.filter(Exists(_judgements()), state="")


def _judgements() -> QuerySet[Judgement]:
    return Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
