"""Reciprocal rank fusion: score(d) = sum over runs of 1 / (k + rank of d in the run).

G. V. Cormack, C. L. A. Clarke and S. Buettcher, Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods, SIGIR 2009, 758-759. They use k = 60.
"""

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.selection import Selection, considered_ranks, select_by_score, summed_weights


def rrf(runs: RankedRuns, *, size: int, k: int = 60, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """Reciprocal rank fusion: the sum over runs of 1 / (k + rank) (Cormack, Clarke and Buettcher 2009).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    k : int
        Smoothing constant, at least 0. The larger it is, the less the first ranks dominate.
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
        If `size` or `depth` is not a positive whole number, or `k` or `seed` is not a whole number from 0.
    """
    check_whole("k", k, least=0)
    return select_by_score(runs, summed_weights(runs, 1 / (k + considered_ranks(runs, depth))), size, depth, seed)
