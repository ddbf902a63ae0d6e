"""Random pooling: a simple random sample of the documents of each topic.

All documents of a topic have the same inclusion probability, size / (documents of the topic). The strategy is the
baseline for comparisons, and gives a sample that needs no weights.

W. G. Cochran, Sampling Techniques, 3rd edition, Wiley, 1977, chapter 2 (simple random sampling).
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.sampling import sampled
from pooling.strategies.selection import Selection, best_ranks


def random(runs: RankedRuns, *, size: int, seed: int, depth: int | None = None) -> Selection:
    """Random pooling: `size` documents of each topic, drawn without replacement with equal probability.

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to draw per topic, at least 1. A topic with fewer documents gives all of them.
    seed : int
        Seed of the random numbers, from 0. The sample of a topic does not depend on the other topics.
    depth : int, optional
        Draw only from the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The drawn documents with stratum "random" and their inclusion probability; the priority is random.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    check_whole("size", size)
    if depth is not None:
        check_whole("depth", depth)
    items = np.flatnonzero(best_ranks(runs, depth))
    topics = runs.topics_of_items[items]
    counts = np.minimum(np.bincount(topics, minlength=len(runs.query_ids)), size)
    drawn, priority, probability = sampled(runs, items, topics, counts, seed)
    return Selection(drawn, priority, depth, np.full(len(drawn), "random", dtype=object), probability)
