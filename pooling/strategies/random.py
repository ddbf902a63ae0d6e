"""Random: documents of each topic, all equally probable.

The baseline of every comparison, and the sample that needs no weights.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.sampling import sampled
from pooling.strategies.selection import Chosen, best_ranks, check_whole


def random(runs: RankedRuns, *, size: int, seed: int, depth: int | None = None) -> Chosen:
    """`size` documents of each topic, drawn without replacement.

    Parameters
    ----------
    runs : RankedRuns
    size : int
        Documents of each topic, at least 1; all where there are fewer.
    seed : int
        The source of chance. Each topic draws for itself: other topics do not change its documents.
    depth : int, optional
        Ranks of each run that are drawn from; all where it is left out.
    """
    check_whole("size", size)
    if depth is not None:
        check_whole("depth", depth)
    items = np.flatnonzero(best_ranks(runs, depth))
    topics = runs.topics_of_items[items]
    counts = np.minimum(np.bincount(topics, minlength=len(runs.query_ids)), size)
    drawn, priority, probability = sampled(runs, items, topics, counts, seed)
    return Chosen(drawn, priority, depth, np.full(len(drawn), "random", dtype=object), probability)
