"""The random samples of topics in a release: the place of each document, and its probability of being drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from assess.models import Collection, PoolBuilding, PoolChange, SampledFrom, SampledTask, TopicSample
from assess.pools.building.every_document import EVERY_DOCUMENT

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

    A run that pools such a document, or a pool of every document, makes it certain.
    """
    if any(building.strategy == EVERY_DOCUMENT for building in buildings):
        return frame, []
    rows = zip(frame["query_id"], frame["doc_id"], frame["systems"], strict=True)
    places = [None if systems else sampled.get((query_id, doc_id)) for query_id, doc_id, systems in rows]
    drawn = [place is not None and place.entered for place in places]
    if not any(drawn):
        return frame, []
    frame = frame.copy()
    frame.loc[drawn, "stratum"] = ENTERED_BY_SAMPLE
    frame.loc[drawn, "inclusion_probability"] = [place.probability for place in places if place and place.entered]
    return frame, [NOTE]
