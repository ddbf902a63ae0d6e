"""Replay: what a strategy would have found, had it chosen what was judged.

A strategy proposes one document after the other; the qrels say whether it is relevant; an adaptive strategy learns it
and goes on. What a replay tells is relevant documents found against judgements spent, and, where a scoring function is
given, the scores that the runs would have under what was judged up to there.

The qrels are the gold, by whatever rule they were made. A document that they do not hold (or hold with a relevance
below 0: pooled, not judged) counts as not relevant, for the strategy too, and is counted apart: where there are many,
the replay says little of what the strategy would find. Only topics of the qrels are replayed.

The budget is spent in one of two ways:

- `per="topic"`: each topic gets as many judgements, or as many as there are documents.
- `per="collection"`: the budget is for all topics together. A strategy with priorities spends it by priority, ties by
  THE order; an adaptive one goes round the topics, one document of each.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from pooling.adaptive import ADAPTIVE, Adaptive
from pooling.evaluation.replay_order import (
    Gold,
    adaptive_order,
    adaptive_strategy,
    pool_priorities,
    priorities,
    priority_order,
)
from pooling.pools.pool import Pool
from pooling.ranking import RankedRuns, check_whole, prepare
from pooling.strategies import NEED_SCORES, STRATEGIES

PER = ("topic", "collection")
Score = Callable[[RankedRuns | pd.DataFrame, pd.DataFrame], pd.Series | np.ndarray]


@dataclass(frozen=True, eq=False)
class Replay:
    """What a strategy found, by what it spent.

    Attributes
    ----------
    strategy : str
        Its name, with its parameters.
    per : {"topic", "collection"}
        What the budget is for.
    rel : float
        The relevance from which a document counts as relevant.
    judgements : DataFrame
        A row for each judgement: query_id, doc_id, relevance (as in the qrels; 0 where these have none), relevant
        (bool), known (bool: the qrels hold it), budget (int64, the smallest with which it is judged). Topic after topic
        where the budget is per topic, else in the order in which they are judged.
    found : DataFrame
        A row for each budget from 0: budget; spent (judgements made, over all topics); found (relevant ones of
        them); share (of the relevant documents of the qrels, 0 to 1); unknown (of those spent, how many the qrels do
        not hold); n_topics, n_relevant.
    by_topic : DataFrame
        A row for each judgement of a topic, and one at budget 0: query_id, budget, spent, found, share (Float64, NA
        where the topic has no relevant document), reason (why there is no share, else ""), unknown, n_relevant.
    scores : DataFrame or None
        system, budget, spent, value: the scores under what is judged at some budgets. A topic of which nothing is
        judged yet (with a budget per collection) is not in that gold, nor in its means.
    """

    strategy: str
    per: str
    rel: float
    judgements: pd.DataFrame
    found: pd.DataFrame
    by_topic: pd.DataFrame
    scores: pd.DataFrame | None = None

    def gold_at(self, budget: int) -> pd.DataFrame:
        """query_id, doc_id, relevance of what is judged with a budget."""
        rows = self.judgements["budget"] <= budget
        return self.judgements.loc[rows, ["query_id", "doc_id", "relevance"]].reset_index(drop=True)


def replay(
    strategy: Adaptive | Pool | str,
    runs: RankedRuns | pd.DataFrame | Iterable[pd.DataFrame],
    qrels: pd.DataFrame,
    budget: int,
    score: Score | None = None,
    *,
    rel: float = 1,
    at: Sequence[int] = (),
    per: str = "topic",
    seed: int | None = None,
    **parameters,
) -> Replay:
    """Relevant documents found against judgements spent.

    Parameters
    ----------
    strategy : Adaptive, Pool or str
        An adaptive strategy; a pool, gone through by its priorities; or a name in `pooling.adaptive.ADAPTIVE` or
        `pooling.strategies.STRATEGIES`.
    runs : RankedRuns, DataFrame or iterable of DataFrame
        As for `pooling.ranking.prepare`.
    qrels : DataFrame
        query_id, doc_id, relevance.
    budget : int
        Judgements, at least 1.
    score : function, optional
        Of runs (as given here; prepared, where they came one after the other) and a gold (query_id, doc_id,
        relevance): the score of each system, a Series by system or an array in ascending order of the systems.
    rel : float
        The relevance from which a document counts as relevant, above 0; that of an adaptive strategy given ready is
        the same.
    at : sequence of int
        Budgets at which the runs are scored; the whole budget where none is given.
    per : {"topic", "collection"}
        What the budget is for.
    seed : int, optional
        For a strategy by name that draws at random, and only for such.
    **parameters
        Of a strategy by name. Sizes need not be given: they are as large as the budget asks for.

    Returns
    -------
    Replay

    Raises
    ------
    ValueError
        An argument is not allowed, an id or a relevance is missing, the qrels have no relevant document, no run has any
        of their topics, or the scores are not one number for each system.
    """
    check_whole("budget", budget)
    if per not in PER:
        raise ValueError(f"per {per!r} is not allowed; it is {' or '.join(PER)}")
    checkpoints = _checkpoints(at, budget)
    prepared = _prepared(strategy, runs, parameters)
    gold = _gold(qrels, rel)
    if not set(gold) & set(prepared.query_ids):
        raise ValueError("no run has any topic of the qrels")
    name, asked = _asked(strategy, prepared, gold, budget, per, rel, seed, parameters)
    judgements = _judged(asked, gold, rel)
    relevant = pd.Series({query_id: sum(r >= rel for r in grades.values()) for query_id, grades in gold.items()})
    told = Replay(name, per, rel, judgements, _found(judgements, relevant, budget), _by_topic(judgements, relevant))
    if score is None:
        return told
    seen = runs if isinstance(runs, pd.DataFrame) else prepared
    return replace(told, scores=_scores(told, seen, prepared.systems, score, checkpoints))


def _prepared(strategy, runs, parameters: dict) -> RankedRuns:
    """The runs, prepared; those that are already may be as shallow as the strategy looks."""
    depth = strategy.depth if isinstance(strategy, Adaptive) else parameters.get("depth")
    keep_scores = isinstance(strategy, str) and strategy in NEED_SCORES
    return prepare(runs, keep_scores=keep_scores, depth=depth if isinstance(runs, RankedRuns) else None)


def _asked(strategy, runs, gold, budget, per, rel, seed, parameters) -> tuple[str, pd.DataFrame]:
    """The strategy's name, and query_id, doc_id, budget of the documents that it has judged."""
    if isinstance(strategy, str) and strategy in ADAPTIVE:
        strategy = adaptive_strategy(strategy, seed, rel, parameters)
    elif isinstance(strategy, str):
        if strategy not in STRATEGIES:
            names = ", ".join(sorted([*STRATEGIES, *ADAPTIVE]))
            raise ValueError(f"strategy {strategy!r} is unknown; there are: {names}")
        documents = priorities(strategy, runs, budget, seed, parameters)
        options = parameters | ({} if seed is None else {"seed": seed})
        told = ", ".join(f"{name}={value}" for name, value in options.items())
        return f"{strategy}({told})" if told else strategy, priority_order(documents, list(gold), budget, per)
    elif parameters or seed is not None:
        raise ValueError("a strategy or pool that is there already has its parameters; give none")
    if isinstance(strategy, Pool):
        return strategy.strategy, priority_order(pool_priorities(strategy), list(gold), budget, per)
    if not isinstance(strategy, Adaptive):
        raise ValueError(f"strategy {strategy!r} is not allowed; it is a name, an adaptive strategy or a pool")
    if strategy.rel != rel:
        raise ValueError(f"the strategy has rel {strategy.rel!r} and the replay {rel!r}; they are the same")
    return str(strategy), adaptive_order(strategy, runs, gold, budget, per)


