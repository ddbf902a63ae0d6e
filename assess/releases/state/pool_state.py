"""The pool as it was at a release: its tasks, and the probabilities with which a strategy drew them. Loads pandas.

It has the random samples, with the place and the probability of each document, and the documents that searchers found.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pandas as pd

from assess.errors import Refused
from assess.models import (
    Collection,
    PoolBuilding,
    PoolChange,
    Proposal,
    Provenance,
    SampledFrom,
    SampledTask,
    SearchedTask,
    TopicSample,
)
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.pools.building.repeat import repeated_pool
from assess.pools.building.strategies import IMPORTED
from pooling.strategies import NEED_SEED

Pair = tuple[str, str]
SAMPLE_STRATEGIES = {kind: f"{kind}_sample" for kind in SampledFrom.values}
ENTERED_BY_SAMPLE = SAMPLE_STRATEGIES[SampledFrom.COLLECTION]  # a sample of the pool adds nothing to it
NOTE = (
    "A document that only the random sample of its topic brought into the pool has the inclusion probability of that "
    "sample."
)


@dataclass(frozen=True)
class SampledPosition:
    """The place of a document in the order of drawing, from 1, and the probability of the sample of its topic."""

    place: int
    probability: float
    entered: bool


def sampled_pairs(collection: Collection, buildings: Sequence[PoolBuilding]) -> dict[Pair, SampledPosition]:
    """Return the documents that these pool buildings drew. `entered` if they were not in the pool before."""
    if not any(building.strategy in SAMPLE_STRATEGIES.values() for building in buildings):
        return {}
    samples = list(TopicSample.objects.filter(topic__collection=collection, building__in=buildings))
    sizes = {sample.topic_id: 0 for sample in samples}
    for sample in samples:
        sizes[sample.topic_id] += sample.size
    shares = {sample.topic_id: sizes[sample.topic_id] / sample.population_size for sample in samples}
    changes = PoolChange.objects.filter(building__in=[sample.building_id for sample in samples], best_rank_before=None)
    entered = set(changes.values_list("task", flat=True))
    rows = SampledTask.objects.filter(sample__in=samples).values_list(
        "task", "task__topic", "task__topic__query_id", "task__document__doc_id", "position"
    )
    return {
        (query_id, doc_id): SampledPosition(position + 1, shares[topic], task in entered)
        for task, topic, query_id, doc_id, position in rows
    }


def with_sample_probabilities(
    frame: pd.DataFrame, sampled: dict[Pair, SampledPosition], buildings: Sequence[PoolBuilding]
) -> tuple[pd.DataFrame, list[str]]:
    """Return the pool with the probabilities of documents that only a sample brought into it, and notes on them.

    A run that pools such a document, an imported pool that has it, or a pool of every document, makes it certain.
    """
    if any(building.strategy == EVERY_DOCUMENT for building in buildings):
        return frame, []
    certain = {pair for building in buildings if building.strategy == IMPORTED for pair in _imported_pairs(building)}
    rows = zip(frame["query_id"], frame["doc_id"], frame["systems"], strict=True)
    places = [
        None if systems or (query_id, doc_id) in certain else sampled.get((query_id, doc_id))
        for query_id, doc_id, systems in rows
    ]
    drawn = [place is not None and place.entered for place in places]
    if not any(drawn):
        return frame, []
    frame = frame.copy()
    frame.loc[drawn, "stratum"] = ENTERED_BY_SAMPLE
    frame.loc[drawn, "inclusion_probability"] = [place.probability for place in places if place and place.entered]
    return frame, [NOTE]


@dataclass(frozen=True)
class SearchOrigin:
    """The search that found a document. `entered_at` is when the document was judged, and so entered the pool.

    If the searcher was erased, `member`, a primary key, and `searched_at` are None, and `query` is empty.
    """

    entered_at: datetime
    member: int | None
    query: str
    searched_at: datetime | None


def searched_pairs(collection: Collection, query_ids: Iterable[str]) -> dict[tuple[str, str], SearchOrigin]:
    """Return the origin of each document that searching brought into the pool, by (query_id, doc_id)."""
    entered = SearchedTask.objects.filter(
        task__topic__collection=collection, task__topic__query_id__in=list(query_ids), entered_at__isnull=False
    )
    pair = ("task__topic__query_id", "task__document__doc_id")
    rows = entered.values_list(*pair, "entered_at", "search__member", "search__query", "search__searched_at")
    return {
        (query_id, doc_id): SearchOrigin(entered_at, member, query or "", searched_at)
        for query_id, doc_id, entered_at, member, query, searched_at in rows
    }


SAMPLES = frozenset(NEED_SEED)
PAIR = ["query_id", "doc_id"]
DRAWN = [*PAIR, "stratum", "inclusion_probability"]
COLUMNS = [*PAIR, "systems", "best_rank", "stratum", "inclusion_probability"]


@dataclass(frozen=True)
class PoolState:
    """`frame` has COLUMNS; the probability is 1 for documents that were not drawn, and NA if it cannot be computed.

    `notes` say why. `proposed` has the version of the model by which a learner brought a document into the pool, and
    `searched` the search by which a searcher did. `sampled` has the documents of the topics' random samples.
    """

    buildings: list[PoolBuilding]
    frame: pd.DataFrame
    notes: list[str]
    proposed: dict[Pair, int] = field(default_factory=dict)
    searched: dict[Pair, SearchOrigin] = field(default_factory=dict)
    sampled: dict[Pair, SampledPosition] = field(default_factory=dict)


def pool_state(
    collection: Collection, buildings: Sequence[int], query_ids: Sequence[str], at: datetime | None = None
) -> PoolState:
    """Return what these pool buildings made of the pool, with what a learner and searchers added before `at`.

    Without `at`, everything that they added is included. What later buildings changed is taken back.
    """
    known = list(collection.pool_buildings.filter(pk__in=buildings).order_by("pk"))
    proposed = _proposed(collection, set(query_ids))
    earlier = {pair: version for pair, (version, entered_at) in proposed.items() if at is None or entered_at < at}
    searched = searched_pairs(collection, query_ids)
    entered = {pair: origin for pair, origin in searched.items() if at is None or origin.entered_at < at}
    later = (proposed.keys() - earlier.keys()) | (searched.keys() - entered.keys())
    rows = [row for row in _rows(collection, buildings, set(query_ids)) if row[2] or row[:2] not in later]
    frame = pd.DataFrame(rows, columns=COLUMNS[:4])
    frame = frame.astype({"query_id": "str", "doc_id": "str"}).sort_values(PAIR, ignore_index=True)
    sampled = sampled_pairs(collection, known)
    try:
        drawn = _drawn(collection, known)
    except Refused as refusal:
        unknown = frame.assign(stratum="", inclusion_probability=float("nan"))
        notes = [f"The inclusion probabilities are not known. {refusal}"]
        return PoolState(known, unknown, notes, earlier, entered, sampled)
    frame = frame.merge(drawn, how="left", on=PAIR, validate="one_to_one")
    filled = frame.fillna({"stratum": "", "inclusion_probability": 1.0})
    filled = filled.astype({"inclusion_probability": "float64"})
    frame, notes = with_sample_probabilities(filled, sampled, known)
    return PoolState(known, frame, notes, earlier, entered, sampled)


def _proposed(collection: Collection, query_ids: set[str]) -> dict[Pair, tuple[int, datetime]]:
    """Return the documents that entered the pool because a learner proposed them: the version of its model, and when.

    Of several times, the first counts: a document that was withdrawn may have entered again.
    """
    entered = Proposal.objects.filter(
        entered_pool=True, model__topic__collection=collection, model__topic__query_id__in=query_ids
    )
    columns = ("model__topic__query_id", "document__doc_id", "model__version", "proposed_at")
    rows = entered.order_by("-pk").values_list(*columns)
    return {(query_id, doc_id): (version, at) for query_id, doc_id, version, at in rows}


def _rows(collection: Collection, buildings: Sequence[int], query_ids: set[str]) -> list[tuple[Any, ...]]:
    later = PoolChange.objects.filter(building__collection=collection).exclude(building__in=buildings)
    before: dict[int, tuple[Any, ...]] = {}
    for task, *origin in later.order_by("-building").values_list("task", "systems_before", "best_rank_before"):
        before[task] = tuple(origin)  # the earliest of the later buildings comes last
    rows = Provenance.objects.filter(task__topic__collection=collection).values_list(
        "task", "task__topic__query_id", "task__document__doc_id", "systems", "best_rank"
    )
    restored = [(query_id, doc_id, *before.get(task, origin)) for task, query_id, doc_id, *origin in rows]
    return [row for row in restored if row[2] is not None and row[0] in query_ids]


def _drawn(collection: Collection, buildings: list[PoolBuilding]) -> pd.DataFrame:
    """Repeat the draw of a sampling strategy, which its seed and the runs determine.

    What another strategy selected as well was certain to be in the pool.
    """
    samples = [building for building in buildings if building.strategy in SAMPLES]
    if not samples:
        return pd.DataFrame(columns=DRAWN).astype({"query_id": "str", "doc_id": "str"})
    of_topics = [building.strategy for building in buildings if building.strategy in SAMPLE_STRATEGIES.values()]
    if len(samples) > 1 or ENTERED_BY_SAMPLE in of_topics:
        raise Refused("The pool unites several random samples.")
    buildings = [building for building in buildings if building.strategy not in SAMPLE_STRATEGIES.values()]
    drawn = repeated_pool(collection, samples[0]).frame[DRAWN]
    others = [_certain(collection, building) for building in buildings if building not in samples]
    certain = pd.concat([drawn[PAIR].iloc[:0], *others]).drop_duplicates()
    is_certain = drawn[PAIR].merge(certain, how="left", indicator=True)["_merge"].eq("both").to_numpy()
    return drawn.assign(inclusion_probability=drawn["inclusion_probability"].mask(is_certain, 1.0))


def _certain(collection: Collection, building: PoolBuilding) -> pd.DataFrame:
    """Return the pairs that a strategy without a random draw put into the pool."""
    if building.strategy == IMPORTED:
        return pd.DataFrame(_imported_pairs(building), columns=PAIR).astype("str")
    if building.strategy != EVERY_DOCUMENT:
        return repeated_pool(collection, building).frame[PAIR]
    # Every document was in the pool then, so each pair of the pool at that time was certain.
    until = list(collection.pool_buildings.filter(pk__lte=building.pk).values_list("pk", flat=True))
    query_ids = set(collection.topics.values_list("query_id", flat=True))
    pairs = [row[:2] for row in _rows(collection, until, query_ids)]
    return pd.DataFrame(pairs, columns=PAIR).astype("str")


def _imported_pairs(building: PoolBuilding) -> list[Pair]:
    return list(building.changes.values_list("task__topic__query_id", "task__document__doc_id"))
