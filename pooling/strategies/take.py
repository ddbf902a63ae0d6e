"""Take: spend one budget over all topics, from the top of every run downwards.

Documents are selected by their best rank in any run. The pool is the deepest depth pool that fits the budget, plus a
part of the next rank. Within that rank the order is the document order, then the topic.

A. Lipani, D. E. Losada, G. Zuccon and M. Lupu, Fixed-cost pooling strategies, IEEE TKDE 2019. Their software first
gives each topic an equal part of the budget; here topics on which the runs disagree get more.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.selection import Selection, best_of_all, best_ranks


def take(runs: RankedRuns, *, budget: int) -> Selection:
    """Take: the `budget` documents with the best ranks over all topics (Lipani et al. 2019).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    budget : int
        Number of documents over all topics, at least 1. If there are fewer, all are selected.

    Returns
    -------
    Selection
        The selected documents; the priority is minus the best rank.

    Raises
    ------
    ValueError
        If `budget` is not a positive whole number.
    """
    check_whole("budget", budget)
    ranks = best_ranks(runs)
    items = np.flatnonzero(ranks)
    priority = -ranks[items].astype(np.float64)
    best = best_of_all(runs, items, priority, budget)
    return Selection(items[best], priority[best])
