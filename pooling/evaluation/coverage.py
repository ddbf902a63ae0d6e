"""What a pool covers: judged@k and the sizes of pools; the overlap and the contributions of runs are at home here too.

Judged@k. Of the first k documents of a ranking, those that are judged, over those that there are:

    judged@k = (judged among the first k) / min(k, retrieved)

from 0 to 1; 0 for a topic that the run lacks; the mean is over all topics of the gold. A negative relevance says "not
judged". It is how much of a score rests on judgements: below 1 at the cutoff of a measure, the score rests in part on
documents that nobody has seen.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import contributions
from pooling.evaluation.judged_items import Runs, judged_items
from pooling.evaluation.run_overlap import run_overlap, shared_documents
from pooling.ranking import check_whole, prepare
from pooling.strategies.selection import best_ranks

__all__ = ["contributions", "judged_at", "pool_size_summary", "pool_sizes", "run_overlap", "shared_documents"]
CUTOFFS = (5, 10, 20, 50, 100)


def judged_at(runs: Runs, gold: pd.DataFrame, k: Sequence[int] = CUTOFFS) -> pd.DataFrame:
    """How much of every run's top is judged.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
        As for `pooling.ranking.prepare`.
    gold : DataFrame
        query_id, doc_id, relevance.
    k : sequence of int

    Returns
    -------
    DataFrame
        A row for each system and k: system, k; judged (float64, 0 to 1, the mean of judged@k over topics); n_judged
        and n_documents (int64, over all topics together); n_topics (int64, of the gold).

    Raises
    ------
    ValueError
        A k is no positive whole number, there is none, the gold is empty or not as `pooling.evaluation.judged_items` asks.
    """
    cutoffs = _checked_depths("k", k)
    ranked = prepare(runs, depth=max(cutoffs))
    gold_items = judged_items(ranked, gold)
    if not len(gold_items.query_ids):
        raise ValueError("the gold is empty; judged@k is a mean over its topics, one or more")
    judged = gold_items.judged[ranked.items[:, gold_items.topics, : max(cutoffs)]]
    retrieved = ranked.retrieved[:, gold_items.topics]
    frames = [_judged_at_one(ranked.systems, judged, retrieved, cutoff) for cutoff in cutoffs]
    return pd.concat(frames).sort_values(["system", "k"], kind="stable", ignore_index=True)


def pool_sizes(runs: Runs, depths: Sequence[int] = CUTOFFS) -> pd.DataFrame:
    """How many documents a depth pool holds, topic by topic; `pool_size_summary` has the means.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
    depths : sequence of int

    Returns
    -------
    DataFrame
        A row for each topic and depth: query_id, depth; size (int64, different documents); n_brought (int64, with
        repetitions: what it would be if no two runs had a document in common); n_systems (int64, that have the topic).

    Raises
    ------
    ValueError
        A depth is no positive whole number, or there is none.
    """
    depths = _checked_depths("depth", depths)
    ranked = prepare(runs, depth=max(depths))
    ranks = best_ranks(ranked, max(depths))
    retrieved = ranked.retrieved[:, :-1]
    topics = ranked.topics_of_items
    columns = [
        {
            "query_id": ranked.query_ids,
            "depth": depth,
            "size": np.bincount(topics[(ranks > 0) & (ranks <= depth)], minlength=len(ranked.query_ids)),
            "n_brought": np.minimum(retrieved, depth).sum(axis=0),
            "n_systems": (retrieved > 0).sum(axis=0),
        }
        for depth in depths
    ]
    frame = pd.concat([pd.DataFrame(one) for one in columns])
    return frame.astype({"query_id": "str"}).sort_values(["query_id", "depth"], kind="stable", ignore_index=True)


def pool_size_summary(sizes: pd.DataFrame) -> pd.DataFrame:
    """The sizes of `pool_sizes` over topics: depth, total, mean, median, smallest, largest, n_brought, n_topics."""
    return (
        sizes.groupby("depth")
        .agg(
            total=("size", "sum"),
            mean=("size", "mean"),
            median=("size", "median"),
            smallest=("size", "min"),
            largest=("size", "max"),
            n_brought=("n_brought", "sum"),
            n_topics=("query_id", "size"),
        )
        .reset_index()
    )


def _judged_at_one(systems: pd.Index, judged: np.ndarray, retrieved: np.ndarray, cutoff: int) -> pd.DataFrame:
    n_judged, seen = judged[..., :cutoff].sum(axis=2), np.minimum(retrieved, cutoff)
    columns = {
        "system": systems.astype("str"),
        "k": cutoff,
        "judged": (n_judged / np.maximum(seen, 1)).mean(axis=1),
        "n_judged": n_judged.sum(axis=1),
        "n_documents": seen.sum(axis=1),
        "n_topics": retrieved.shape[1],
    }
    return pd.DataFrame(columns)


def _checked_depths(name: str, depths: Sequence[int]) -> list[int]:
    depths = list(depths)
    if not depths:
        raise ValueError(f"no {name} was given; one or more positive whole numbers are needed")
    for depth in depths:
        check_whole(name, depth)
    return sorted(set(depths))
