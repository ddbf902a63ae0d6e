"""Borda count: each run gives the documents of its topic points by their rank.

Of a topic with n documents in all runs together, a run gives n points to its first, n - 1 to its second, and so on;
the points that are left it shares equally among the documents that it does not have.

J. A. Aslam and M. Montague, Models for metasearch, SIGIR 2001, 276-284.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, best_ranks, chosen_by_score, rank_weights


def borda(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the most points.

    Parameters
    ----------
    runs : RankedRuns
    size : int
        Documents of each topic, at least 1.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out. Documents below count as not retrieved.
    """
    ranks = rank_weights(runs, depth)
    there = best_ranks(runs, len(ranks)) > 0
    topics = runs.topics_of_items
    # the last topic is the empty one
    candidates = np.bincount(topics[there], minlength=len(runs.query_ids) + 1).astype(np.float64)
    points = np.zeros(len(runs.keys) + 1)
    shared = np.zeros(len(candidates))
    for ranking, retrieved in zip(runs.items[..., : len(ranks)], runs.retrieved, strict=True):
        left = (candidates - np.minimum(retrieved, len(ranks)) + 1) / 2
        shared += left
        points[ranking] += candidates[:, None] - ranks + 1 - left[:, None]
    return chosen_by_score(runs, np.where(there, points[:-1] + shared[topics], np.nan), size, depth)
