"""When a topic may stop: what its judgements found so far, and how complete that is by capture-recapture.

A document counts once, at the time of its first judgement, and is relevant if a person gave it a relevant grade. A
judgement that was changed has the time of the change. Hidden repeats, practice, model judges and documents that are not
in the pool do not count.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.db.models import Max, Min, QuerySet

from assess.analysis.selection import NOT_STATED, judge_kinds
from assess.models import (
    Collection,
    JudgeKind,
    Judgement,
    JudgementKind,
    OpenedResult,
    Proposal,
    Provenance,
    Role,
    State,
    Topic,
)
from assess.pools.tasks import pooled_tasks
from assess.work.counts import task_counts

if TYPE_CHECKING:
    import pandas as pd

    from pooling import CaptureRecapture, GainCurve

PEOPLE = (JudgeKind.HUMAN.value, NOT_STATED)
SEARCHERS, LEARNER = "all searchers", "the learner"  # no names of systems, which have no spaces
SHARES = (0.5, 0.8, 0.9, 0.95, 1)


@dataclass(frozen=True)
class TopicGain:
    """The documents of a topic in the order of judging. `tasks` and `is_relevant` have an entry for each."""

    topic: Topic
    n_pooled: int
    tasks: tuple[int, ...] = ()
    is_relevant: tuple[bool, ...] = ()

    @property
    def n_judged(self) -> int:
        return len(self.tasks)

    @property
    def n_relevant(self) -> int:
        return sum(self.is_relevant)

    @property
    def since_relevant(self) -> int:
        """The number of documents judged after the last relevant one, or all if none is relevant."""
        return next((n for n, relevant in enumerate(reversed(self.is_relevant)) if relevant), self.n_judged)

    @cached_property
    def curve(self) -> "GainCurve":
        from pooling import gain_curve

        return gain_curve(self.is_relevant, name=self.topic.query_id)

    @property
    def efforts(self) -> list[tuple[str, int]]:
        """The judgements that found each of `SHARES` of the relevant documents found; none if nothing is relevant."""
        reached = [(f"{share:.0%}", self.curve.judgements_to(share)) for share in SHARES]
        return [(share, number) for share, number in reached if number is not None]


def gains(collection: Collection, rel: int) -> list[TopicGain]:
    """Return the gain of each topic, in the order of the topics. The number of queries is constant."""
    documents = _judged_documents(collection, collection.topics.all(), rel)
    pooled = task_counts(collection)
    return [_gain(topic, pooled.get(topic.pk, (0, 0))[0], documents) for topic in collection.topics.order_by("pk")]


def gain_of(topic: Topic, rel: int) -> TopicGain:
    """Return the gain of one topic."""
    documents = _judged_documents(topic.collection, [topic], rel)
    return _gain(topic, pooled_tasks(topic.collection).filter(topic=topic).count(), documents)


def completeness(gain: TopicGain) -> "CaptureRecapture | None":
    """Compare what each system, the searchers and the learner found with what all others found.

    None if there are fewer than two sources.
    """
    from pooling import capture_recapture

    relevant = {task for task, is_relevant in zip(gain.tasks, gain.is_relevant, strict=True) if is_relevant}
    found = {source: {str(task) for task in tasks & relevant} for source, tasks in _sources(gain.topic).items()}
    return capture_recapture(dict(sorted(found.items())), against="others") if len(found) > 1 else None


def _sources(topic: Topic) -> dict[str, set[int]]:
    """Return the tasks that each source found: each system, the searchers together, and the learner."""
    found: dict[str, set[int]] = defaultdict(set)
    for task, systems in Provenance.objects.filter(task__topic=topic).values_list("task", "systems"):
        for system in systems:
            found[system].add(task)
    opened = OpenedResult.objects.filter(search__topic=topic).values_list("document", flat=True)
    proposed = Proposal.objects.filter(model__topic=topic).values_list("document", flat=True)
    for source, documents in ((SEARCHERS, opened), (LEARNER, proposed)):
        if tasks := set(topic.tasks.filter(document__in=documents).values_list("pk", flat=True)):
            found[source] = tasks
    return found


def curve_frame(gain: TopicGain) -> "pd.DataFrame":
    """Return one row for each number of judgements: query_id, n_judged, found."""
    frame = gain.curve.to_frame()[["n_judged", "found"]]
    frame.insert(0, "query_id", gain.topic.query_id)
    return frame


def _judged_documents(
    collection: Collection, topics: Iterable[Topic] | QuerySet[Topic], rel: int
) -> dict[int, list[tuple[int, bool]]]:
    """Return the judged documents of each topic, by keys of topic and task, in the order of judging."""
    people = [name for name, kind in judge_kinds(collection).items() if kind in PEOPLE]
    judged = Judgement.objects.filter(
        member__collection=collection,
        member__role=Role.ASSESSOR,
        member__name__in=people,
        task__topic__in=topics,
        task__provenance__isnull=False,
        repeat=JudgementKind.REGULAR,
        state=State.JUDGED,
    )
    grouped = judged.order_by().values_list("task__topic", "task")
    rows = grouped.annotate(Max("relevance"), at=Min("judged_at"), n=Min("pk"))
    result: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for topic, task, relevance, _at, _n in rows.order_by("at", "n"):
        result[topic].append((task, relevance >= rel))
    return result


def _gain(topic: Topic, n_pooled: int, documents: dict[int, list[tuple[int, bool]]]) -> TopicGain:
    judged = documents.get(topic.pk, [])
    return TopicGain(topic, n_pooled, tuple(task for task, _ in judged), tuple(relevant for _, relevant in judged))
