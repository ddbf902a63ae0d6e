"""Condorcet fusion: a document precedes another if more runs rank it above the other than below.

A run that has only one of two documents ranks it above the other. Majorities can be cyclic, so the order is defined as
in the source: by quicksort, which partitions the documents around a pivot by majority and then sorts each part. The
pivot is the document with the largest lot (`pooling.strategies.lots`), and of two documents with equal votes, so is the
first.

M. Montague and J. A. Aslam, Condorcet fusion for improved retrieval, CIKM 2002, 538-548.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.lots import DEFAULT_SEED, lots
from pooling.strategies.selection import Selection

DEPTH = 100


def condorcet(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
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
    seed : int
        Seed of the lots that choose the pivots and so decide between documents with equal votes, from 0.

    Returns
    -------
    Selection
        The first `size` documents of each topic; the priority is minus the position in the order.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    check_whole("size", size)
    depth = max(DEPTH, size) if depth is None else depth
    check_whole("depth", depth)
    check_whole("seed", seed, least=0)
    first = [_first_items(runs, topic, size, depth, seed) for topic in range(len(runs.query_ids))]
    priorities = [-np.arange(1.0, len(items) + 1) for items in first]
    return Selection(np.concatenate(first), np.concatenate(priorities), depth)


def _first_items(runs: RankedRuns, topic: int, size: int, depth: int, seed: int) -> np.ndarray:
    """The first `size` items of a topic."""
    rankings = runs.items[:, topic, :depth]
    items = np.unique(rankings)
    items = items[items < len(runs.keys)]
    doc_ids = runs.doc_ids_of_items[items]
    items = items[np.argsort(-lots(seed, [runs.query_ids[topic]] * len(items), doc_ids), kind="stable")]
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
        # The part that comes first in the result is last here, where the next part is taken from.
        waiting += [others[votes <= 0], part[:1], others[votes > 0]]
    return done[:size]
