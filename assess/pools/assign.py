"""Assign every pooled task to assessors beforehand, with a policy of `pooling.assignment`."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused, as_sentence
from assess.lib.batches import BATCH, column_values, insert_rows, save_planned
from assess.lib.long_work import report
from assess.models import Assignment, Collection, Judgement, JudgementImport, JudgementKind, Member, Role
from assess.pools.new_tasks import RowSet, row_set, task_sets
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks
from pooling.errors import shown
from pooling.words import count

if TYPE_CHECKING:
    from pooling.assignment import Assignment as PlannedAssignment
    from pooling.assignment import Assignments, Policy

Result = TypeVar("Result")
TaskKeys = tuple[int, int]  # task, topic
Rows = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class AssignResult:
    """What was assigned: `added` assignments, of which `repeats` are hidden repeats, to `assessors` assessors.

    `least` and `most` are the loads of the assessors who were not excluded. `shortfall` says which assignments the
    limits prevented.
    """

    added: int
    tasks: int
    assessors: int
    least: int
    most: int
    repeats: int = 0
    shortfall: str = ""


def assign(collection: Collection, judges: int = 1, by_topic: bool = False, **options: Any) -> AssignResult:
    """Assign every pooled task to `judges` different assessors. Existing assignments stay.

    The other options are those of `plan_assignments`.
    """
    plan = save_planned(
        lambda: plan_assignments(collection, judges, by_topic, **options).with_rows(), lambda: _lock(collection), _save
    )
    included = [load for load, member in zip(plan.loads(), plan.members, strict=True) if member not in plan.excluded]
    again = sum(each.repeat for each in plan.new)
    sizes = (len(plan.new), len(plan.tasks), len(included))
    return AssignResult(*sizes, min(included), max(included), again, plan.new.shortfall())


def plan_assignments(
    collection: Collection,
    judges: int = 1,
    by_topic: bool = False,
    *,
    share: float | None = None,
    shared: int | None = None,
    repeats: float = 0,
    limit: int | None = None,
    exclude: Sequence[str] = (),
    topics: Sequence[str] = (),
    sampled: bool = False,
    only: Set[int] | None = None,
    preview: str | None = None,
) -> "AssignPlan":
    """Plan what `assign` saves, without saving it.

    With `share`, this share of the tasks goes to `judges` assessors and the others to one. With `shared`, this number
    of tasks goes to everyone and the others to one. `by_topic` keeps all tasks of a topic with the same assessors.
    `repeats` is the share of their tasks that assessors judge twice. `limit` is the maximum for each.

    The assessors named in `exclude` get nothing new. What they have counts as judged by them, except with `shared`.
    `topics` are the query_ids whose tasks are assigned; if empty, all. With `sampled`, only the tasks of random samples
    are assigned, and with `only`, those with these keys. `preview` is the fingerprint of the collection at an earlier
    plan: if it has changed since, the plan is refused.
    """
    if preview is not None and preview != fingerprint(collection):
        raise Refused(f"{collection} has changed since this preview. Look at the new preview before you assign.")
    policies = _policies(judges, by_topic, share, shared, repeats)
    members, excluded = _assessors(collection, exclude, judges)
    if shared is not None:
        members, excluded = [member for member in members if member not in excluded], []
    chosen = partial(_tasks, collection, topics, sampled, only)
    return _plan(collection, members, excluded, policies, limit, topics, chosen)


def _assessors(collection: Collection, exclude: Sequence[str], judges: int) -> tuple[list[Member], list[Member]]:
    """Return all assessors who can sign in, and those who are excluded."""
    members = active_assessors(collection)
    names = {member.name: member for member in members}
    if unknown := [name for name in exclude if name not in names]:
        existing = ", ".join(names) or "none"
        raise Refused(f"{shown(unknown[0])} cannot be excluded: {collection} has the assessors {existing}.")
    excluded = [names[name] for name in dict.fromkeys(exclude)]
    if (number := len(members) - len(excluded)) < max(judges, 1):
        raise Refused(
            f"{count(judges, 'judge')} per task require{'s' if judges == 1 else ''} as many assessors who can sign in; "
            f"{collection} has {number or 'none'}"
            f"{' besides those who are excluded' if excluded else ''}. Add assessors first."
        )
    return members, excluded


def _lock(collection: Collection) -> None:
    lock_active(collection)
    _check_closed(collection)


def _check_closed(collection: Collection) -> None:
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims:
        raise Refused(
            f"{collection} is open to claims: assessors claim the tasks themselves. "
            "Close it to claims before you assign tasks."
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
class AssignPlan:
    """The existing and the new assignments, as indices into tasks and members."""

    collection: Collection
    members: list[Member]
    excluded: list[Member]
    tasks: list[TaskKeys]
    existing: "list[PlannedAssignment]"
    new: "Assignments"
    basis: tuple[RowSet, ...]

    def is_current(self) -> bool:
        return self.basis == _basis(self.collection)

    def loads(self) -> list[int]:
        """Return how many assignments each member will have in these tasks, existing ones and repeats included."""
        load = Counter(each.assessor for each in self.existing) + Counter(each.assessor for each in self.new)
        return [load[at] for at in range(len(self.members))]

    @cached_property
    def rows(self) -> Rows:
        """The rows to insert, and the positions and keys of lapsed claims to update."""
        return _rows(self.new, self.tasks, self.members)

    def with_rows(self) -> "AssignPlan":
        """Return the plan with its rows computed, before anything is locked."""
        report("Preparing the assignments", 0, len(self.rows[0]))
        return self


def fingerprint(collection: Collection) -> str:
    """Return a text that changes if a plan with the same options may become another one."""
    keys = [_basis(collection), [member.pk for member in active_assessors(collection)]]
    return blake2b(repr(keys).encode(), digest_size=8).hexdigest()


def _basis(collection: Collection) -> tuple[RowSet, ...]:
    """Return what a plan depends on. Judging creates no assignment; an import may bring judgements without one."""
    assignments = Assignment.objects.filter(topic__in=collection.topics.values("pk"))
    imports = JudgementImport.objects.filter(member__collection=collection)
    return *task_sets(collection), row_set(assignments), row_set(imports), row_set(collection.pool_buildings.all())


def _plan(
    collection: Collection,
    members: list[Member],
    excluded: list[Member],
    policies: "list[Policy]",
    limit: int | None,
    query_ids: Sequence[str],
    chosen: Callable[[], list[TaskKeys]],
) -> AssignPlan:
    from pooling import assignment  # loads numpy

    _check_closed(collection)
    report("Reading tasks and assignments")
    basis = _basis(collection)  # before the rest is read
    tasks = chosen()
    existing = _existing(collection, tasks, members)
    topics = _numbered(collection, tasks)
    limits = _limits(members, excluded, existing, limit, {topic for _, topic in tasks} if query_ids else set())
    report("Choosing assessors")
    new = _checked(
        lambda: assignment.assign(
            topics, len(members), policies, seed=collection.seed, existing=existing, limits=limits
        )
    )
    return AssignPlan(collection, members, excluded, tasks, existing, new, basis)


def _tasks(collection: Collection, query_ids: Sequence[str], sampled: bool, only: Set[int] | None) -> list[TaskKeys]:
    """Return the pooled tasks, of all topics or of some, or only those of random samples or with some keys."""
    pooled = pooled_tasks(collection).filter(sampled__isnull=False) if sampled else pooled_tasks(collection)
    if query_ids:
        topics = dict(collection.topics.values_list("query_id", "pk"))
        if unknown := [query_id for query_id in query_ids if query_id not in topics]:
            raise Refused(f"{collection} has no topic {shown(unknown[0])}.")
        pooled = pooled.filter(topic__in={topics[query_id] for query_id in query_ids})
    rows = pooled.order_by("pk").values_list("pk", "topic")
    tasks = [(pk, topic) for pk, topic in rows if only is None or pk in only]
    if not tasks:
        where = "These topics have" if query_ids else f"{collection} has"
        raise Refused(f"{where} no pooled documents yet. Build the pool first.")
    return tasks


def _limits(
    members: list[Member],
    excluded: list[Member],
    existing: "list[PlannedAssignment]",
    limit: int | None,
    topics: set[int],
) -> list[int | None]:
    """Return the most assignments of each member in these tasks. `topics` are the chosen ones; if empty, all."""
    has = Counter(each.assessor for each in existing)
    elsewhere: dict[int, int] = {}
    if topics and limit is not None:
        others = Assignment.objects.filter(member__in=members).exclude(state=LAPSED).exclude(topic__in=topics)
        elsewhere = dict(others.order_by().values_list("member").annotate(Count("pk")))
    return [
        has[at] if member in excluded else None if limit is None else max(limit - elsewhere.get(member.pk, 0), 0)
        for at, member in enumerate(members)
    ]


def _rows(plan: "Sequence[PlannedAssignment]", tasks: list[TaskKeys], members: list[Member]) -> Rows:
    """Return the rows to insert, and the positions and keys of lapsed claims to update.

    A lapsed claim of the same assessor is assigned again and keeps its public id.
    """
    claims = Assignment.objects.filter(member__in=members, state=LAPSED)
    lapsed = {tuple(keys): pk for *keys, pk in claims.values_list("task", "member", "repeat", "pk")}
    keys, again = [], []
    for each in plan:
        (task, topic), member = tasks[each.task], members[each.assessor].pk
        if key := lapsed.get((task, member, each.repeat)):
            again.append((each.position, key))
        else:
            keys.append((task, topic, member, each.repeat, each.position))
    return stored_assignments(keys), again


def stored_assignments(keys: Iterable[tuple[int, int, int, int, int]]) -> list[tuple[Any, ...]]:
    """Return the rows of new assignments. Each has a task, a topic, a member, a repeat and a position."""
    common = tuple(column_values(Assignment, _common_values()).values())
    return [(_stored_id(), *each, *common) for each in keys]


def insert_assignments(rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert the rows that `stored_assignments` returned."""
    columns = ("public_id", "task_id", "topic_id", "member_id", "repeat", "position", *_common_values())
    insert_rows(Assignment, columns, rows)


