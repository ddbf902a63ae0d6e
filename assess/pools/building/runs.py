"""The runs of a collection, ranked once for everything that a pool is made of. Loads pandas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import pooling
from assess.collections import runfiles
from assess.errors import Refused, as_sentence
from assess.lib.long_work import reported
from assess.models import Collection, Run
from assess.pools.building.strategies import names
from pooling.errors import shown
from pooling.planning.pool_size import growing_parameter
from pooling.pools.strategy_options import checked_strategy
from pooling.strategies import NEED_SCORES


@dataclass(frozen=True)
class Recipe:
    """A strategy that needs no judgements, with all its parameters. `seed` is None for a strategy without one.

    With `documents_per_topic`, the parameter that the pool grows with is not known before the runs are read.
    """

    strategy: str
    seed: int | None
    parameters: dict[str, Any]
    documents_per_topic: float | None = None

    @property
    def depth(self) -> int | None:
        """The number of ranks that the strategy reads; None for all. Scores are normalised over whole rankings."""
        return None if self.strategy in NEED_SCORES else self.parameters.get("depth")

    def fitted(self, runs: pooling.RankedRuns) -> "Recipe":
        """Return the recipe with the largest parameter that keeps the pool within the documents per topic."""
        if self.documents_per_topic is None:
            return self
        depth = self.parameters.get("depth")
        try:
            size = pooling.largest_pool(runs, self.strategy, documents_per_topic=self.documents_per_topic, depth=depth)
        except ValueError as error:
            raise Refused(as_sentence(error)) from None
        return Recipe(self.strategy, self.seed, self.parameters | {size.parameter: size.value})

    def pool(self, runs: pooling.RankedRuns) -> pooling.Pool:
        return pooling.pool(runs, self.strategy, seed=self.seed, **self.parameters)

    def stored(self) -> dict[str, Any]:
        """Return the parameters as a pool building stores them: with the seed, and without what is not set."""
        stored = self.parameters | {"seed": self.seed}
        return {name: value for name, value in stored.items() if value is not None}


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


def checked_recipe(
    strategy: str, seed: int | None, parameters: dict[str, Any], documents_per_topic: float | None = None
) -> Recipe:
    """Return the strategy with its defaults. Refuse what it does not allow, before any run is read."""
    if strategy not in names() and strategy not in pooling.ADAPTIVE:  # the library refuses adaptive ones itself
        raise Refused(f"There is no strategy {shown(strategy)}. The strategies are {', '.join(names())}.")
    try:
        unknown = {} if documents_per_topic is None else {growing_parameter(strategy): 1}
        if both := unknown.keys() & parameters.keys():
            raise Refused(f"Choose either {both.pop()} or documents per topic, not both.")
        _, options = checked_strategy(strategy, seed, parameters | unknown)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    known = {name: value for name, value in options.items() if name not in unknown}
    return Recipe(strategy, known.pop("seed", None), known, documents_per_topic)


def ranked_runs(
    collection: Collection, recipe: Recipe, least_depth: int = 1, systems: Sequence[str] = ()
) -> CollectionRuns:
    """Read the runs of the collection, or those of some systems: what the recipe needs, and at least so many ranks."""
    runs = list(collection.runs.filter(system__in=systems) if systems else collection.runs.all())
    query_ids = set(collection.topics.values_list("query_id", flat=True))
    if not runs or not query_ids:
        missing = "runs" if not runs else "topics"
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
