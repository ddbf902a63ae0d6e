"""DCG pooling: score(d) = sum over runs of 1 / log2(rank of d in the run + 1).

The score is the sum of the discounts with which the document can contribute to each run's discounted cumulative gain.

A. Lipani, J. Palotti, M. Lupu, F. Piroi, G. Zuccon and A. Hanbury, Fixed-cost pooling strategies based on IR
evaluation measures, ECIR 2017, 357-368; K. Järvelin and J. Kekäläinen, ACM TOIS 20(4), 2002 (the discount).
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.selection import Selection, considered_ranks, select_by_score, summed_weights


def dcg(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """DCG pooling: the sum over runs of 1 / log2(rank + 1) (Lipani et al. 2017).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest sums; the sum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    weights = 1 / np.log2(considered_ranks(runs, depth) + 1)
    return select_by_score(runs, summed_weights(runs, weights), size, depth, seed)
