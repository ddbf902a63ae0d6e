"""What a pool would be like, before it is built. Nothing is changed.

A preview consists of texts and numbers, so that the cache of results can keep it. It loads pandas.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
from django.db.models import Count, QuerySet
from django.utils import timezone

import pooling
from assess.collections.score_precision import notes_on_precision
from assess.errors import Refused
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.lib.long_work import report
from assess.models import Collection, Judgement, Role, State, User
from assess.pools.building.every_document import EVERY_DOCUMENT, check_no_parameters, exhaustive_pool
from assess.pools.building.kinds import has_depth, is_quick
from assess.pools.building.runs import CollectionRuns, checked_recipe, ranked_runs
from assess.pools.building.strategies import describe
from assess.pools.new_tasks import row_set
from assess.pools.tasks import pooled_tasks
from pooling.planning.pool_size import documents_by_depth

TOP = 10  # of each run, whose share of judged documents is shown
MOST_RANKS_IN_CHART = 100
MOST_COMPARED = 4
KEPT_SECONDS = 3_600  # because the number of judged documents grows

Pair = tuple[str, str]


@dataclass(frozen=True)
class TopicSize:
    """The documents of one topic: all of the pool, those that are in the collection's pool already, and judged ones."""

    query_id: str
    size: int
    in_pool: int
    judged: int

    @property
    def new(self) -> int:
        return self.size - self.in_pool


@dataclass(frozen=True)
class SystemShare:
    """What one run contributes. `unique` documents come from no other run.

    `judged_share` is the mean share of the run's first documents that is judged, over the topics with a judgement;
    None if nothing is judged.
    """

    system: str
    contributed: int
    unique: int
    judged_share: float | None

    @property
    def judged_percent(self) -> float | None:
        return None if self.judged_share is None else 100 * self.judged_share


@dataclass(frozen=True)
class DepthSize:
    """The documents per topic of a pool of this depth."""

    depth: int
    mean: float
    smallest: int
    largest: int


@dataclass(frozen=True)
class PoolPreview:
    """A pool that was not built. `judged` documents are those with a grade, from anybody.

    `topics` are those that any run has, and means are over these; no run has the topics `without_run`. With
    `parameters`, which include the seed, `build_pool` builds the same pool from the same runs. `by_depth` is empty for
    a strategy without a depth. `overlap` has for each system, in the order of `systems`, the share of its documents of
    the pool that each system contributes too. A pool of every document comes from no run: it has all topics, no
    `systems` and no `overlap`.
    """

    strategy: str
    parameters: dict[str, Any]
    description: str
    topics: list[TopicSize]
    systems: list[SystemShare]
    by_depth: list[DepthSize]
    overlap: list[list[float | None]]
    judged_topics: int
    without_run: list[str]
    unknown: list[str]
    notes: list[str]

    @property
    def is_exhaustive(self) -> bool:
        return self.strategy == EVERY_DOCUMENT

    @property
    def size(self) -> int:
        return sum(topic.size for topic in self.topics)

    @property
    def mean(self) -> float:
        return self.size / len(self.topics)

    @property
    def smallest(self) -> int:
        return min(topic.size for topic in self.topics)

    @property
    def largest(self) -> int:
        return max(topic.size for topic in self.topics)

    @property
    def new(self) -> int:
        return sum(topic.new for topic in self.topics)

    @property
    def in_pool(self) -> int:
        return self.size - self.new

    @property
    def judged(self) -> int:
        return sum(topic.judged for topic in self.topics)

    @property
    def unjudged(self) -> int:
        return self.size - self.judged

    @property
    def unique(self) -> int:
        """The documents that only one run contributes."""
        return sum(system.unique for system in self.systems)

    @property
    def judged_percent(self) -> float | None:
        return 100 * self.judged / self.size if self.size else None

    @property
    def topics_with_new(self) -> int:
        return sum(topic.new > 0 for topic in self.topics)


