"""The runs of a collection, ranked once for everything that a pool is made of. Loads pandas."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

import pooling
from assess.collections import runfiles
from assess.errors import Refused, as_sentence
from assess.lib.long_work import reported
from assess.models import Collection, Run
from pooling.pools.strategy_options import checked_strategy
from pooling.strategies import NEED_SCORES


@dataclass(frozen=True)
class Recipe:
    """A strategy that needs no judgements, with all its parameters. `seed` is None for a strategy without one."""

    strategy: str
    seed: int | None
    parameters: dict[str, Any]

    @property
    def depth(self) -> int | None:
        """The number of ranks that the strategy reads; None for all. Scores are normalised over whole rankings."""
        return None if self.strategy in NEED_SCORES else self.parameters.get("depth")

    def pool(self, runs: pooling.RankedRuns) -> pooling.Pool:
        return pooling.pool(runs, self.strategy, seed=self.seed, **self.parameters)


@dataclass(frozen=True)
class CollectionRuns:
    """All runs of a collection, ranked on its topics.

    `unknown` are the query_ids of the runs that are not topics of the collection. The rankings leave them out.
    """

    runs: list[Run]
    ranked: pooling.RankedRuns
    unknown: list[str]

    @property
    def checksums(self) -> dict[str, str]:
        return {run.system: run.file_checksum for run in self.runs}


def checked_recipe(strategy: str, seed: int | None, parameters: dict[str, Any]) -> Recipe:
    """Return the strategy with its defaults. Refuse what it does not allow, before any run is read."""
    try:
        _, options = checked_strategy(strategy, seed, parameters)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return Recipe(strategy, options.pop("seed", None), options)


def ranked_runs(collection: Collection, recipe: Recipe, least_depth: int = 1) -> CollectionRuns:
    """Read the runs of the collection: what the recipe needs, and at least so many ranks."""
    runs = list(collection.runs.all())
    query_ids = set(collection.topics.values_list("query_id", flat=True))
    if not runs or not query_ids:
        missing = "runs (import_runs)" if not runs else "topics (import_topics)"
        raise Refused(f"{collection} has no {missing} yet. A pool needs runs and topics.")
    depth = recipe.depth and max(recipe.depth, least_depth)
    in_runs: set[str] = set()
    try:
        frames = _on_topics(runs, query_ids, in_runs)
        ranked = pooling.prepare(frames, keep_scores=recipe.strategy in NEED_SCORES, depth=depth)
    except ValueError as error:
        if query_ids.isdisjoint(in_runs):
            raise Refused(
                f"The runs have no topic of {collection}: a topic of the runs is {min(in_runs)!r}, and one of the "
                f"collection is {min(query_ids)!r}."
            ) from None
        raise Refused(as_sentence(error)) from None
    return CollectionRuns(runs, ranked, sorted(in_runs - query_ids))


def _on_topics(runs: list[Run], query_ids: set[str], in_runs: set[str]) -> Iterator[pd.DataFrame]:
    """Yield each run on these topics only, and add all topics of the runs to `in_runs`."""
    for run in reported(runs, "Reading runs"):
        frame = runfiles.load(run)
        in_runs |= set(frame["query_id"].unique())
        yield frame[frame["query_id"].isin(query_ids)]
