"""How the work goes: for each judge and each topic what is done, how fast, with which grades, and when it ends.

The number of queries does not depend on the size of the collection.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone

from assess.judging import pace
from assess.models import Collection, Grade, Member, State, Topic
from assess.pools.tasks import OPEN
from assess.work import counts
from assess.work.activity import Activity, activity
from assess.work.counts import Totals
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
    pace: float | None
    seconds: float | None
    forecast: Forecast
    activity: Activity

    @property
    def inactive(self) -> list[JudgeRow]:
        return [row for row in self.judges if row.inactive_since]


class _Judges:
    """What the database says about every judge, by the key of the member."""

    def __init__(self, collection: Collection, scale: list[Grade], now: datetime) -> None:
        self.people = counts.judges_of(collection)
        self.states = counts.states_by_member(self.people)
        self.totals = counts.totals(self.people, now - WINDOW, [grade.value for grade in scale])
        self.times = pace.times_by("member", counts.settled(self.people))
        idle = [member.pk for member in self.people if member.pk not in self.totals]
        self.first_assigned = counts.first_assigned(idle)

    def totals_of(self, member: Member) -> Totals:
        return self.totals.get(member.pk, Totals())

    def of_all(self) -> Totals:
        """Return the sum over all judges."""
        rows = self.totals.values()
        return Totals(
            total_ms=sum(row.total_ms for row in rows),
            timed=sum(row.timed for row in rows),
            first=min((row.first for row in rows if row.first), default=None),
            recent=sum(row.recent for row in rows),
            recent_first=min((row.recent_first for row in rows if row.recent_first), default=None),
        )


def monitor(collection: Collection, now: datetime | None = None) -> Monitor:
    """Return the present state of the work of all judges."""
    now = now or timezone.now()
    scale = list(collection.grades.all())
    judges = _Judges(collection, scale, now)
    work = _sum_of_work(_work(states) for states in judges.states.values())
    if collection.open_to_claims:
        work = replace(work, open=max(counts.slots_wanted(collection) - work.judged, 0))
    rows = [_judge_row(collection, member, judges, scale, work.open, now) for member in judges.people]
    total = judges.of_all()
    return Monitor(
        at=now,
        work=work,
        judges=rows,
        pace=_pace(total),
        seconds=pace.median_seconds(pace.together(judges.times.values())),
        forecast=_overall_forecast(collection, rows, total, work.open, now),
        activity=activity(judges.people, total.first, now),
    )


def overall_pace(collection: Collection) -> float | None:
    """Return the documents per hour of active time of all judges together; None without recorded time."""
    rows = counts.totals(counts.judges_of(collection), timezone.now()).values()
    return _pace(Totals(timed=sum(row.timed for row in rows), total_ms=sum(row.total_ms for row in rows)))


def _judge_row(
    collection: Collection, member: Member, judges: _Judges, scale: list[Grade], open_in_all: int, now: datetime
) -> JudgeRow:
    work, total = _work(judges.states[member.pk]), judges.totals_of(member)
    is_waited_for = work.open or (collection.open_to_claims and open_in_all and member.user_id)
    seen_at = total.last or judges.first_assigned.get(member.pk)
    is_inactive = is_waited_for and not collection.closed_because and seen_at and seen_at <= now - INACTIVE_AFTER
    return JudgeRow(
        member=member,
        work=work,
        pace=_pace(total),
        seconds=pace.median_seconds(judges.times.get(member.pk)),
        grades=_shares(total.grades, scale),
        last_at=total.last,
        forecast=forecast(work.open, total.recent, total.recent_first, now),
        inactive_since=seen_at if is_inactive else None,
    )


def topic_rows(collection: Collection, query_ids: Sequence[str] = ()) -> list[TopicRow]:
    """Return the work in every topic, or in those with these ids."""
    people, scale = counts.judges_of(collection), list(collection.grades.all())
    states: dict[int, Counter[str]] = defaultdict(Counter)
    for (_, topic_key), numbers in counts.assignment_counts(people).items():
        states[topic_key].update(numbers)
    tasks = counts.task_counts(collection)
    grades, times = counts.grades_by_topic(people), pace.times_by("task__topic", counts.settled(people))
    rows = []
    topics = collection.topics.filter(query_id__in=query_ids) if query_ids else collection.topics.all()
    for topic in topics.order_by("pk"):
        documents, wanted = tasks.get(topic.pk, (0, 0))
        work = _work(states[topic.pk])
        if collection.open_to_claims:
            work = replace(work, open=max(wanted - work.judged, 0))
        shares = _shares(grades.get(topic.pk, Counter()), scale)
        rows.append(TopicRow(topic, documents, work, pace.median_seconds(times.get(topic.pk)), shares))
    return rows


def _overall_forecast(
    collection: Collection, rows: list[JudgeRow], total: Totals, open_in_all: int, now: datetime
) -> Forecast:
    """Return when all work ends: when the last judge has finished, or with open claims, when all have together."""
    if collection.open_to_claims:
        return forecast(open_in_all, total.recent, total.recent_first, now)
    return last_of([row.forecast for row in rows if row.work.open])


def _work(states: Counter[str]) -> Work:
    return Work(
        assigned=states.total(),
        judged=states[State.JUDGED],
        cannot_judge=states[State.CANNOT_JUDGE],
        later=states[State.LATER],
        open=sum(states[state] for state in OPEN),
    )


def _sum_of_work(rows: Iterable[Work]) -> Work:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(vars(row))
    return Work(**total)


def _shares(numbers: Counter[int], scale: list[Grade]) -> list[GradeShare]:
    """Return the share of each grade; none if there are no grades."""
    total = sum(numbers[grade.value] for grade in scale)
    if not total:
        return []
    return [GradeShare(grade, numbers[grade.value], 100 * numbers[grade.value] / total) for grade in scale]


def _pace(total: Totals) -> float | None:
    """Return the documents per hour of active time; None without recorded time."""
    return total.timed * HOUR_MS / total.total_ms if total.total_ms else None
