"""CombMED: the median of the scores of the runs that have a document (Fox and Shaw 1994).

Scores are brought to the range from 0 to 1 first: see `pooling.strategies.fusion.normalisation`, with its sources.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.fusion.normalisation import entries
from pooling.strategies.selection import Chosen, chosen_by_score


def combmed(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the largest median score over the runs that have them.

    Parameters
    ----------
    runs : RankedRuns
        Prepared with its scores.
    size : int
        Documents of each topic, at least 1.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out.
    """
    items, shares = entries(runs, depth)
    by_item = np.lexsort((shares, items))
    found, first, count = np.unique(items[by_item], return_index=True, return_counts=True)
    upper, lower = shares[by_item][first + count // 2], shares[by_item][first + (count - 1) // 2]
    medians = np.full(len(runs.keys), np.nan)
    medians[found] = (lower + upper) / 2
    return chosen_by_score(runs, medians, size, depth)
