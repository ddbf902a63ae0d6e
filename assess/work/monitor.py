"""How the work goes: for each judge and each topic what is done, how fast, with which grades, and when it ends.

The number of queries does not depend on the size of the collection.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from assess.models import Collection, Grade, Member, Topic
from assess.work import counts
from assess.work.activity import Activity, activity
from assess.work.forecast import WINDOW, Forecast, forecast, last_of

INACTIVE_AFTER = timedelta(days=3)
HOUR_MS = 3_600_000


@dataclass(frozen=True)
class Work:
    """The documents of a judge or a topic by state. Postponed documents (`later`) are among those that are `open`."""

    assigned: int = 0
    judged: int = 0
    cannot_judge: int = 0
    later: int = 0
    open: int = 0

    @property
    def done(self) -> int:
        return self.judged + self.cannot_judge

    @property
    def percent(self) -> int:
        """The share that is done, rounded down: 100 means that nothing is open."""
        return 100 * self.done // (self.done + self.open) if self.done else 0


@dataclass(frozen=True)
class GradeShare:
    """How often a grade was given, of all grades."""

    grade: Grade
    number: int
    percent: float


@dataclass(frozen=True)
class JudgeRow:
    """The work of one judge. `pace` is in documents per hour of active time; None without recorded time.

    `inactive_since` is the last judgement, or the first assignment, of somebody with open documents who has done
    nothing for a while.
    """

    member: Member
    work: Work
    pace: float | None
    seconds: float | None
    grades: list[GradeShare]
    last_at: datetime | None
    forecast: Forecast
    inactive_since: datetime | None


@dataclass(frozen=True)
class TopicRow:
    """The work in one topic, over all judges."""

    topic: Topic
    documents: int
    work: Work
    seconds: float | None
    grades: list[GradeShare]


@dataclass(frozen=True)
class Monitor:
    """The state of the work at one time. `pace` and `seconds` are those of all judges together."""

    at: datetime
    work: Work
    judges: list[JudgeRow]
    topics: list[TopicRow]
    pace: float | None
    seconds: float | None
    forecast: Forecast
    activity: Activity

    @property
    def inactive(self) -> list[JudgeRow]:
        return [row for row in self.judges if row.inactive_since]


class _Judges:
    """What the database says about every judge, by the key of the member."""

    def __init__(self, collection: Collection, now: datetime) -> None:
        self.people = counts.judges_of(collection)
        self.assignments = counts.assignment_counts(collection, "member")
        self.totals = counts.totals(self.people)
        self.recent = counts.recent(self.people, now - WINDOW)
        self.grades = counts.grade_counts(self.people, "member")
        self.times = counts.times(self.people, "member")

    def sum_of(self, name: str) -> int:
        return sum(row[name] for row in self.totals.values())

    def first_judgement(self) -> datetime | None:
        return min((row["first"] for row in self.totals.values()), default=None)

    def recent_of(self, member: Member) -> tuple[int, datetime | None]:
        return self.recent.get(member.pk, (0, None))

    def recent_of_all(self) -> tuple[int, datetime | None]:
        since = min((first for _, first in self.recent.values()), default=None)
        return sum(number for number, _ in self.recent.values()), since


def monitor(collection: Collection, now: datetime | None = None) -> Monitor:
    """Return the present state of the work."""
    now = now or timezone.now()
    judges = _Judges(collection, now)
    scale = list(collection.grades.all())
    topics = _topic_rows(collection, judges.people, scale)
    work = _sum_of_work(row.work for row in topics)
    rows = [_judge_row(collection, member, judges, scale, work.open, now) for member in judges.people]
    seconds: Counter[int] = Counter()
    for times in judges.times.values():
        seconds.update(times)
    return Monitor(
        at=now,
        work=work,
        judges=rows,
        topics=topics,
        pace=_pace(judges.sum_of("timed"), judges.sum_of("total_ms")),
        seconds=counts.median(seconds),
        forecast=_overall_forecast(collection, rows, judges, work.open, now),
        activity=activity(judges.people, judges.first_judgement(), now),
    )


def overall_pace(collection: Collection) -> float | None:
    """Return the documents per hour of active time of all judges together; None without recorded time."""
    rows = counts.totals(counts.judges_of(collection)).values()
    return _pace(sum(row["timed"] for row in rows), sum(row["total_ms"] for row in rows))


def _judge_row(
    collection: Collection, member: Member, judges: _Judges, scale: list[Grade], open_in_all: int, now: datetime
) -> JudgeRow:
    assigned = judges.assignments.get(member.pk, {})
    total = judges.totals.get(member.pk, {})
    work = _work(assigned)
    last_at = total.get("last")
    is_waited_for = work.open or (collection.open_to_claims and open_in_all and member.user_id)
    seen_at = last_at or assigned.get("first_at")
    is_inactive = is_waited_for and not collection.closed_because and seen_at and seen_at <= now - INACTIVE_AFTER
    return JudgeRow(
        member=member,
        work=work,
        pace=_pace(total.get("timed", 0), total.get("total_ms", 0)),
        seconds=counts.median(judges.times.get(member.pk, {})),
        grades=_shares(judges.grades.get(member.pk, Counter()), scale),
        last_at=last_at,
        forecast=forecast(work.open, *judges.recent_of(member), now),
        inactive_since=seen_at if is_inactive else None,
    )


def _topic_rows(collection: Collection, people: list[Member], scale: list[Grade]) -> list[TopicRow]:
    assignments = counts.assignment_counts(collection, "topic")
    tasks = counts.task_counts(collection)
    grades = counts.grade_counts(people, "task__topic")
    times = counts.times(people, "task__topic")
    rows = []
    for topic in collection.topics.order_by("pk"):
        documents, wanted = tasks.get(topic.pk, (0, 0))
        work = _work(assignments.get(topic.pk, {}))
        if collection.open_to_claims:
            work = replace(work, open=max(wanted - work.judged, 0))
        shares = _shares(grades.get(topic.pk, Counter()), scale)
        rows.append(TopicRow(topic, documents, work, counts.median(times.get(topic.pk, {})), shares))
    return rows


def _overall_forecast(
    collection: Collection, rows: list[JudgeRow], judges: _Judges, open_in_all: int, now: datetime
) -> Forecast:
    """Return when all work ends: when the last judge has finished, or with open claims, when all have together."""
    if collection.open_to_claims:
        return forecast(open_in_all, *judges.recent_of_all(), now)
    return last_of([row.forecast for row in rows if row.work.open])


def _work(row: Mapping[str, Any]) -> Work:
    return Work(**{field.name: row[field.name] for field in fields(Work)}) if row else Work()


def _sum_of_work(rows: Iterable[Work]) -> Work:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(vars(row))
    return Work(**total)


def _shares(numbers: Counter[int | None], scale: list[Grade]) -> list[GradeShare]:
    """Return the share of each grade; none if there are no grades."""
    total = sum(numbers[grade.value] for grade in scale)
    if not total:
        return []
    return [GradeShare(grade, numbers[grade.value], 100 * numbers[grade.value] / total) for grade in scale]


def _pace(documents: int, active_ms: int) -> float | None:
    """Return the documents per hour of active time; None without recorded time."""
    return documents * HOUR_MS / active_ms if active_ms else None
