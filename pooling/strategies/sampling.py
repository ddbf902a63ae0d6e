"""Random samples without replacement that depend only on seed, topic and document."""

import numpy as np

from pooling.ranking import RankedRuns, check_whole, order, places
from pooling.strategies.lots import random_numbers


def sampled(
    runs: RankedRuns, items: np.ndarray, groups: np.ndarray, counts: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a simple random sample from each group.

    Every document has a random number of its own, so adding runs does not change the numbers of other documents.

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    items : ndarray of int, shape (n,)
        Positions in `RankedRuns.keys`.
    groups : ndarray of int, shape (n,)
        The group of each item, from 0. All items of a group belong to one topic.
    counts : ndarray of int, shape (n_groups,)
        Number of items to draw from each group, at most its size.
    seed : int
        Seed of the random numbers, from 0.

    Returns
    -------
    items, numbers, probabilities : ndarray
        The drawn items, their random numbers in [0, 1) (the largest numbers are drawn), and the probability with
        which each was drawn.
    """
    check_whole("seed", seed, least=0)
    numbers = random_numbers(seed, runs.query_ids[runs.topics_of_items[items]], runs.doc_ids_of_items[items])
    rows = order(groups, numbers, runs.doc_ids_of_items[items])
    drawn = rows[places(groups[rows]) <= counts[groups[rows]]]
    sizes = np.bincount(groups, minlength=len(counts))
    return items[drawn], numbers[drawn], (counts / np.maximum(sizes, 1))[groups[drawn]]