def _common_values() -> dict[str, Any]:
    return {"state": "", "holds_place": False, "claimed_until": None, "created_at": timezone.now()}


def _stored_id() -> Any:
    """Return a new public id as the database stores it."""
    return uuid.uuid4() if connection.features.has_native_uuid_field else uuid.uuid4().hex


def _save(plan: AssignPlan) -> AssignPlan:
    """Save what was planned, inside the caller's transaction."""
    adopt_judgements(plan.collection)
    rows, lapsed = plan.rows
    insert_assignments(rows)
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE assess_assignment SET position = %s, state = '' WHERE id = %s", lapsed)
    copy_judgement_states(Assignment.objects.filter(topic__in=plan.collection.topics.values("pk")))
    return plan


def _numbered(collection: Collection, tasks: list[TaskKeys]) -> list[int]:
    """Return the topic of each task, numbered from 0: the result depends on the seed, not on database keys."""
    topics = collection.topics.order_by("pk").values_list("pk", flat=True)
    numbers = {topic: number for number, topic in enumerate(topics)}
    return [numbers[topic] for _, topic in tasks]


def _existing(collection: Collection, tasks: list[TaskKeys], members: list[Member]) -> "list[PlannedAssignment]":
    """Return the existing assignments and judgements without one, as indices into the two lists."""
    from pooling.assignment import Assignment as ExistingAssignment  # loads numpy

    task_at = {pk: at for at, (pk, _) in enumerate(tasks)}
    member_at = {member.pk: at for at, member in enumerate(members)}
    assignments = Assignment.objects.filter(member__in=members).exclude(state=LAPSED)
    rows = list(assignments.values_list("task", "member", "position", "repeat"))
    adopted = _judgements_to_adopt(collection).filter(member__in=members)
    rows += adopted.values_list("task", "member", "task__draw", "repeat")
    # A member who decides a dispute about a document, or takes part in norming with it, does not judge it as well.
    held = {
        (task_at[task], member_at[member], int(kind == JudgementKind.REPEAT)): position
        for task, member, position, kind in rows
        if task in task_at
    }
    return [ExistingAssignment(task, member, position, repeat) for (task, member, repeat), position in held.items()]


def adopt_judgements(collection: Collection, tasks: Sequence[int] | None = None) -> int:
    """Create assignments for judgements that assessors made elsewhere, so that these tasks are not assigned again.

    All tasks, or only those given.
    """
    new = _judgements_to_adopt(collection).order_by("pk")
    if tasks is not None:
        new = new.filter(task__in=tasks)
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
        Q(repeat=JudgementKind.REGULAR)
        | Exists(Judgement.objects.filter(**own, repeat=JudgementKind.REGULAR, state__in=SETTLED)),
        repeat__in=(JudgementKind.REGULAR, JudgementKind.REPEAT),
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
