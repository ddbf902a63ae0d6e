"""Take: spend one budget over all topics, from the top of every run downwards.

Documents are selected by their best rank in any run. The pool is the deepest depth pool that fits the budget, plus a
part of the next rank. Which documents of that rank are selected is decided by lot (`pooling.strategies.lots`).

A. Lipani, D. E. Losada, G. Zuccon and M. Lupu, Fixed-cost pooling strategies, IEEE TKDE 2019. Their software first
gives each topic an equal part of the budget; here topics on which the runs disagree get more.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.selection import Selection, best_of_all, best_ranks


def take(runs: RankedRuns, *, budget: int, seed: int = DEFAULT_SEED) -> Selection:
    """Take: the `budget` documents with the best ranks over all topics (Lipani et al. 2019).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    budget : int
        Number of documents over all topics, at least 1. If there are fewer, all are selected.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The selected documents; the priority is minus the best rank.

    Raises
    ------
    ValueError
        If `budget` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    check_whole("budget", budget)
    ranks = best_ranks(runs)
    items = np.flatnonzero(ranks)
    priority = -ranks[items].astype(np.float64)
    best = best_of_all(runs, items, priority, budget, seed)
    return Selection(items[best], priority[best])
