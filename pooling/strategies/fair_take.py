"""Fair take: one budget over all topics, with the last rank given to the documents that most runs contribute.

Documents are selected by their best rank in any run. If the last rank does not fit completely, the documents that the
most runs have at that rank are selected first, so that as many runs as possible contribute to it. Remaining ties are
resolved by lot (`pooling.strategies.lots`).

A. Lipani, D. E. Losada, G. Zuccon and M. Lupu, Fixed-cost pooling strategies, IEEE TKDE 2019. The rule for the last
rank deviates: their software draws at random, whatever the number of runs.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.selection import Selection, best_of_all, best_ranks


def fair_take(runs: RankedRuns, *, budget: int, seed: int = DEFAULT_SEED) -> Selection:
    """Fair take: the `budget` documents with the best ranks, the last rank by number of runs (Lipani et al. 2019).

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
        The selected documents. The priority is m / (n_runs + 1) - best rank, where m is the number of runs that have
        the document at its best rank.

    Raises
    ------
    ValueError
        If `budget` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    check_whole("budget", budget)
    ranks = best_ranks(runs)
    items = np.flatnonzero(ranks)
    n_runs = _runs_at_best_rank(runs, ranks)[items]
    # The share of the runs is below 1, so it decides only between documents of the same rank.
    priority = n_runs / (len(runs.systems) + 1) - ranks[items]
    best = best_of_all(runs, items, priority, budget, seed)
    return Selection(items[best], priority[best])


def _runs_at_best_rank(runs: RankedRuns, ranks: np.ndarray) -> np.ndarray:
    """For each item the number of runs that have it at its best rank."""
    best = np.append(ranks, 0)
    counts = np.zeros(len(best), dtype=np.int64)
    all_ranks = np.arange(1, runs.items.shape[2] + 1)
    for ranking in runs.items:
        counts[ranking] += best[ranking] == all_ranks
    return counts[:-1]
