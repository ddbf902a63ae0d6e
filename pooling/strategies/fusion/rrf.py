"""Reciprocal rank fusion: the sum over runs of 1 / (k + rank).

G. V. Cormack, C. L. A. Clarke and S. Buettcher, Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods, SIGIR 2009, 758-759. Their k is 60.
"""

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, check_whole, chosen_by_score, rank_weights, summed


def rrf(runs: RankedRuns, *, size: int, k: int = 60, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the largest sum of reciprocal ranks.

    Parameters
    ----------
    runs : RankedRuns
    size : int
        Documents of each topic, at least 1.
    k : int
        From 0; the larger, the less the top counts.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out.
    """
    check_whole("k", k, least=0)
    return chosen_by_score(runs, summed(runs, 1 / (k + rank_weights(runs, depth))), size, depth)
