"""What a pool would be like, before it is built. Nothing is changed.

A preview consists of texts and numbers, so that it can be stored. It loads pandas.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pandas as pd

import pooling
from assess.collections.score_precision import notes_on_precision
from assess.lib.long_work import report
from assess.models import Collection, Job, JobState, Judgement, Role, State
from assess.pools.building.runs import CollectionRuns, checked_recipe, ranked_runs
from assess.pools.building.strategies import describe
from assess.pools.tasks import pooled_tasks
from pooling.planning.pool_size import documents_by_depth

TOP = 10  # of each run, whose share of judged documents is shown
MOST_RANKS_IN_CHART = 100
MOST_LINES = 3_000_000  # of all runs; a page that reads more would take longer than two seconds
MOST_STORED = 20  # jobs among which a preview is looked for

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
    `parameters`, which include the seed, `build_pool` builds the same pool from the same runs. `by_depth` does not
    depend on the strategy.
    """

    strategy: str
    parameters: dict[str, Any]
    description: str
    topics: list[TopicSize]
    systems: list[SystemShare]
    by_depth: list[DepthSize]
    judged_topics: int
    without_run: list[str]
    unknown: list[str]
    notes: list[str]
    run_checksums: dict[str, str]

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
    def topics_with_new(self) -> int:
        return sum(topic.new > 0 for topic in self.topics)


def is_large(collection: Collection) -> bool:
    """Whether a preview takes too long for a page, so that it is the result of a job."""
    return sum(collection.runs.values_list("line_count", flat=True)) > MOST_LINES


def stored_preview(collection: Collection, arguments: dict[str, Any]) -> tuple[PoolPreview, Job] | None:
    """Return the latest preview that a job made with these arguments from the present runs, and the job."""
    checksums = dict(collection.runs.values_list("system", "file_checksum"))
    done = collection.jobs.filter(kind="preview_pool", state=JobState.DONE)
    for job in done.order_by("-pk")[:MOST_STORED]:
        if job.result and job.input == arguments and job.result["run_checksums"] == checksums:
            return _from_stored(job.result), job
    return None


def _from_stored(result: dict[str, Any]) -> PoolPreview:
    rows = {
        name: [row_type(**row) for row in result[name]]
        for name, row_type in (("topics", TopicSize), ("systems", SystemShare), ("by_depth", DepthSize))
    }
    return PoolPreview(**(result | rows))


def preview_pool(
    collection: Collection,
    strategy: str = "depth",
    *,
    seed: int | None = None,
    documents_per_topic: float | None = None,
    **parameters: Any,
) -> PoolPreview:
    """Return what `build_pool` with the same arguments would pool."""
    recipe = checked_recipe(strategy, seed, parameters, documents_per_topic)
    source = ranked_runs(collection, recipe, least_depth=MOST_RANKS_IN_CHART)
    recipe = recipe.fitted(source.ranked)
    report("Selecting the documents")
    frame = recipe.pool(source.ranked).frame
    judged = _judged_pairs(collection)
    shares, judged_topics = _judged_shares(source, judged)
    return PoolPreview(
        strategy=strategy,
        parameters=recipe.stored(),
        description=describe(strategy, recipe.stored()),
        topics=_topics(collection, source, frame, judged),
        systems=_systems(source, frame, shares),
        by_depth=_sizes_by_depth(source.ranked),
        judged_topics=judged_topics,
        without_run=sorted(
            set(collection.topics.values_list("query_id", flat=True)).difference(source.ranked.query_ids)
        ),
        unknown=source.unknown,
        notes=notes_on_precision(source.runs),
        run_checksums=source.checksums,
    )


def _judged_pairs(collection: Collection) -> set[Pair]:
    graded = Judgement.objects.filter(
        task__topic__collection=collection, state=State.JUDGED, repeat=0, member__role=Role.ASSESSOR
    )
    return set(graded.values_list("task__topic__query_id", "task__document__doc_id"))


def _topics(collection: Collection, source: CollectionRuns, frame: pd.DataFrame, judged: set[Pair]) -> list[TopicSize]:
    existing = set(pooled_tasks(collection).values_list("topic__query_id", "document__doc_id"))
    pairs = set(zip(frame["query_id"], frame["doc_id"], strict=True))
    sizes, in_pool, graded = (Counter(query_id for query_id, _ in part) for part in _parts(pairs, existing, judged))
    query_ids = source.ranked.query_ids
    return [TopicSize(each, sizes[each], in_pool[each], graded[each]) for each in query_ids]


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
