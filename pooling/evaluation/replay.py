"""Replay: simulate how many relevant documents a strategy would have found, with known judgements.

A strategy proposes one document after the other; the qrels provide its relevance; an adaptive strategy learns from it.
The result is the number of relevant documents found for each number of judgements. With a scoring function, it also
contains the scores that the runs have with the judgements made so far.

The qrels are the gold, by whatever rule they were made. A document that they do not contain, or contain with a negative
relevance (pooled, but not judged), counts as not relevant, for the strategy too, and is counted as unknown. If there
are many such documents, the replay is not a good estimate. Only topics of the qrels are replayed.

The budget is spent in one of three ways:

- `per="topic"`: each topic gets this number of judgements, or as many as it has documents.
- `per="collection"`: all topics share the budget. A strategy with priorities spends it by priority; an adaptive
  strategy judges one document of each topic in turn.
- `per="best_topic"`: all topics share the budget, and each judgement goes to the topic of which an adaptive strategy
  expects most (`pooling.adaptive.shared_budget`).

Documents with the same priority are judged in the order of their lots (`pooling.strategies.lots`).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pooling.adaptive import ADAPTIVE, Adaptive
from pooling.evaluation.judged_items import IDS, checked_relevance, with_text_ids
from pooling.evaluation.replay_order import (
    Gold,
    adaptive_order,
    adaptive_strategy,
    default_seed,
    pool_priorities,
    priorities,
    priority_order,
    refuse_unused_seed,
)
from pooling.evaluation.replay_result import Replay
from pooling.inputs import Input
from pooling.pools.pool import Pool
from pooling.pools.provenance import lot_seed, provenance
from pooling.ranking import RankedRuns, Runs, check_common_topic, check_whole, opened, prepare
from pooling.strategies import NEED_SCORES, STRATEGIES
from pooling.strategies.lots import DEFAULT_SEED

PER = ("topic", "collection", "best_topic")
Score: TypeAlias = "Callable[[Any, pd.DataFrame], pd.Series[Any] | np.ndarray]"


def replay(
    strategy: Adaptive | Pool | str,
    runs: Runs,
    qrels: Input,
    budget: int,
    score: "Score | None" = None,
    *,
    rel: float = 1,
    at: Sequence[int] = (),
    per: str = "topic",
    seed: int | None = None,
    **parameters: Any,
) -> Replay:
    """Simulate judging in the order of a strategy, with known judgements.

    Parameters
    ----------
    strategy : Adaptive, Pool or str
        An adaptive strategy; a pool, judged by priority; or the name of a strategy in `pooling.ADAPTIVE` or
        `pooling.STRATEGIES`.
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    qrels : table, path or dictionary
        Columns query_id, doc_id and relevance. Documents that they do not contain, or contain with a negative
        relevance, count as not relevant. Only topics of the qrels are replayed.
    budget : int
        Number of judgements, at least 1.
    score : callable, optional
        ``score(runs, gold)`` returns the score of each system: a Series by system, or an array in ascending order of
        the systems. It gets `runs` unchanged if they are a DataFrame, otherwise the prepared runs.
    rel : float
        Documents with this relevance or more are relevant; above 0. An adaptive strategy object must have the same.
    at : sequence of int
        The budgets at which the runs are scored; by default only the whole budget.
    per : {"topic", "collection", "best_topic"}
        Whether the budget applies to each topic or to all topics together. With "collection", a strategy with
        priorities spends it by priority, and an adaptive strategy judges one document of each topic in turn. With
        "best_topic", each judgement goes to the topic of which an adaptive strategy expects most; this is possible
        with strategies that choose a run, such as `maxmean` and `move_to_front`.
    seed : int, optional
        The seed, from 0, of a strategy given by name. Strategies that draw at random need one. In the others it decides
        between tied documents, and is 0 by default. Strategy "depth" takes none; its tied documents have lots with
        seed 0.
    **parameters
        The parameters of a strategy given by name. Sizes may be omitted: they are as large as the budget requires.

    Returns
    -------
    Replay
        The judgements in their order, and the relevant documents found for each budget.

    Raises
    ------
    ValueError
        If an argument is invalid, an id or a relevance is missing, the qrels have no relevant document, no run has a
        topic of the qrels, `per` does not suit the strategy, or `score` does not return one number for each system.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import replay
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> qrels = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c"], "relevance": [0, 1, 0]})
    >>> replay("rrf", runs, qrels, budget=2).found[["budget", "spent", "found", "share"]]
       budget  spent  found  share
    0       0      0      0    0.0
    1       1      1      1    1.0
    2       2      2      1    1.0
    """
    check_whole("budget", budget)
    if per not in PER:
        raise ValueError(f"per must be one of {', '.join(map(repr, PER))}, not {per!r}")
    checkpoints = _checkpoints(at, budget)
    runs = opened(runs)
    prepared = _prepared(strategy, runs, parameters)
    gold = _gold(qrels, rel)
    check_common_topic(prepared, gold, "the gold")
    name, order = _judging_order(strategy, prepared, gold, budget, per, rel, seed, parameters)
    judgements = _judgements(order, gold, rel)
    relevant = pd.Series({query_id: sum(r >= rel for r in grades.values()) for query_id, grades in gold.items()})
    result = Replay(name, per, rel, judgements, _found(judgements, relevant, budget), _by_topic(judgements, relevant))
    if score is None:
        return result
    scored_runs = runs if isinstance(runs, pd.DataFrame) else prepared
    return replace(result, scores=_scores(result, scored_runs, prepared.systems, score, checkpoints))


def _prepared(strategy: Adaptive | Pool | str, runs: Runs, parameters: dict[str, Any]) -> RankedRuns:
    """The prepared runs. Runs that are prepared already need only the depth of the strategy."""
    depth = strategy.depth if isinstance(strategy, Adaptive) else parameters.get("depth")
    keep_scores = isinstance(strategy, str) and strategy in NEED_SCORES
    return prepare(runs, keep_scores=keep_scores, depth=depth if isinstance(runs, RankedRuns) else None)


def _judging_order(
    strategy: Adaptive | Pool | str,
    runs: RankedRuns,
    gold: Gold,
    budget: int,
    per: str,
    rel: float,
    seed: int | None,
    parameters: dict[str, Any],
) -> tuple[str, pd.DataFrame]:
    """The name of the strategy, and the query_id, doc_id and budget of the documents that it selects."""
    if isinstance(strategy, str) and strategy in ADAPTIVE:
        strategy = adaptive_strategy(strategy, seed, rel, parameters)
    elif per == "best_topic" and not isinstance(strategy, Adaptive):
        name = strategy.strategy if isinstance(strategy, Pool) else strategy
        raise ValueError(
            f"per='best_topic' needs an adaptive strategy that chooses runs, such as 'maxmean', not {name!r}"
        )
    elif isinstance(strategy, str):
        if strategy not in STRATEGIES:
            names = ", ".join(sorted([*STRATEGIES, *ADAPTIVE]))
            raise ValueError(f"strategy {strategy!r} is unknown; choose from: {names}")
        return _priority_order_of(strategy, runs, gold, budget, per, seed, parameters)
    elif parameters or seed is not None:
        raise ValueError("parameters and seed are allowed only for a strategy given by name")
    if isinstance(strategy, Pool):
        lots = lot_seed(provenance(strategy))
        return strategy.strategy, priority_order(pool_priorities(strategy), list(gold), budget, per, lots)
    if not isinstance(strategy, Adaptive):
        raise ValueError(f"strategy must be a name, an adaptive strategy or a pool, not {strategy!r}")
    if strategy.rel != rel:
        raise ValueError(f"rel must be the rel of the strategy, {strategy.rel!r}, not {rel!r}")
    return str(strategy), adaptive_order(strategy, runs, gold, budget, per)


def _priority_order_of(
    name: str, runs: RankedRuns, gold: Gold, budget: int, per: str, seed: int | None, parameters: dict[str, Any]
) -> tuple[str, pd.DataFrame]:
    """The name of a strategy that is not adaptive with its parameters, and the documents that it selects."""
    refuse_unused_seed(name, seed)
    seed = default_seed(name) if seed is None else seed
    documents = priorities(name, runs, budget, seed, parameters)
    options = parameters | ({} if seed is None else {"seed": seed})
    listed = ", ".join(f"{option}={value}" for option, value in options.items())
    order = priority_order(documents, list(gold), budget, per, DEFAULT_SEED if seed is None else seed)
    return f"{name}({listed})" if listed else name, order


def _checkpoints(at: Sequence[int], budget: int) -> list[int]:
    for checkpoint in at:
        check_whole("a budget in at", checkpoint)
        if checkpoint > budget:
            raise ValueError(f"a budget in at must be at most {budget}, not {checkpoint!r}")
    return sorted(set(at)) or [budget]


def _gold(qrels: Input, rel: float) -> Gold:
    """The relevance by query_id and doc_id, without documents that are not judged (negative relevance)."""
    frame = _checked_qrels(qrels)
    if not (isinstance(rel, (int, float, np.number)) and rel > 0):
        raise ValueError(f"rel must be a number above 0, not {rel!r}")
    if not (frame["relevance"] >= rel).any():
        raise ValueError(f"the qrels have no relevant document (relevance {rel} or more)")
    gold: dict[str, dict[str, float]] = {query_id: {} for query_id in sorted(frame["query_id"].unique())}
    judged = frame[frame["relevance"] >= 0]
    for query_id, doc_id, relevance in zip(*(judged[name] for name in judged), strict=True):
        gold[query_id][doc_id] = relevance
    return gold


def _checked_qrels(qrels: Input) -> pd.DataFrame:
    """The columns query_id, doc_id and relevance, with ids as strings; ValueError if they are invalid."""
    gold = with_text_ids(qrels)
    relevance = checked_relevance(gold)
    return gold[IDS].assign(relevance=relevance)


def _judgements(order: pd.DataFrame, gold: Gold, rel: float) -> pd.DataFrame:
    """The table `Replay.judgements`."""
    pairs = list(zip(order["query_id"], order["doc_id"], strict=True))
    relevance = pd.Series([gold[query_id].get(doc_id, 0) for query_id, doc_id in pairs], index=order.index)
    known = [doc_id in gold[query_id] for query_id, doc_id in pairs]
    frame = order[["query_id", "doc_id"]].astype("str")
    frame = frame.assign(relevance=relevance, relevant=relevance >= rel, known=known, budget=order["budget"])
    return frame.assign(**{name: order[name] for name in order.columns.difference(frame.columns)})


def _found(judgements: pd.DataFrame, relevant: "pd.Series[Any]", budget: int) -> pd.DataFrame:
    """The table `Replay.found`."""

    def cumulative(rows: Any) -> np.ndarray:
        return np.cumsum(np.bincount(judgements.loc[rows, "budget"], minlength=budget + 1))

    found, total = cumulative(judgements["relevant"]), int(relevant.sum())
    columns: dict[str, Any] = {"budget": np.arange(budget + 1), "spent": cumulative(slice(None))}
    columns |= {"found": found, "share": found / total, "unknown": cumulative(~judgements["known"])}
    return pd.DataFrame(columns | {"n_topics": len(relevant), "n_relevant": total})


def _by_topic(judgements: pd.DataFrame, relevant: "pd.Series[Any]") -> pd.DataFrame:
    """The table `Replay.by_topic`."""
    starts = pd.DataFrame({"query_id": relevant.index, "budget": 0, "spent": 0, "found": 0, "unknown": 0})
    found, unknown = judgements["relevant"].astype(int), (~judgements["known"]).astype(int)
    each = judgements.assign(spent=1, found=found, unknown=unknown)
    rows = pd.concat([starts.astype({"query_id": "str"}), each[starts.columns]], ignore_index=True)
    # Stable: the first row is budget 0, and documents of the same budget stay in the order of judging.
    rows = rows.sort_values(["query_id", "budget"], kind="stable", ignore_index=True)
    counts = ["spent", "found", "unknown"]
    rows[counts] = rows.groupby("query_id")[counts].cumsum()
    n_relevant = rows["query_id"].map(relevant).to_numpy()
    share = (rows["found"] / pd.Series(n_relevant).where(n_relevant > 0)).astype("Float64")
    reason = np.where(n_relevant > 0, "", "no relevant document in the qrels")
    columns = ["query_id", "budget", "spent", "found", "share", "reason", "unknown", "n_relevant"]
    return rows.assign(share=share, reason=reason, n_relevant=n_relevant)[columns]


def _scores(
    result: Replay, runs: RankedRuns | pd.DataFrame, systems: pd.Index, score: Score, checkpoints: list[int]
) -> pd.DataFrame:
    """The table `Replay.scores`."""
    frames = []
    for budget in checkpoints:
        gold = result.gold_at(budget)
        values = _by_system(score(runs, gold), systems)
        frames.append(pd.DataFrame({"system": systems, "budget": budget, "spent": len(gold), "value": values}))
    return pd.concat(frames, ignore_index=True)


def _by_system(scores: "pd.Series[Any] | np.ndarray", systems: pd.Index) -> np.ndarray:
    """The result of a scoring function as one number per system, in ascending order of the systems."""
    required = f"score(runs, gold) must return one number for each of {len(systems)} systems, as Series or array"
    if isinstance(scores, pd.Series):
        if len(missing := systems.difference(scores.index)) or scores.index.has_duplicates:
            problem = f"system {missing[0]!r} is missing" if len(missing) else "a system occurs twice"
            raise ValueError(f"{required}; {problem}")
        scores = scores.loc[list(systems)].to_numpy(na_value=np.nan)
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{required}, not {type(scores).__name__}") from error
    if values.shape != (len(systems),):
        raise ValueError(f"{required}, not {type(scores).__name__} of shape {values.shape}")
    return values