def _checkpoints(at: Sequence[int], budget: int) -> list[int]:
    for place in at:
        check_whole("a budget of at", place)
        if place > budget:
            raise ValueError(f"at {place} is not allowed; the budget ends at {budget}")
    return sorted(set(at)) or [budget]


def _gold(qrels: pd.DataFrame, rel: float) -> Gold:
    """Relevance by doc_id by query_id; what nobody judged (below 0) is left out."""
    frame = _checked_qrels(qrels)
    if not (isinstance(rel, (int, float, np.number)) and rel > 0):
        raise ValueError(f"rel {rel!r} is not allowed; a document is relevant from a number above 0")
    if not (frame["relevance"] >= rel).any():
        raise ValueError(f"the qrels have no relevant document (relevance {rel} or more)")
    gold = {query_id: {} for query_id in sorted(frame["query_id"].unique())}
    for query_id, doc_id, relevance in frame[frame["relevance"] >= 0].itertuples(index=False):
        gold[query_id][doc_id] = relevance
    return gold


def _checked_qrels(qrels: pd.DataFrame) -> pd.DataFrame:
    """The three columns, with ids as strings."""
    columns = ["query_id", "doc_id", "relevance"]
    if lacking := [column for column in columns if column not in qrels.columns]:
        raise ValueError(f"qrels have the columns {', '.join(columns)}; lacking {', '.join(lacking)}")
    for column in columns[:2]:
        if qrels[column].isna().any():
            raise ValueError(f"qrels have a {column} in every row; one is missing")
    frame = qrels[columns].astype({"query_id": "str", "doc_id": "str"})
    if not pd.api.types.is_numeric_dtype(frame["relevance"]) or frame["relevance"].isna().any():
        raise ValueError("a relevance of the qrels is no number; every one is a grade, or below 0 for not judged")
    if (twice := frame.duplicated(["query_id", "doc_id"])).any():
        query_id, doc_id, _ = frame[twice].iloc[0]
        raise ValueError(f"qrels, topic {query_id!r}: document {doc_id!r} came twice")
    return frame


