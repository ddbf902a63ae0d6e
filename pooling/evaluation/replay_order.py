"""In which order a strategy would have the documents judged; the steps of `pooling.evaluation.replay`."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import islice

import numpy as np
import pandas as pd

from pooling.adaptive import ADAPTIVE, Adaptive, State
from pooling.pools.pool import Pool
from pooling.ranking import RankedRuns, order, places
from pooling.strategies import STRATEGIES

Gold = Mapping[str, Mapping[str, float]]


def adaptive_strategy(name: str, seed: int | None, rel: float, parameters: dict) -> Adaptive:
    """The adaptive strategy of a name.

    Raises
    ------
    ValueError
        A parameter is unknown, missing or not allowed, or the seed is missing, or given where nothing is drawn.
    """
    strategy = ADAPTIVE[name]
    known = [field.name for field in fields(strategy) if field.init and field.name not in ("rel", "seed")]
    if unknown := [parameter for parameter in parameters if parameter not in known]:
        raise ValueError(f"strategy {name!r} has no parameter {unknown[0]!r}; it has: {', '.join(known)}")
    if name == "cal" and "texts" not in parameters:
        raise ValueError("strategy 'cal' needs the parameter 'texts'; none was given")
    draws = "seed" in {field.name for field in fields(strategy)}
    return strategy(**parameters, rel=rel, **seed_for(name, draws, seed))


def seed_for(name: str, draws: bool, seed: int | None) -> dict[str, int]:
    """The seed as a parameter, where the strategy draws; nothing else may have one."""
    if draws and seed is None:
        raise ValueError(f"strategy {name!r} draws at random: give it a seed, to be told and repeated")
    if seed is not None and not draws:
        raise ValueError(f"strategy {name!r} leaves nothing to chance; it takes no seed")
    return {"seed": seed} if draws else {}


def adaptive_order(strategy: Adaptive, runs: RankedRuns, gold: Gold, budget: int, per: str) -> pd.DataFrame:
    """query_id, doc_id, budget, as an adaptive strategy asks for them when it learns what the gold says."""
    topics = [query_id for query_id in sorted(gold) if query_id in runs.query_ids]
    if per == "topic":
        asked = [
            (query_id, doc_id, place)
            for query_id in topics
            for place, doc_id in enumerate(islice(_asked(strategy, runs, query_id, gold[query_id]), budget), 1)
        ]
    else:
        turns = _in_turn({query_id: _asked(strategy, runs, query_id, gold[query_id]) for query_id in topics})
        asked = [(*pair, place) for place, pair in enumerate(islice(turns, budget), 1)]
    return pd.DataFrame(asked, columns=["query_id", "doc_id", "budget"])


def _asked(strategy: Adaptive, runs: RankedRuns, query_id: str, gold: Mapping[str, float]) -> Iterator[str]:
    """The documents of a topic, one after the other."""
    state: State = strategy.start(runs, query_id)
    while (doc_id := strategy.next(state)) is not None:
        yield doc_id
        state = strategy.step(state, {doc_id: max(gold.get(doc_id, 0), 0)})


def _in_turn(asked: dict[str, Iterator[str]]) -> Iterator[tuple[str, str]]:
    """One document of each topic that has some left, then the next of each."""
    while asked:
        for query_id in list(asked):
            if (doc_id := next(asked[query_id], None)) is None:
                del asked[query_id]
            else:
                yield query_id, doc_id


def priorities(name: str, runs: RankedRuns, budget: int, seed: int | None, parameters: dict) -> pd.DataFrame:
    """query_id, doc_id, priority of as many documents as the budget could reach, by a strategy that does not adapt.

    Raises
    ------
    ValueError
        The strategy or a parameter is unknown, a parameter is missing, or the seed is.
    """
    choose = STRATEGIES[name]
    known = {p.name: p for p in inspect.signature(choose).parameters.values() if p.kind is p.KEYWORD_ONLY}
    enough = {"size": budget, "budget": len(runs.keys)}
    if "depth" in known and known["depth"].default is inspect.Parameter.empty:
        enough["depth"] = runs.items.shape[2]
    options = {name: value for name, value in enough.items() if name in known} | parameters
    options |= seed_for(name, "seed" in known, seed)
    if unknown := [parameter for parameter in options if parameter not in known]:
        raise ValueError(f"strategy {name!r} has no parameter {unknown[0]!r}; it has: {', '.join(known)}")
    needed = [p.name for p in known.values() if p.default is p.empty]
    if lacking := [parameter for parameter in needed if parameter not in options]:
        raise ValueError(f"strategy {name!r} needs the parameter {lacking[0]!r}; none was given")
    chosen = choose(runs, **options)
    query_ids = runs.query_ids[runs.topics_of_items[chosen.items]]
    doc_ids = runs.doc_ids_of_items[chosen.items]
    return pd.DataFrame({"query_id": query_ids, "doc_id": doc_ids, "priority": chosen.priority})


def priority_order(documents: pd.DataFrame, topics: list[str], budget: int, per: str) -> pd.DataFrame:
    """query_id, doc_id, budget of the documents of some topics, the highest priority first."""
    documents = documents[documents["query_id"].isin(topics)].sort_values("query_id", kind="stable")
    codes = pd.factorize(documents["query_id"])[0]
    groups = codes if per == "topic" else np.zeros(len(codes), dtype=np.int64)
    rows = order(groups, documents["priority"].to_numpy(dtype=np.float64), documents["doc_id"])
    place = places(groups[rows])
    taken = documents.iloc[rows[place <= budget]]
    return taken[["query_id", "doc_id"]].assign(budget=place[place <= budget]).reset_index(drop=True)


def pool_priorities(pool: Pool) -> pd.DataFrame:
    """query_id, doc_id, priority of a pool."""
    return pool.frame[["query_id", "doc_id", "priority"]]
