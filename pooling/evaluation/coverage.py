"""Coverage of pools: judged@k, pool sizes and the overlap of runs.

Judged@k is the share of the first k documents of a ranking that is judged:

    judged@k = (judged documents among the first k) / min(k, retrieved documents)

It is from 0 to 1, and 0 for a topic that the run lacks; the mean is over all topics of the gold. A negative relevance
means "not judged". If judged@k is below 1 at the cutoff of a measure, the score rests in part on unjudged documents.

The contributions of runs (`pooling.evaluation.contributions`) can be imported from here too.

The overlap of run A with run B is the share of A's first `depth` documents that are also among B's first `depth`, over
all topics together. It is not symmetric if the rankings differ in length. `measure="jaccard"` is symmetric: shared
documents divided by the documents of either run. Both are from 0 (disjoint) to 1 (the same documents in any order).
Runs with a high overlap add few documents to a pool.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import contributed_items, contributions
from pooling.evaluation.judged_items import judged_items
from pooling.inputs import Input
from pooling.ranking import Runs, check_whole, prepare
from pooling.strategies.selection import best_ranks

OVERLAPS = ("share", "jaccard")
BLOCK = 2**16  # documents counted at a time; float32 counts exactly up to 2**24


def shared_documents(runs: Runs, depth: int) -> pd.DataFrame:
    """Count the documents that every two systems share among their first `depth`, over all topics.

    Shapes: the result (n_systems, n_systems).
    """
    check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    n_systems = len(ranked.systems)
    contributed, owners = contributed_items(ranked, np.arange(n_systems), n_systems, depth)
    shared = contributed[:, (owners < 0) & contributed.any(axis=0)]
    common = np.zeros((n_systems, n_systems), dtype=np.int64)
    for begin in range(0, shared.shape[1], BLOCK):
        has = shared[:, begin : begin + BLOCK].astype(np.float32)
        common += (has @ has.T).astype(np.int64)
    np.fill_diagonal(common, contributed.sum(axis=1))
    names = pd.Index(ranked.systems.astype("str"), name="system")
    return pd.DataFrame(common, index=names, columns=names.rename("other"))


def run_overlap(runs: Runs, depth: int, measure: str = "share") -> pd.DataFrame:
    """Measure the overlap of the first documents of every two systems, over all topics together.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    depth : int
        Number of ranks per topic, at least 1.
    measure : {"share", "jaccard"}
        "share" is the number of shared documents divided by the documents of the row's system. "jaccard" is the number
        of shared documents divided by the documents of either system; it is symmetric.

    Returns
    -------
    DataFrame of float64, shape (n_systems, n_systems)
        The overlap from 0 (disjoint) to 1 (the same documents); 1 on the diagonal.

    Raises
    ------
    ValueError
        If `depth` is not a positive whole number, or `measure` is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import run_overlap
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> run_overlap(runs, depth=2)
    other     s    t
    system
    s       1.0  0.5
    t       1.0  1.0
    """
    if measure not in OVERLAPS:
        raise ValueError(f"measure {measure!r} is unknown; choose from: {', '.join(OVERLAPS)}")
    common = shared_documents(runs, depth)
    sizes = np.diag(common)
    either = sizes[:, None] + sizes - common.to_numpy()
    shares = common.to_numpy() / (sizes[:, None] if measure == "share" else either)
    return pd.DataFrame(shares, index=common.index, columns=common.columns)


__all__ = ["contributions", "judged_at", "pool_size_summary", "pool_sizes", "run_overlap", "shared_documents"]
CUTOFFS = (5, 10, 20, 50, 100)


def judged_at(runs: Runs, gold: Input, k: int | Sequence[int] = CUTOFFS) -> pd.DataFrame:
    """Compute judged@k: the share of each run's first k documents that is judged.

    For one topic, judged@k = (judged documents among the first k) / min(k, retrieved documents), from 0 to 1. It is 0
    for a topic that the run lacks. A negative relevance means "not judged".

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    gold : table, path or dictionary
        Columns query_id, doc_id and relevance.
    k : int or sequence of int
        The cutoff or cutoffs, each at least 1.

    Returns
    -------
    DataFrame
        One row per system and k, with the columns

        - system (str), k (int64);
        - judged (float64): the mean of judged@k over all topics of the gold;
        - n_judged, n_documents (int64): judged documents and documents among the first k, over all topics;
        - n_topics (int64): the topics of the gold.

    Raises
    ------
    ValueError
        If `k` is empty or contains a value that is not a positive whole number; or if the gold is empty, lacks a
        column, has an id that is missing or a relevance that is not a finite number, or has a document twice.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import judged_at
    >>> runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    >>> judged_at(runs, gold, k=[1, 2])
      system  k  judged  n_judged  n_documents  n_topics
    0      s  1     1.0         1            1         1
    1      s  2     0.5         1            2         1
    """
    cutoffs = _checked_depths("k", k)
    ranked = prepare(runs, depth=max(cutoffs))
    gold_items = judged_items(ranked, gold)
    if not len(gold_items.query_ids):
        raise ValueError("the gold is empty; judged@k needs at least one topic")
    judged = gold_items.judged[ranked.items[:, gold_items.topics, : max(cutoffs)]]
    retrieved = ranked.retrieved[:, gold_items.topics]
    frames = [_judged_at_one(ranked.systems, judged, retrieved, cutoff) for cutoff in cutoffs]
    return pd.concat(frames).sort_values(["system", "k"], kind="stable", ignore_index=True)


def pool_sizes(runs: Runs, depths: int | Sequence[int] = CUTOFFS) -> pd.DataFrame:
    """Count the documents of depth pools by topic.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    depths : int or sequence of int
        The depth or depths, each at least 1.

    Returns
    -------
    DataFrame
        One row per topic and depth, with the columns

        - query_id (str), depth (int64);
        - size (int64): different documents in the pool;
        - n_contributed (int64): documents counted once per run, which would be the size if no two runs had a document
          in common;
        - n_systems (int64): systems that have the topic.

    Raises
    ------
    ValueError
        If `depths` is empty or contains a value that is not a positive whole number, or there is no run.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import pool_sizes
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> pool_sizes(runs, [1, 2])
      query_id  depth  size  n_contributed  n_systems
    0        1      1     2              2          2
    1        1      2     3              4          2
    """
    checked = _checked_depths("depth", depths)
    ranked = prepare(runs, depth=max(checked))
    ranks = best_ranks(ranked, max(checked))
    retrieved = ranked.retrieved[:, :-1]
    topics = ranked.topics_of_items
    columns = [
        {
            "query_id": ranked.query_ids,
            "depth": depth,
            "size": np.bincount(topics[(ranks > 0) & (ranks <= depth)], minlength=len(ranked.query_ids)),
            "n_contributed": np.minimum(retrieved, depth).sum(axis=0),
            "n_systems": (retrieved > 0).sum(axis=0),
        }
        for depth in checked
    ]
    frame = pd.concat([pd.DataFrame(one) for one in columns])
    return frame.astype({"query_id": "str"}).sort_values(["query_id", "depth"], kind="stable", ignore_index=True)


def pool_size_summary(sizes: pd.DataFrame) -> pd.DataFrame:
    """Summarise the result of `pool_sizes` over topics."""
    return (
        sizes.groupby("depth")
        .agg(
            total=("size", "sum"),
            mean=("size", "mean"),
            median=("size", "median"),
            smallest=("size", "min"),
            largest=("size", "max"),
            n_contributed=("n_contributed", "sum"),
            n_topics=("query_id", "size"),
        )
        .reset_index()
    )


def _judged_at_one(systems: pd.Index, judged: np.ndarray, retrieved: np.ndarray, cutoff: int) -> pd.DataFrame:
    n_judged, n_documents = judged[..., :cutoff].sum(axis=2), np.minimum(retrieved, cutoff)
    columns = {
        "system": systems.astype("str"),
        "k": cutoff,
        "judged": (n_judged / np.maximum(n_documents, 1)).mean(axis=1),
        "n_judged": n_judged.sum(axis=1),
        "n_documents": n_documents.sum(axis=1),
        "n_topics": retrieved.shape[1],
    }
    return pd.DataFrame(columns)


def _checked_depths(name: str, depths: int | Sequence[int]) -> list[int]:
    """The different depths, ascending; one number is a list of one."""
    depths = [depths] if isinstance(depths, int | float | str | np.number) else list(depths)
    if not depths:
        raise ValueError(f"{name} needs at least one positive whole number")
    for depth in depths:
        check_whole(name, depth)
    return sorted(set(depths))
