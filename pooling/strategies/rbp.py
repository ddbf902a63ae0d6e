"""RBP pooling: score(d) = sum over runs of (1 - p) p^(rank of d in the run - 1).

The score is the sum of the weights with which the document can contribute to each run's rank-biased precision.

A. Moffat, W. Webber and J. Zobel, Strategic system comparisons via targeted relevance judgments, SIGIR 2007, 375-382
(their method A); A. Moffat and J. Zobel, Rank-biased precision, ACM TOIS 27(1), 2008.
"""

from pooling.ranking import RankedRuns
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.selection import Selection, considered_ranks, is_number, select_by_score, summed_weights


def rbp(
    runs: RankedRuns, *, size: int, p: float = 0.8, depth: int | None = None, seed: int = DEFAULT_SEED
) -> Selection:
    """RBP pooling: the sum over runs of (1 - p) p^(rank - 1) (Moffat, Webber and Zobel 2007, method A).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    p : float
        Persistence, 0 < p < 1. The larger it is, the more the deeper ranks count.
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
        If `size` or `depth` is not a positive whole number, `p` is not between 0 and 1, or `seed` is
        not a whole number from 0.

    Notes
    -----
    Weights below 1e-300 underflow to 0, so documents that occur only at such depths are tied.
    """
    if not (is_number(p) and 0 < p < 1):
        raise ValueError(f"p must be a number between 0 and 1, both excluded, not {p!r}")
    weights = (1 - p) * p ** (considered_ranks(runs, depth) - 1)
    return select_by_score(runs, summed_weights(runs, weights), size, depth, seed)
