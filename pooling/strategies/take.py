"""Take: a budget over all topics, spent from the top of every run downwards.

Documents are taken by their best rank in any run, so that the pool is one of the greatest depth that fits and a part
of the next rank. In that rank, documents go by THE order, then by topic: it is settled, though not by merit.

A. Lipani, D. E. Losada, G. Zuccon and M. Lupu, Fixed-cost pooling strategies, IEEE TKDE 2019. Their software gives
each topic an equal part of the budget first; here topics on which the runs disagree get more.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, best_of_all, best_ranks, check_whole


def take(runs: RankedRuns, *, budget: int) -> Chosen:
    """The `budget` documents, over all topics, with the best ranks.

    Parameters
    ----------
    runs : RankedRuns
    budget : int
        At least 1; all documents are taken where there are fewer.
    """
    check_whole("budget", budget)
    ranks = best_ranks(runs)
    items = np.flatnonzero(ranks)
    priority = -ranks[items].astype(np.float64)
    best = best_of_all(runs, items, priority, budget)
    return Chosen(items[best], priority[best])
