"""Which documents are in the pool only because a sample has them, and when the review reached them by itself.

The review is all judging but that of the sample: of the documents that runs, searchers, a learner or a pool of every
document brought into the pool. It has reached a document that only a sample brought into the pool when

- a later building pooled it from a run, or pooled every document;
- the learner ranked it above a document that it proposed (`Proposal`);
- a searcher opened it.

The learner and the adaptive strategies learn from a document only then, so what they learn does not depend on the
sample. Only the moment at which the learner is trained again may shift by a batch.
Judging pages import this: it loads neither pandas nor numpy.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db.models import F, Min

from assess.models import OpenedResult, PoolBuilding, PoolChange, Proposal, SampledTask
from assess.pools.building.every_document import EVERY_DOCUMENT


def reached_times(topics: Sequence[int]) -> dict[int, datetime | None]:
    """Return when the review reached each document that a sample brought into the pool, by the key of its task.

    None if it has not. `topics` are keys. Without such documents, one query is sent, and otherwise five.
    """
    entered = _entered(topics)
    if not entered:
        return {}
    times = _pooled_times(topics)
    opened = _opened_times(topics)
    exhaustive = _exhaustive(topics)
    reached: dict[int, datetime | None] = {}
    for task, (topic, document, building) in entered.items():
        later = [at for built_topic, pk, at in exhaustive if built_topic == topic and pk > building]
        known = [*times.get(task, ()), *opened.get((topic, document), ()), *later]
        reached[task] = min(known, default=None)
    return reached


def unreached_tasks(topic: int) -> set[int]:
    """Return the tasks of a topic that only a sample brought into the pool and that the review has not reached."""
    return {task for task, at in reached_times([topic]).items() if at is None}


def unreached_documents(topic: int) -> list[int]:
    """Return the documents of `unreached_tasks` in the order of drawing."""
    tasks = unreached_tasks(topic)
    if not tasks:
        return []
    rows = SampledTask.objects.filter(sample__topic=topic).order_by("position").values_list("task", "task__document")
    return [document for task, document in rows if task in tasks]


def _entered(topics: Sequence[int]) -> dict[int, tuple[int, int, int]]:
    """Return topic, document and pool building of the tasks that a sample brought into the pool."""
    rows = PoolChange.objects.filter(
        task__sampled__sample__topic__in=topics,
        building=F("task__sampled__sample__building"),
        best_rank_before=None,
    ).values_list("task", "task__topic", "task__document", "building")
    return {task: (topic, document, building) for task, topic, document, building in rows}


def _pooled_times(topics: Sequence[int]) -> dict[int, list[datetime]]:
    """Return when later buildings pooled the sampled tasks from a run: those had no rank before."""
    changes = PoolChange.objects.filter(task__sampled__sample__topic__in=topics, best_rank_before=0)
    times = defaultdict(list)
    for task, at in changes.values_list("task", "building__built_at"):
        times[task].append(at)
    return times


def _opened_times(topics: Sequence[int]) -> dict[tuple[int, int], list[datetime]]:
    """Return when the learner reached documents, and when a searcher opened them first, by topic and document."""
    proposed = Proposal.objects.filter(model__topic__in=topics).values_list("model__topic", "document")
    opened = OpenedResult.objects.filter(search__topic__in=topics).values_list("search__topic", "document")
    times = defaultdict(list)
    for rows, name in ((proposed, "proposed_at"), (opened, "opened_at")):
        for topic, document, at in rows.order_by().annotate(Min(name)):
            times[topic, document].append(at)
    return times


def _exhaustive(topics: Sequence[int]) -> list[tuple[int, int, datetime]]:
    """Return topic, key and time of the buildings that pooled every document."""
    rows = PoolBuilding.objects.filter(collection__topics__in=topics, strategy=EVERY_DOCUMENT)
    return list(rows.values_list("collection__topics", "pk", "built_at"))
