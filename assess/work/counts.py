"""The counts behind the monitor. Every function sends one query, and the database aggregates."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Substr

from assess.models import Assignment, Collection, Judgement, JudgementKind, Member, Role, Task
from assess.pools.tasks import LAPSED, SETTLED, pooled_tasks

DAY, HOUR = len("2026-05-04"), len("2026-05-04 09")


def judges_of(collection: Collection) -> list[Member]:
    """Return the people who judge or have judged, without imported judges."""
    people = Q(user__isnull=False) | Q(removed_at__isnull=False)
    return list(collection.members.filter(people, role=Role.ASSESSOR))


def assignment_counts(
    judges: Sequence[Member], kind: JudgementKind = JudgementKind.REGULAR
) -> dict[tuple[int, int], Counter[str]]:
    """Return the number of assignments of one kind in each state, by the keys of member and topic.

    Everything is read from the index `assignment_queue`, in its order.
    """
    rows = Assignment.objects.filter(member__in=judges, repeat=kind).order_by()
    result: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for member, topic, state, number in rows.values_list("member", "topic", "state").annotate(Count("pk")):
        if state != LAPSED:
            result[member, topic][state] = number
    return result


def states_by_member(judges: Sequence[Member], kind: JudgementKind = JudgementKind.REGULAR) -> dict[int, Counter[str]]:
    """Return the number of assignments of one kind in each state, by the key of the member."""
    result: dict[int, Counter[str]] = defaultdict(Counter)
    for (member, _), states in assignment_counts(judges, kind).items():
        result[member].update(states)
    return result


def first_assigned(members: list[int]) -> dict[int, datetime]:
    """Return when each of these members got the first assignment."""
    rows = Assignment.objects.filter(member__in=members).order_by().values("member").annotate(first=Min("pk"))
    first = Assignment.objects.filter(pk__in=[row["first"] for row in rows])
    return dict(first.values_list("member", "created_at"))


def task_counts(collection: Collection) -> dict[int, tuple[int, int]]:
    """Return the number of pooled documents of each topic, and of the judgements that claims may add to them."""
    rows = pooled_tasks(collection).order_by().values_list("topic").annotate(Count("pk"), Sum("wanted"))
    return {topic: (tasks, wanted) for topic, tasks, wanted in rows}


def slots_wanted(collection: Collection) -> int:
    """Return the number of judgements that a collection needs that is open to claims."""
    tasks = Task.objects.filter(topic__collection=collection, wanted__gt=0)
    return tasks.aggregate(total=Sum("wanted"))["total"] or 0


def settled(judges: list[Member]) -> QuerySet[Judgement]:
    """Return the judgements of these people, without hidden repeats."""
    return Judgement.objects.filter(member__in=judges, repeat=0, state__in=SETTLED).order_by()


@dataclass(frozen=True)
class Totals:
    """The judgements of one member. `total_ms` is the active time of `timed` judgements; imported ones have none.

    `recent` counts the judgements after a time, and `recent_first` is the first of them.
    """

    total_ms: int = 0
    timed: int = 0
    first: datetime | None = None
    last: datetime | None = None
    recent: int = 0
    recent_first: datetime | None = None
    grades: Counter[int] = field(default_factory=Counter)


def totals(judges: list[Member], after: datetime, scale: Sequence[int] = ()) -> dict[int, Totals]:
    """Return the totals of each member, with the judgements after a time as recent ones.

    Only the grades of `scale` are counted, because each of them is compared with every judgement.
    """
    is_recent = Q(judged_at__gt=after)
    grades = {f"grade_{value}": Count("pk", filter=Q(relevance=value)) for value in scale}
    # One row for each member: with one for each grade, SQLite would sort all judgements.
    counted = (
        settled(judges)
        .values("member")
        .annotate(
            total_ms=Sum("active_ms"),
            timed=Count("pk", filter=Q(active_ms__gt=0)),
            first=Min("judged_at"),
            last=Max("judged_at"),
            recent=Count("pk", filter=is_recent),
            recent_first=Min("judged_at", filter=is_recent),
            **grades,
        )
    )
    return {row["member"]: _totals(dict(row), scale) for row in counted}


def _totals(row: dict[str, Any], scale: Sequence[int]) -> Totals:
    grades = Counter({value: row[f"grade_{value}"] for value in scale})
    names = ("total_ms", "timed", "first", "last", "recent", "recent_first")
    return Totals(**{name: row[name] for name in names}, grades=grades)


def grades_by_topic(judges: list[Member]) -> dict[int, Counter[int]]:
    """Return for each topic how often each grade was given."""
    grades: dict[int, Counter[int]] = defaultdict(Counter)
    for topic, relevance, number in settled(judges).values_list("task__topic", "relevance").annotate(Count("pk")):
        if relevance is not None:
            grades[topic][relevance] += number
    return grades


def by_period(judges: list[Member], after: datetime, length: int) -> dict[str, int]:
    """Return the number of judgements in each period, such as "2026-05-04 09" for `length` HOUR (UTC)."""
    # Both databases format a time as text in this way; Django's Trunc calls Python for each row on SQLite.
    period = Substr(Cast("judged_at", TextField()), 1, length)
    rows = settled(judges).filter(judged_at__gte=after).annotate(period=period)
    return dict(rows.values_list("period").annotate(Count("pk")))
