"""Make the pool of a building again, from the runs, the strategy and the seed that it recorded. Loads pandas."""

import pooling
from assess.collections import runfiles
from assess.errors import Refused, as_sentence
from assess.models import Collection, PoolBuilding
from pooling.strategies import NEED_SCORES


def repeated_pool(collection: Collection, building: PoolBuilding) -> pooling.Pool:
    """Return the pool as the strategy selected it, with its inclusion probabilities."""
    parameters = {name: value for name, value in building.parameters.items() if name != "score_precision"}
    try:
        return pooling.pool(recorded_runs(collection, building), building.strategy, **parameters)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def recorded_runs(collection: Collection, building: PoolBuilding) -> pooling.RankedRuns:
    """Return the runs of the building, on the topics of the collection. Refuse if they have changed."""
    runs = list(collection.runs.filter(system__in=building.run_checksums))
    if {run.system: run.file_checksum for run in runs} != building.run_checksums:
        raise Refused("The collection no longer has the runs from which the pool was drawn.")
    query_ids = set(collection.topics.values_list("query_id", flat=True))
    frames = (frame[frame["query_id"].isin(query_ids)] for frame in map(runfiles.load, runs))
    try:
        return pooling.prepare(frames, keep_scores=building.strategy in NEED_SCORES)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
