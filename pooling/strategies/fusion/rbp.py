"""RBP pooling: the sum over runs of (1 - p) p^(rank - 1), what the document could add to each run's RBP.

A. Moffat, W. Webber and J. Zobel, Strategic system comparisons via targeted relevance judgments, SIGIR 2007, 375-382
(their method A); A. Moffat and J. Zobel, Rank-biased precision, ACM TOIS 27(1), 2008.
"""

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, chosen_by_score, is_number, rank_weights, summed


def rbp(runs: RankedRuns, *, size: int, p: float = 0.8, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the largest sum of RBP weights.

    Parameters
    ----------
    runs : RankedRuns
    size : int
        Documents of each topic, at least 1.
    p : float
        Persistence, 0 < p < 1.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out.

    Notes
    -----
    A weight below 1e-300 is as good as none: documents that only stand so deep are tied.
    """
    if not (is_number(p) and 0 < p < 1):
        raise ValueError(f"p {p!r} is not allowed; the persistence is between 0 and 1")
    return chosen_by_score(runs, summed(runs, (1 - p) * p ** (rank_weights(runs, depth) - 1)), size, depth)
