"""Assign every pooled task to assessors beforehand, with a policy of `pooling.assignment`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from assess.collections.create import lock_collection
from assess.collections.members import active_assessors
from assess.errors import Refused, as_sentence
from assess.lib.batches import BATCH
from assess.models import Assignment, Collection, Judgement, Member, Role
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
    with transaction.atomic():
        lock_collection(collection)
        _check_closed(collection)
        tasks = list(pooled_tasks(collection).order_by("pk").values_list("pk", "topic"))
        if not tasks:
            raise Refused(f"{collection} has no pool yet; build it first (build_pool).")
        adopt_judgements(collection)
        existing = _existing(tasks, members)
        plan = _planned(collection, tasks, members, policies, existing, limit)
        _write(plan, tasks, members)
        copy_judgement_states(Assignment.objects.filter(topic__in=collection.topics.values("pk")))
    load = Counter(each.assessor for each in existing) + Counter(new.assessor for new in plan)
    loads = [load[at] for at in range(len(members))]
    again = sum(new.repeat for new in plan)
    return AssignResult(len(plan), len(tasks), len(members), min(loads), max(loads), again, plan.shortfall())


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


def _planned(
    collection: Collection,
    tasks: list[TaskKeys],
    members: list[Member],
    policies: "list[Policy]",
    existing: "list[PlannedAssignment]",
    limit: int | None,
) -> "Assignments":
    from pooling import assignment

    topics = _numbered(collection, tasks)
    return _checked(
        lambda: assignment.assign(topics, len(members), policies, seed=collection.seed, existing=existing, limits=limit)
    )


def _write(plan: "Sequence[PlannedAssignment]", tasks: list[TaskKeys], members: list[Member]) -> None:
    """Save the plan. A lapsed claim of the same assessor is assigned again and keeps its public id."""
    Assignment.objects.bulk_create(
        (
            Assignment(
                task_id=tasks[new.task][0],
                topic_id=tasks[new.task][1],
                member=members[new.assessor],
                position=new.position,
                repeat=new.repeat,
            )
            for new in plan
        ),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["task", "member", "repeat"],
        update_fields=["position", "state"],
    )


def _numbered(collection: Collection, tasks: list[TaskKeys]) -> list[int]:
    """Return the topic of each task, numbered from 0: the result depends on the seed, not on database keys."""
    topics = collection.topics.order_by("pk").values_list("pk", flat=True)
    numbers = {topic: number for number, topic in enumerate(topics)}
    return [numbers[topic] for _, topic in tasks]


def _existing(tasks: list[TaskKeys], members: list[Member]) -> "list[PlannedAssignment]":
    """Return the existing assignments, as indices into the two lists."""
    from pooling.assignment import Assignment as ExistingAssignment

    task_at = {pk: at for at, (pk, _) in enumerate(tasks)}
    member_at = {member.pk: at for at, member in enumerate(members)}
    assignments = Assignment.objects.filter(member__in=members).exclude(state=LAPSED)
    rows = assignments.values_list("task", "member", "position", "repeat")
    return [
        ExistingAssignment(task_at[task], member_at[member], position, repeat)
        for task, member, position, repeat in rows
        if task in task_at
    ]


def adopt_judgements(collection: Collection) -> int:
    """Create assignments for judgements that assessors made elsewhere, so that these tasks are not assigned again."""
    own = {"task": OuterRef("task"), "member": OuterRef("member")}
    judged = Judgement.objects.filter(
        Q(repeat=0) | Exists(Judgement.objects.filter(**own, repeat=0, state__in=SETTLED)),
        state__in=SETTLED,
        member__in=collection.members.filter(role=Role.ASSESSOR, user__isnull=False),
        task__in=pooled_tasks(collection).values("pk"),
    )
    new = judged.exclude(Exists(Assignment.objects.filter(**own, repeat=OuterRef("repeat")))).order_by("pk")
    rows = new.values_list("task", "task__topic", "member", "repeat", "state", "task__draw")
    made = Assignment.objects.bulk_create(
        (
            Assignment(task_id=task, topic_id=topic, member_id=member, repeat=repeat, state=state, position=draw)
            for task, topic, member, repeat, state, draw in rows
        ),
        batch_size=BATCH,
    )
    return len(made)


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
