"""The counts behind the monitor. Every function sends one query, and the database aggregates."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Substr

from assess.models import Assignment, Collection, Judgement, Member, Role, State
from assess.pools.tasks import LAPSED, OPEN, SETTLED, pooled_tasks

SECOND_MS = 1_000
DAY, HOUR = len("2026-05-04"), len("2026-05-04 09")
STATES = {"judged": State.JUDGED, "cannot_judge": State.CANNOT_JUDGE, "later": State.LATER}


def judges_of(collection: Collection) -> list[Member]:
    """Return the people who judge or have judged, without imported judges."""
    people = Q(user__isnull=False) | Q(removed_at__isnull=False)
    return list(collection.members.filter(people, role=Role.ASSESSOR))


def assignment_counts(collection: Collection, by: str) -> dict[int, dict[str, Any]]:
    """Return the number of assignments in each state `by` member or topic, and when the first one was made."""
    rows = Assignment.objects.filter(topic__collection=collection, repeat=0).exclude(state=LAPSED)
    counts = {name: Count("pk", filter=Q(state=state)) for name, state in STATES.items()}
    counted = (
        rows.order_by()
        .values(by)
        .annotate(
            assigned=Count("pk"), open=Count("pk", filter=Q(state__in=OPEN)), first_at=Min("created_at"), **counts
        )
    )
    return {row.pop(by): row for row in counted}


def task_counts(collection: Collection) -> dict[int, tuple[int, int]]:
    """Return the number of pooled documents of each topic, and of the judgements that claims may add to them."""
    rows = pooled_tasks(collection).order_by().values_list("topic").annotate(Count("pk"), Sum("wanted"))
    return {topic: (tasks, wanted) for topic, tasks, wanted in rows}


def settled(judges: list[Member]) -> QuerySet[Judgement]:
    """Return the judgements of these people, without hidden repeats."""
    return Judgement.objects.filter(member__in=judges, repeat=0, state__in=SETTLED).order_by()


def grade_counts(judges: list[Member], by: str) -> dict[int, Counter[int | None]]:
    """Return how often each grade was given, `by` member or topic; None for "cannot judge"."""
    result: dict[int, Counter[int | None]] = defaultdict(Counter)
    for key, relevance, number in settled(judges).values_list(by, "relevance").annotate(Count("pk")):
        result[key][relevance] = number
    return result


def times(judges: list[Member], by: str) -> dict[int, dict[int, int]]:
    """Return how many judgements took 0, 1, ... whole seconds of active time, `by` member or topic.

    Judgements without active time were imported.
    """
    rows = settled(judges).filter(active_ms__gt=0)
    result: dict[int, dict[int, int]] = defaultdict(dict)
    for key, seconds, number in rows.values_list(by, F("active_ms") / SECOND_MS).annotate(Count("pk")):
        result[key][seconds] = number
    return result


def totals(judges: list[Member]) -> dict[int, dict[str, Any]]:
    """Return the active time of each member, over how many judgements, and the first and the last judgement."""
    timed = Q(active_ms__gt=0)
    rows = (
        settled(judges)
        .values("member")
        .annotate(
            total_ms=Sum("active_ms"), timed=Count("pk", filter=timed), first=Min("judged_at"), last=Max("judged_at")
        )
    )
    return {row.pop("member"): row for row in rows}


def recent(judges: list[Member], after: datetime) -> dict[int, tuple[int, datetime]]:
    """Return the number of judgements of each member after a time, and when the first of them was made."""
    rows = settled(judges).filter(judged_at__gt=after).values_list("member").annotate(Count("pk"), Min("judged_at"))
    return {member: (number, first) for member, number, first in rows}


def by_period(judges: list[Member], after: datetime, length: int) -> dict[str, int]:
    """Return the number of judgements in each period, such as "2026-05-04 09" for `length` HOUR (UTC)."""
    # Both databases format a time as text in this way; Django's Trunc calls Python for each row on SQLite.
    period = Substr(Cast("judged_at", TextField()), 1, length)
    rows = settled(judges).filter(judged_at__gte=after).annotate(period=period)
    return dict(rows.values_list("period").annotate(Count("pk")))


def median(counts: dict[int, int]) -> float | None:
    """Return the median of values that are given with their numbers; None without values."""
    number = sum(counts.values())
    if not number:
        return None
    middle = list(_at(counts, {(number - 1) // 2, number // 2}))
    return sum(middle) / len(middle)


def _at(counts: dict[int, int], ranks: set[int]) -> Iterator[int]:
    """Yield the values at these ranks, counted from 0."""
    below = 0
    for value, number in sorted(counts.items()):
        yield from (value for rank in ranks if below <= rank < below + number)
        below += number
