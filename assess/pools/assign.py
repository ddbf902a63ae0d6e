"""Giving tasks out beforehand: every pooled task to its assessors, by a policy of `pooling.assignment`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from assess.collections.create import lock_collection
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Assignment, Collection, Judgement, Member, Role
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks


@dataclass(frozen=True)
class Assigned:
    """How much was given out, `repeats` of it hidden repeats, and to how many. `lacking` says what could not be."""

    added: int
    tasks: int
    assessors: int
    least: int
    most: int
    repeats: int = 0
    lacking: str = ""


def assign(
    collection: Collection,
    judges: int = 1,
    by_topic: bool = False,
    *,
    share: float | None = None,
    shared: int | None = None,
    repeats: float = 0,
    limit: int | None = None,
) -> Assigned:
    """Give every pooled task to `judges` different assessors; what was given out stays where it is.

    With a `share`, only so many of the tasks go to `judges` assessors and the others to one; with a number of
    `shared` tasks, these go to everybody and the others to one. `by_topic` keeps a topic with its assessors,
    `repeats` is the share of their own tasks that they get a second time, and `limit` the most that each may have.
    """
    members = active_assessors(collection)
    if len(members) < judges:
        raise Refused(
            f"{judges} judges a task need as many assessors who can sign in, and {collection} has {len(members)}; "
            "add them with add_member --role assessor."
        )
    policies = _policies(judges, by_topic, share, shared, repeats)
    with transaction.atomic():
        lock_collection(collection)
        _check_closed(collection)
        tasks = list(pooled_tasks(collection).order_by("pk").values_list("pk", "topic"))
        if not tasks:
            raise Refused(f"{collection} has no pool yet; build it first (build_pool).")
        adopt(collection)
        given = _given(tasks, members)
        plan = _planned(collection, tasks, members, policies, given, limit)
        _write(plan, tasks, members)
        mirror(Assignment.objects.filter(topic__in=collection.topics.values("pk")))
    load = Counter(each.assessor for each in given) + Counter(new.assessor for new in plan)
    loads = [load[at] for at in range(len(members))]
    again = sum(new.repeat for new in plan)
    return Assigned(len(plan), len(tasks), len(members), min(loads), max(loads), again, plan.shortfall())


def _check_closed(collection: Collection) -> None:
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims:
        raise Refused(
            f"{collection} is open to claims: its assessors take the next task by themselves. "
            "Close it before giving tasks out (set_judging --assigned-only)."
        )


def _policies(judges: int, by_topic: bool, share: float | None, shared: int | None, repeats: float) -> list:
    """The policies that the options stand for, followed one after the other."""
    from pooling import assignment  # numpy: pages that only count tasks do without

    if share is not None and shared is not None:
        raise Refused("A share of the tasks for several judges and tasks for everyone do not go together; choose one.")
    more = []
    if share is not None:
        more.append(_checked(lambda: assignment.overlap_sample(share, judges)))
    if shared is not None:
        more.append(_checked(lambda: assignment.everyone(shared)))
    if by_topic:
        more.insert(0, _checked(lambda: assignment.by_topic(1 if more else judges)))
    if not more:
        more.append(_checked(lambda: assignment.overlap(judges)))
    return [*more, _checked(lambda: assignment.repeats(repeats))] if repeats else more


def _checked(make: Callable):
    """What `make` makes, or the sentence why it cannot be made."""
    try:
        return make()
    except ValueError as error:
        raise Refused(f"{error}.") from None


def _planned(collection: Collection, tasks: list, members: list[Member], policies: list, given: list, limit):
    from pooling import assignment

    topics = _numbered(collection, tasks)
    return _checked(lambda: assignment.assign(topics, len(members), policies, collection.seed, given, limit))


def _write(plan: Sequence, tasks: list, members: list[Member]) -> None:
    """What an assessor had claimed once, and let lapse, is given to them at the address that it had."""
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


def _numbered(collection: Collection, tasks: list) -> list[int]:
    """The topic of each task, counted from 0: the seed decides, and not the keys that the database chose."""
    topics = collection.topics.order_by("pk").values_list("pk", flat=True)
    at = {topic: number for number, topic in enumerate(topics)}
    return [at[topic] for _, topic in tasks]


def _given(tasks: list, members: list[Member]) -> list:
    """What was given out already, in the numbers of the two lists."""
    from pooling.assignment import Assignment as Given

    task_at = {pk: at for at, (pk, _) in enumerate(tasks)}
    member_at = {member.pk: at for at, member in enumerate(members)}
    rows = Assignment.objects.filter(member__in=members).exclude(state=LAPSED)
    rows = rows.values_list("task", "member", "position", "repeat")
    return [
        Given(task_at[task], member_at[member], position, repeat)
        for task, member, position, repeat in rows
        if task in task_at
    ]


def adopt(collection: Collection) -> int:
    """Count what assessors of the house judged elsewhere as theirs, so that it is given to them no second time."""
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


def mirror(assignments: QuerySet[Assignment]) -> int:
    """Let new assignments know what their assessors said before: put off or taken back, and then given to others.
    Returns of how many something had been said."""
    return unlike_judgements(assignments).update(state=Subquery(_own_judgement().values("state")[:1]))


def unlike_judgements(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Those that do not know yet that their assessors had said something."""
    return assignments.filter(Exists(_own_judgement()), state="")


def _own_judgement() -> QuerySet[Judgement]:
    return Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