def preview_or_pending(
    collection: Collection, user: User, arguments: dict[str, Any], previews: int = 1
) -> tuple[PoolPreview, datetime | None]:
    """Return the preview with these arguments, or raise Pending while a job computes it.

    The caller needs so many `previews` at once. A preview that a job computed comes with the time of the count of
    judged documents.
    """
    if is_quick(collection, arguments.get("strategy"), previews):
        return preview_pool(collection, **arguments), None
    key = _key(collection, arguments)
    result: tuple[PoolPreview, datetime] = known_or_pending(
        "preview_pool", collection, user, key, {"arguments": arguments}
    )
    return result


def compare(collection: Collection, user: User, chosen: Sequence[dict[str, Any]]) -> list[PoolPreview]:
    """Return the preview of each of these arguments, or raise Pending while a job computes one of them."""
    if len(chosen) > MOST_COMPARED:
        raise Refused(f"Choose at most {MOST_COMPARED} strategies to compare, not {len(chosen)}.")
    return [preview_or_pending(collection, user, arguments, len(chosen))[0] for arguments in chosen]


def compute_preview(collection: Collection, key: str, arguments: dict[str, Any]) -> Started:
    """Compute a preview for the cache of results: the function of the job `preview_pool`."""
    results.keep(key, (preview_pool(collection, **arguments), timezone.now()), KEPT_SECONDS)
    return Started(key)


def _key(collection: Collection, arguments: dict[str, Any]) -> str:
    """Return a key that changes with the runs, the topics, the pool and withdrawn judges, but not with each judgement.

    Otherwise, no preview would ever be ready while people judge.
    """
    runs = list(collection.runs.order_by("pk").values_list("system", "file_checksum", "score_precision"))
    pool = row_set(collection.topics.all()), row_set(collection.pool_buildings.all())
    changed = collection.members.filter(imported_judge__role_changes__gt=0).order_by("pk")
    withdrawals = list(changed.values_list("pk", "imported_judge__role_changes"))
    return results.key_of("preview_pool", collection.pk, runs, pool, withdrawals, sorted(arguments.items()))


def preview_pool(
    collection: Collection,
    strategy: str = "depth",
    *,
    seed: int | None = None,
    documents_per_topic: float | None = None,
    **parameters: Any,
) -> PoolPreview:
    """Return what `build_pool` with the same arguments would pool."""
    if strategy == EVERY_DOCUMENT:
        check_no_parameters({"seed": seed, "documents_per_topic": documents_per_topic, **parameters})
        return _preview_exhaustive(collection)
    recipe = checked_recipe(strategy, seed, parameters, documents_per_topic)
    source = ranked_runs(collection, recipe, least_depth=MOST_RANKS_IN_CHART)
    recipe = recipe.fitted(source.ranked)
    report("Selecting the documents")
    frame = recipe.pool(source.ranked).frame
    judged = _judged_pairs(collection)
    shares, judged_topics = _judged_shares(source, judged)
    systems = _systems(source, frame, shares)
    return PoolPreview(
        strategy=strategy,
        parameters=recipe.stored(),
        description=describe(strategy, recipe.stored()),
        topics=_topics(collection, source, frame, judged),
        systems=systems,
        by_depth=_sizes_by_depth(source.ranked) if has_depth(strategy) else [],
        overlap=_overlap(frame, [row.system for row in systems]),
        judged_topics=judged_topics,
        without_run=sorted(
            set(collection.topics.values_list("query_id", flat=True)).difference(source.ranked.query_ids),
            key=_reading_order,
        ),
        unknown=source.unknown,
        notes=notes_on_precision(source.runs),
    )


def _preview_exhaustive(collection: Collection) -> PoolPreview:
    """Return the preview of a pool of every document. Its tasks are counted, not listed."""
    pool = exhaustive_pool(collection)
    tasks = pooled_tasks(collection).order_by().values_list("topic__query_id").annotate(Count("pk"))
    graded = _graded(collection).filter(task__document__content__isnull=False).order_by()
    judged_tasks = graded.values_list("task__topic__query_id").annotate(Count("task", distinct=True))
    in_pool, judged = Counter(dict(tasks)), Counter(dict(judged_tasks))
    query_ids = sorted(pool.query_ids, key=_reading_order)
    return PoolPreview(
        strategy=EVERY_DOCUMENT,
        parameters={},
        description=describe(EVERY_DOCUMENT, {}),
        topics=[TopicSize(each, len(pool.doc_ids), in_pool[each], judged[each]) for each in query_ids],
        systems=[],
        by_depth=[],
        overlap=[],
        judged_topics=0,
        without_run=[],
        unknown=[],
        notes=[],
    )


