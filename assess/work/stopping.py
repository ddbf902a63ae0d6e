"""When a topic may stop: what its judgements found so far.

A document counts once, at the time of its first judgement, and is relevant if a person gave it a relevant grade. A
judgement that was changed has the time of the change. Hidden repeats, practice, model judges and documents that are not
in the pool do not count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Max, Min, QuerySet

from assess.analysis.selection import NOT_STATED, judge_kinds
from assess.models import (
    Collection,
    JudgeKind,
    Judgement,
    JudgementKind,
    Role,
    State,
    Task,
    Topic,
)
from assess.pools.tasks import pooled_tasks
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

    from pooling import GainCurve

PEOPLE = (JudgeKind.HUMAN.value, NOT_STATED)
SHARES = (0.5, 0.8, 0.9, 0.95, 1)


class JudgedTask(NamedTuple):
    """A task, and whether it is relevant."""

    task: int
    is_relevant: bool


@dataclass(frozen=True)
class TopicGain:
    """The documents of a topic in the order of judging."""

    topic: Topic
    n_pooled: int
    judged: tuple[JudgedTask, ...] = ()

    @property
    def is_relevant(self) -> tuple[bool, ...]:
        return tuple(each.is_relevant for each in self.judged)

    @property
    def relevant_tasks(self) -> set[int]:
        return {each.task for each in self.judged if each.is_relevant}

    @property
    def n_judged(self) -> int:
        return len(self.judged)

    @property
    def n_relevant(self) -> int:
        return sum(self.is_relevant)

    @property
    def since_relevant(self) -> int:
        """The number of documents judged after the last relevant one, or all if none is relevant."""
        return next((n for n, relevant in enumerate(reversed(self.is_relevant)) if relevant), self.n_judged)

    @property
    def sentence(self) -> str:
        """The last point of the curve."""
        return f"{self.n_relevant:,} relevant found in {count(self.n_judged, 'document')} judged."

    @cached_property
    def curve(self) -> "GainCurve":
        from pooling import gain_curve

        return gain_curve(self.is_relevant, name=self.topic.query_id)

    @property
    def efforts(self) -> list[tuple[str, int]]:
        """The judgements that found each of `SHARES` of the relevant documents found; none if nothing is relevant."""
        reached = [(f"{share:.0%}", self.curve.judgements_to(share)) for share in SHARES]
        return [(share, number) for share, number in reached if number is not None]


def gains(collection: Collection, rel: int, query_ids: Sequence[str] = ()) -> list[TopicGain]:
    """Return the gain of each topic, in the order of the topics. The number of queries is constant.

    `query_ids` are the topics; if empty, all.
    """
    topics = collection.topics.filter(query_id__in=query_ids) if query_ids else collection.topics.all()
    return _gains(collection, list(topics.order_by("pk")), rel)


def gain_of(topic: Topic, rel: int) -> TopicGain:
    """Return the gain of one topic."""
    return _gains(topic.collection, [topic], rel)[0]


def _gains(collection: Collection, topics: Sequence[Topic], rel: int) -> list[TopicGain]:
    pooled = pooled_tasks(collection).filter(topic__in=[topic.pk for topic in topics]).order_by()
    topic_of = dict(pooled.values_list("pk", "topic"))
    sizes = Counter(topic_of.values())
    judged: dict[int, list[JudgedTask]] = defaultdict(list)
    for task, is_relevant in _judged_tasks(collection, pooled, rel):
        if task in topic_of:  # not if it was pooled between the two queries
            judged[topic_of[task]].append(JudgedTask(task, is_relevant))
    return [TopicGain(topic, sizes[topic.pk], tuple(judged[topic.pk])) for topic in topics]


def curve_frame(gain: TopicGain) -> "pd.DataFrame":
    """Return one row for each number of judgements: query_id, n_judged, found."""
    frame = gain.curve.to_frame()[["n_judged", "found"]]
    frame.insert(0, "query_id", gain.topic.query_id)
    return frame


def _judged_tasks(collection: Collection, pooled: QuerySet[Task], rel: int) -> Iterator[tuple[int, bool]]:
    """Yield each judged task and whether it is relevant, in the order of judging."""
    members = collection.members.values_list("pk", "role", "imported_judge__kind")
    # The kind is None for a member with an account.
    others = [
        pk
        for pk, role, kind in members
        if role != Role.ASSESSOR or (kind is not None and (kind or NOT_STATED) not in PEOPLE)
    ]
    # Everybody who judged is a member. Without the others, the index of the tasks is read in order and only once.
    judged = Judgement.objects.filter(task__in=pooled.values("pk"), repeat=JudgementKind.REGULAR, state=State.JUDGED)
    grouped = judged.exclude(member__in=others).order_by().values("task")
    rows = grouped.annotate(highest=Max("relevance"), at=Min("judged_at"), n=Min("pk")).order_by("at", "n")
    # The times decide the order only: on SQLite, reading so many of them takes longer than the query.
    for task, relevance in rows.values_list("task", "highest"):
        yield task, relevance >= rel


def first_judged(collection: Collection, topics: Iterable[int]) -> dict[int, datetime]:
    """Return when each judged document of these topics was judged first, by the key of the task."""
    judged = judgements_of_people(collection).filter(task__topic__in=topics, state=State.JUDGED)
    return dict(judged.order_by().values_list("task").annotate(Min("judged_at")))


def judgements_of_people(collection: Collection) -> QuerySet[Judgement]:
    """Return the regular judgements that people made of documents in the pool."""
    people = [name for name, kind in judge_kinds(collection).items() if kind in PEOPLE]
    return Judgement.objects.filter(
        member__collection=collection,
        member__role=Role.ASSESSOR,
        member__name__in=people,
        task__provenance__isnull=False,
        repeat=JudgementKind.REGULAR,
    )
