"""Borda count: each run gives points to the documents of a topic by their rank.

If all runs together have n documents for a topic, a run gives n points to its first document, n - 1 to its second, and
so on. It divides its remaining points equally among the documents that it does not have:

    score(d) = sum over runs with d of (n - rank + 1) + sum over the other runs, of length r, of (n - r + 1) / 2

J. A. Aslam and M. Montague, Models for metasearch, SIGIR 2001, 276-284.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.selection import Selection, best_ranks, considered_ranks, select_by_score


def borda(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """Borda count: n - rank + 1 points from each run, its remaining points shared equally (Aslam and Montague 2001).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. Deeper documents count as not retrieved. By default
        all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the most points; the points are the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    ranks = considered_ranks(runs, depth)
    is_candidate = best_ranks(runs, len(ranks)) > 0
    topics = runs.topics_of_items
    # The additional last topic is the empty one.
    candidates = np.bincount(topics[is_candidate], minlength=len(runs.query_ids) + 1).astype(np.float64)
    points = np.zeros(len(runs.keys) + 1)
    shared = np.zeros(len(candidates))
    for ranking, retrieved in zip(runs.items[..., : len(ranks)], runs.retrieved, strict=True):
        remaining = (candidates - np.minimum(retrieved, len(ranks)) + 1) / 2
        shared += remaining
        points[ranking] += candidates[:, None] - ranks + 1 - remaining[:, None]
    return select_by_score(runs, np.where(is_candidate, points[:-1] + shared[topics], np.nan), size, depth, seed)
