"""Fair take: a budget over all topics, as `take`, where the last rank goes to what most runs bring.

Where a whole rank does not fit any more, the documents that the largest number of runs have at that rank are taken
first, so that as many runs as possible get theirs. What is tied is settled by THE order, then by topic.

A. Lipani, D. E. Losada, G. Zuccon and M. Lupu, Fixed-cost pooling strategies, IEEE TKDE 2019. The rule for the last
rank is ours: their software settles it by lot.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, best_of_all, best_ranks, check_whole


def fair_take(runs: RankedRuns, *, budget: int) -> Chosen:
    """The `budget` documents, over all topics, with the best ranks, the last rank shared out fairly.

    Parameters
    ----------
    runs : RankedRuns
    budget : int
        At least 1; all documents are taken where there are fewer.
    """
    check_whole("budget", budget)
    ranks = best_ranks(runs)
    items = np.flatnonzero(ranks)
    bringers = _runs_at(runs, ranks)[items]
    priority = bringers / (len(runs.systems) + 1) - ranks[items]
    best = best_of_all(runs, items, priority, budget)
    return Chosen(items[best], priority[best])


def _runs_at(runs: RankedRuns, ranks: np.ndarray) -> np.ndarray:
    """For each item the number of runs that have it at its best rank."""
    best = np.append(ranks, 0)
    counts = np.zeros(len(best), dtype=np.int64)
    places = np.arange(1, runs.items.shape[2] + 1)
    for ranking in runs.items:
        counts[ranking] += best[ranking] == places
    return counts[:-1]
