"""The order in which a strategy would have the documents judged, for `pooling.evaluation.replay`."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import islice
from typing import Any, cast

import numpy as np
import pandas as pd

from pooling.adaptive import ADAPTIVE, ActiveSampling, Adaptive, State
from pooling.adaptive.shared_budget import urgency
from pooling.pools.pool import Pool
from pooling.ranking import RankedRuns, places
from pooling.strategies import NEED_SEED, STRATEGIES
from pooling.strategies.lots import DEFAULT_SEED, order_by_lot

Gold = Mapping[str, Mapping[str, float]]


def adaptive_strategy(name: str, seed: int | None, rel: float, parameters: dict[str, Any]) -> Adaptive:
    """Create an adaptive strategy by name."""
    strategy = ADAPTIVE[name]
    known = [field.name for field in fields(strategy) if field.init and field.name not in ("rel", "seed")]
    if unknown := [parameter for parameter in parameters if parameter not in known]:
        raise ValueError(f"strategy {name!r} has no parameter {unknown[0]!r}; it has: {', '.join(known)}")
    refuse_unused_seed(name, seed)
    if name == "cal" and "texts" not in parameters:
        raise ValueError("strategy 'cal' needs the parameter 'texts'")
    return strategy(**parameters, rel=rel, **({} if seed is None else {"seed": seed}))


def takes_seed(name: str) -> bool:
    """Whether a strategy draws random numbers: samples, choices, or the lots of tied documents."""
    if name in ADAPTIVE:
        return "seed" in {field.name for field in fields(ADAPTIVE[name])}
    return name in STRATEGIES and "seed" in inspect.signature(STRATEGIES[name]).parameters


def refuse_unused_seed(name: str, seed: int | None) -> None:
    """Raise ValueError for a seed if the strategy draws nothing."""
    if seed is not None and not takes_seed(name):
        raise ValueError(f"strategy {name!r} does not draw at random and takes no seed")


def default_seed(name: str) -> int | None:
    """The seed of a strategy that is not adaptive if none is given; None if it draws nothing."""
    if not takes_seed(name):
        return None
    if name in NEED_SEED:
        raise ValueError(f"strategy {name!r} draws at random and needs a seed")
    return DEFAULT_SEED


def adaptive_order(strategy: Adaptive, runs: RankedRuns, gold: Gold, budget: int, per: str) -> pd.DataFrame:
    """The query_id, doc_id and budget of the documents that an adaptive strategy proposes, given the gold.

    If the strategy samples, the columns draw_probability and n_documents follow.
    """
    if isinstance(strategy, ActiveSampling) and per == "best_topic":
        raise ValueError(
            f"per='best_topic' does not suit the sample of strategy {strategy.name!r}: estimates from it are unbiased"
            " only if the number of judgements of a topic does not depend on the judgements"
        )
    topics = [query_id for query_id in sorted(gold) if query_id in runs.query_ids]
    if per == "topic":
        rows = [
            (query_id, doc_id, number)
            for query_id in topics
            for number, doc_id in enumerate(islice(_proposals(strategy, runs, query_id, gold[query_id]), budget), 1)
        ]
    elif per == "best_topic":
        turns = _best_topics(strategy, {query_id: strategy.start(runs, query_id) for query_id in topics}, gold)
        rows = [(*pair, number) for number, pair in enumerate(islice(turns, budget), 1)]
    else:
        turns = _in_turn({query_id: _proposals(strategy, runs, query_id, gold[query_id]) for query_id in topics})
        rows = [(*pair, number) for number, pair in enumerate(islice(turns, budget), 1)]
    order = pd.DataFrame(rows, columns=["query_id", "doc_id", "budget"])
    return _with_draws(strategy, runs, gold, order) if isinstance(strategy, ActiveSampling) else order


def _with_draws(strategy: ActiveSampling, runs: RankedRuns, gold: Gold, order: pd.DataFrame) -> pd.DataFrame:
    """The order with the probability of each draw, and the number of documents of the topic."""
    order = order.assign(draw_probability=np.nan, n_documents=0)
    for query_id in order["query_id"].unique():
        rows = order["query_id"] == query_id
        judged = {doc_id: _relevance(gold[query_id], doc_id) for doc_id in order.loc[rows, "doc_id"]}
        state = strategy.step(strategy.start(runs, query_id), judged)
        order.loc[rows, "draw_probability"] = strategy.draw_probabilities(state)
        order.loc[rows, "n_documents"] = state.rankings.n_documents
    return order


def _proposals(strategy: Adaptive, runs: RankedRuns, query_id: str, gold: Mapping[str, float]) -> Iterator[str]:
    """The documents of a topic in the order of the strategy."""
    state: State = strategy.start(runs, query_id)
    while (doc_id := strategy.next(state)) is not None:
        yield doc_id
        state = strategy.step(state, {doc_id: _relevance(gold, doc_id)})


def _relevance(gold: Mapping[str, float], doc_id: str) -> float:
    """The relevance of a document; 0 if the gold does not contain it."""
    return max(gold.get(doc_id, 0), 0)


def _best_topics(strategy: Adaptive, states: dict[str, State], gold: Gold) -> Iterator[tuple[str, str]]:
    """The documents of all topics, each from the topic of which the strategy expects most (`next_task`)."""
    urgent = {query_id: urgency(strategy, state) for query_id, state in states.items()}
    while left := {query_id: value for query_id, value in urgent.items() if value is not None}:
        query_id = max(left, key=left.__getitem__)
        doc_id = cast(str, strategy.next(states[query_id]))  # a topic without documents has no urgency
        yield query_id, doc_id
        states[query_id] = strategy.step(states[query_id], {doc_id: _relevance(gold[query_id], doc_id)})
        urgent[query_id] = urgency(strategy, states[query_id])


def _in_turn(proposals: dict[str, Iterator[str]]) -> Iterator[tuple[str, str]]:
    """One document of each topic in turn, as long as topics have documents left."""
    while proposals:
        for query_id in list(proposals):
            if (doc_id := next(proposals[query_id], None)) is None:
                del proposals[query_id]
            else:
                yield query_id, doc_id


def priorities(name: str, runs: RankedRuns, budget: int, seed: int | None, parameters: dict[str, Any]) -> pd.DataFrame:
    """The priorities of a strategy that is not adaptive."""
    choose = STRATEGIES[name]
    known = {p.name: p for p in inspect.signature(choose).parameters.values() if p.kind is p.KEYWORD_ONLY}
    defaults = {"size": budget, "budget": len(runs.keys)}
    if "depth" in known and known["depth"].default is inspect.Parameter.empty:
        defaults["depth"] = runs.items.shape[2]
    options = {name: value for name, value in defaults.items() if name in known} | parameters
    options |= {} if seed is None else {"seed": seed}
    if unknown := [parameter for parameter in options if parameter not in known]:
        raise ValueError(f"strategy {name!r} has no parameter {unknown[0]!r}; it has: {', '.join(known)}")
    needed = [p.name for p in known.values() if p.default is p.empty]
    if missing := [parameter for parameter in needed if parameter not in options]:
        raise ValueError(f"strategy {name!r} needs the parameter {missing[0]!r}")
    selection = choose(runs, **options)
    query_ids = runs.query_ids[runs.topics_of_items[selection.items]]
    doc_ids = runs.doc_ids_of_items[selection.items]
    return pd.DataFrame({"query_id": query_ids, "doc_id": doc_ids, "priority": selection.priority})


def priority_order(documents: pd.DataFrame, topics: list[str], budget: int, per: str, seed: int) -> pd.DataFrame:
    """The query_id, doc_id and budget of the documents of some topics, by priority; ties by lots with this seed."""
    documents = documents[documents["query_id"].isin(topics)].sort_values("query_id", kind="stable")
    codes = pd.factorize(documents["query_id"])[0]
    groups = codes if per == "topic" else np.zeros(len(codes), dtype=np.int64)
    rows = order_by_lot(groups, documents["priority"].to_numpy(dtype=np.float64), documents, seed)
    number = places(groups[rows])
    within = documents.iloc[rows[number <= budget]]
    return within[["query_id", "doc_id"]].assign(budget=number[number <= budget]).reset_index(drop=True)


def pool_priorities(pool: Pool) -> pd.DataFrame:
    """The query_id, doc_id and priority of the documents of a pool."""
    return pool.frame[["query_id", "doc_id", "priority"]]
