"""Condorcet fusion: a document precedes another if more runs rank it above the other than below.

A run that has only one of two documents ranks it above the other. Majorities can be cyclic, so the order is defined as
in the source: by quicksort, which partitions the documents around a pivot by majority and then sorts each part. The
pivot is the first document in document order (doc_id descending), and so is the first of two documents with equal
votes.

M. Montague and J. A. Aslam, Condorcet fusion for improved retrieval, CIKM 2002, 538-548.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole, order
from pooling.strategies.selection import Selection

DEPTH = 100


def condorcet(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """Condorcet fusion: documents sorted by the majority of the runs (Montague and Aslam 2002).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. Deeper documents count as not retrieved. The default
        is the larger of 100 and `size`, so that each topic gives `size` documents or all that it has.

    Returns
    -------
    Selection
        The first `size` documents of each topic; the priority is minus the position in the order.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number.
    """
    check_whole("size", size)
    depth = max(DEPTH, size) if depth is None else depth
    check_whole("depth", depth)
    first = [_first_items(runs, topic, size, depth) for topic in range(len(runs.query_ids))]
    priorities = [-np.arange(1.0, len(items) + 1) for items in first]
    return Selection(np.concatenate(first), np.concatenate(priorities), depth)


def _first_items(runs: RankedRuns, topic: int, size: int, depth: int) -> np.ndarray:
    """The first `size` items of a topic."""
    rankings = runs.items[:, topic, :depth]
    items = np.unique(rankings)
    items = items[items < len(runs.keys)]
    zeros = np.zeros(len(items), dtype=np.int64)
    items = items[order(zeros, zeros.astype(np.float64), runs.doc_ids_of_items[items])]
    first = _sorted_by_majority(_ranks(rankings, items, len(runs.keys)), np.arange(len(items)), size)
    return np.asarray(items[first])


def _ranks(rankings: np.ndarray, items: np.ndarray, n_items: int) -> np.ndarray:
    """The rank of each item in each run, or one past the last rank if the run lacks it; shape (n, n_systems)."""
    position = np.full(n_items + 1, len(items))
    position[items] = np.arange(len(items))
    ranks = np.full((len(items) + 1, len(rankings)), rankings.shape[1], dtype=np.int32)
    system, rank = np.indices(rankings.shape)
    ranks[position[rankings], system] = rank
    return ranks[:-1]


def _sorted_by_majority(ranks: np.ndarray, candidates: np.ndarray, size: int) -> list[int]:
    """The first `size` candidates by majority: quicksort, stopped as soon as they are known."""
    done: list[int] = []
    waiting = [candidates]
    while waiting and len(done) < size:
        part = waiting.pop()
        if len(part) <= 1:
            done += part.tolist()
            continue
        pivot, others = part[0], part[1:]
        votes = np.sign(ranks[pivot] - ranks[others]).sum(axis=1)  # positive: more runs rank the other above
        waiting += [others[votes <= 0], part[:1], others[votes > 0]]
    return done[:size]
