"""When a topic may stop: what its judgements found so far.

A document counts once, at the time of its first judgement, and is relevant if a person gave it a relevant grade. A
judgement that was changed has the time of the change. Hidden repeats, practice, model judges and documents that are not
in the pool do not count.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    Topic,
)
from assess.pools.tasks import pooled_tasks
from assess.work.counts import task_counts
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

    from pooling import GainCurve

PEOPLE = (JudgeKind.HUMAN.value, NOT_STATED)
SHARES = (0.5, 0.8, 0.9, 0.95, 1)


class JudgedTask(NamedTuple):
    """A task, whether it is relevant, and when it was judged."""

    task: int
    is_relevant: bool
    at: datetime


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
    judged = _judged_tasks(collection, topics, rel)
    pooled = task_counts(collection)
    return [
        TopicGain(topic, pooled.get(topic.pk, (0, 0))[0], tuple(judged.get(topic.pk, ())))
        for topic in topics.order_by("pk")
    ]


def gain_of(topic: Topic, rel: int) -> TopicGain:
    """Return the gain of one topic."""
    judged = _judged_tasks(topic.collection, [topic], rel)
    return TopicGain(topic, pooled_tasks(topic.collection).filter(topic=topic).count(), tuple(judged.get(topic.pk, ())))


def curve_frame(gain: TopicGain) -> "pd.DataFrame":
    """Return one row for each number of judgements: query_id, n_judged, found."""
    frame = gain.curve.to_frame()[["n_judged", "found"]]
    frame.insert(0, "query_id", gain.topic.query_id)
    return frame


def _judged_tasks(
    collection: Collection, topics: Iterable[Topic] | QuerySet[Topic], rel: int
) -> dict[int, list[JudgedTask]]:
    """Return the judged documents of each topic, by the topic's key, in the order of judging."""
    judged = judgements_of_people(collection).filter(task__topic__in=topics, state=State.JUDGED)
    grouped = judged.order_by().values_list("task__topic", "task")
    rows = grouped.annotate(Max("relevance"), at=Min("judged_at"), n=Min("pk"))
    result: dict[int, list[JudgedTask]] = defaultdict(list)
    for topic, task, relevance, at, _n in rows.order_by("at", "n"):
        result[topic].append(JudgedTask(task, relevance >= rel, at))
    return result


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
