"""Condorcet fusion: a document stands before another where more runs rank it above than below.

A run that has only one of two documents ranks it above the other. Majorities may go round in a circle, so the order
is made as its authors make it, by quicksort: the documents before and after one of them, then each part alone. The
one is the first by THE order of equal scores, and so is the first of two documents with as many votes each.

M. Montague and J. A. Aslam, Condorcet fusion for improved retrieval, CIKM 2002, 538-548.
"""

import numpy as np

from pooling.ranking import RankedRuns, order
from pooling.strategies.selection import Chosen, check_whole

DEPTH = 100


def condorcet(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` first documents of each topic.

    Parameters
    ----------
    runs : RankedRuns
    size : int
        Documents of each topic, at least 1.
    depth : int, optional
        Ranks of each run that are looked at; 100, or `size` where that is more, where it is left out, so that there
        are `size` documents of a topic or all of them. A document below votes as one that the run lacks.

    Notes
    -----
    Priority is minus the place in the order.
    """
    check_whole("size", size)
    depth = max(DEPTH, size) if depth is None else depth
    check_whole("depth", depth)
    first = [_first(runs, topic, size, depth) for topic in range(len(runs.query_ids))]
    places = [-np.arange(1.0, len(items) + 1) for items in first]
    return Chosen(np.concatenate(first), np.concatenate(places), depth)


def _first(runs: RankedRuns, topic: int, size: int, depth: int) -> np.ndarray:
    """The `size` first items of a topic."""
    rankings = runs.items[:, topic, :depth]
    items = np.unique(rankings)
    items = items[items < len(runs.keys)]
    zeros = np.zeros(len(items), dtype=np.int64)
    items = items[order(zeros, zeros.astype(np.float64), runs.doc_ids_of_items[items])]
    return items[_sorted(_ranks(rankings, items, len(runs.keys)), np.arange(len(items)), size)]


def _ranks(rankings: np.ndarray, items: np.ndarray, n_items: int) -> np.ndarray:
    """The rank of each item in each run, behind the last where the run lacks it; shape (n, n_systems)."""
    place = np.full(n_items + 1, len(items))
    place[items] = np.arange(len(items))
    ranks = np.full((len(items) + 1, len(rankings)), rankings.shape[1], dtype=np.int32)
    system, rank = np.indices(rankings.shape)
    ranks[place[rankings], system] = rank
    return ranks[:-1]


def _sorted(ranks: np.ndarray, candidates: np.ndarray, size: int) -> list[int]:
    """The `size` first candidates by majority: quicksort, as far as it is needed."""
    done, waiting = [], [candidates]
    while waiting and len(done) < size:
        part = waiting.pop()
        if len(part) <= 1:
            done += part.tolist()
            continue
        pivot, others = part[0], part[1:]
        votes = np.sign(ranks[pivot] - ranks[others]).sum(axis=1)  # positive: the other is above in more runs
        waiting += [others[votes <= 0], part[:1], others[votes > 0]]
    return done[:size]