def _judged_pairs(collection: Collection) -> set[Pair]:
    return set(_graded(collection).values_list("task__topic__query_id", "task__document__doc_id"))


def _graded(collection: Collection) -> QuerySet[Judgement]:
    return Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=0, member__role=Role.ASSESSOR
    )


def _topics(collection: Collection, source: CollectionRuns, frame: pd.DataFrame, judged: set[Pair]) -> list[TopicSize]:
    existing = set(pooled_tasks(collection).values_list("topic__query_id", "document__doc_id"))
    pairs = set(zip(frame["query_id"], frame["doc_id"], strict=True))
    sizes, in_pool, graded = (Counter(query_id for query_id, _ in part) for part in _parts(pairs, existing, judged))
    query_ids = sorted(source.ranked.query_ids, key=_reading_order)
    return [TopicSize(each, sizes[each], in_pool[each], graded[each]) for each in query_ids]


def _reading_order(query_id: str) -> tuple[bool, int, str]:
    """Sort ids that are numbers by their value, before all others."""
    is_number = query_id.isascii() and query_id.isdigit()
    return not is_number, int(query_id) if is_number else 0, query_id


def _parts(pairs: set[Pair], existing: set[Pair], judged: set[Pair]) -> tuple[set[Pair], set[Pair], set[Pair]]:
    return pairs, pairs & existing, pairs & judged


def _systems(source: CollectionRuns, frame: pd.DataFrame, shares: dict[str, float]) -> list[SystemShare]:
    """Return all runs, also those that contribute nothing."""
    contributed: Counter[str] = Counter()
    unique: Counter[str] = Counter()
    for systems in frame["systems"]:
        contributed.update(systems)
        if len(systems) == 1:
            unique.update(systems)
    names = sorted(run.system for run in source.runs)
    return [SystemShare(name, contributed[name], unique[name], shares.get(name)) for name in names]


def _overlap(frame: pd.DataFrame, systems: list[str]) -> list[list[float | None]]:
    """Return for each system the share of its documents that each system contributes; None if it has no document."""
    position = {name: number for number, name in enumerate(systems)}
    shared = np.zeros((len(systems), len(systems)), dtype=np.int64)
    for contributors, documents in Counter(frame["systems"]).items():
        rows = [position[name] for name in contributors]
        shared[np.ix_(rows, rows)] += documents
    sizes = np.diag(shared)
    return [[count / size if size else None for count in row] for row, size in zip(shared.tolist(), sizes, strict=True)]


def _judged_shares(source: CollectionRuns, judged: set[Pair]) -> tuple[dict[str, float], int]:
    """Return the share of judged documents in the first ten of each run, and the number of topics with a judgement.

    Topics that no run has count too: there, the share is 0.
    """
    gold = pd.DataFrame(sorted(judged), columns=["query_id", "doc_id"]).assign(relevance=0)
    if set(gold["query_id"]).isdisjoint(source.ranked.query_ids):
        return {}, 0
    result = pooling.judged_at(source.ranked, gold, k=TOP)
    return dict(zip(result["system"], result["judged"].tolist(), strict=True)), int(result["n_topics"].iloc[0])


def _sizes_by_depth(ranked: pooling.RankedRuns) -> list[DepthSize]:
    counts = documents_by_depth(ranked)[:, :MOST_RANKS_IN_CHART]
    columns = zip(counts.mean(axis=0), counts.min(axis=0), counts.max(axis=0), strict=True)
    return [
        DepthSize(depth, float(mean), int(smallest), int(largest))
        for depth, (mean, smallest, largest) in enumerate(columns, start=1)
    ]