def _judged(asked: pd.DataFrame, gold: Gold, rel: float) -> pd.DataFrame:
    """`Replay.judgements`."""
    pairs = list(zip(asked["query_id"], asked["doc_id"], strict=True))
    relevance = pd.Series([gold[query_id].get(doc_id, 0) for query_id, doc_id in pairs], index=asked.index)
    known = [doc_id in gold[query_id] for query_id, doc_id in pairs]
    frame = asked[["query_id", "doc_id"]].astype("str")
    return frame.assign(relevance=relevance, relevant=relevance >= rel, known=known, budget=asked["budget"])


def _found(judgements: pd.DataFrame, relevant: pd.Series, budget: int) -> pd.DataFrame:
    """`Replay.found`."""

    def until(rows) -> np.ndarray:
        return np.cumsum(np.bincount(judgements.loc[rows, "budget"], minlength=budget + 1))

    found, total = until(judgements["relevant"]), int(relevant.sum())
    frame = {"budget": np.arange(budget + 1), "spent": until(slice(None)), "found": found, "share": found / total}
    frame |= {"unknown": until(~judgements["known"]), "n_topics": len(relevant), "n_relevant": total}
    return pd.DataFrame(frame)


def _by_topic(judgements: pd.DataFrame, relevant: pd.Series) -> pd.DataFrame:
    """`Replay.by_topic`."""
    begins = pd.DataFrame({"query_id": relevant.index, "budget": 0, "spent": 0, "found": 0, "unknown": 0})
    found, unknown = judgements["relevant"].astype(int), (~judgements["known"]).astype(int)
    each = judgements.assign(spent=1, found=found, unknown=unknown)
    rows = pd.concat([begins.astype({"query_id": "str"}), each[begins.columns]], ignore_index=True)
    rows = rows.sort_values(["query_id", "budget"], kind="stable", ignore_index=True)
    counts = ["spent", "found", "unknown"]
    rows[counts] = rows.groupby("query_id")[counts].cumsum()
    n_relevant = rows["query_id"].map(relevant).to_numpy()
    share = (rows["found"] / pd.Series(n_relevant).where(n_relevant > 0)).astype("Float64")
    reason = np.where(n_relevant > 0, "", "no relevant document in the qrels")
    columns = ["query_id", "budget", "spent", "found", "share", "reason", "unknown", "n_relevant"]
    return rows.assign(share=share, reason=reason, n_relevant=n_relevant)[columns]


def _scores(told: Replay, runs, systems: pd.Index, score: Score, checkpoints: list[int]) -> pd.DataFrame:
    """`Replay.scores`."""
    frames = []
    for budget in checkpoints:
        gold = told.gold_at(budget)
        values = _by_system(score(runs, gold), systems)
        frames.append(pd.DataFrame({"system": systems, "budget": budget, "spent": len(gold), "value": values}))
    return pd.concat(frames, ignore_index=True)


def _by_system(scores: pd.Series | np.ndarray, systems: pd.Index) -> np.ndarray:
    """What a scoring function gave, one number for each system, ascending."""
    allowed = f"allowed is one number for each of {len(systems)} systems, a Series by system or an array"
    if isinstance(scores, pd.Series):
        if len(lacking := systems.difference(scores.index)) or scores.index.has_duplicates:
            which = f"lack system {lacking[0]!r}" if len(lacking) else "have a system twice"
            raise ValueError(f"the scores {which}; {allowed}")
        scores = scores.loc[list(systems)].to_numpy(na_value=np.nan)
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the scores came as {type(scores).__name__} and are no numbers; {allowed}") from error
    if values.shape != (len(systems),):
        raise ValueError(f"the scores came as {type(scores).__name__} of shape {values.shape}; {allowed}")
    return values
