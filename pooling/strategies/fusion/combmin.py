"""CombMIN: the least score that a run that has the document gives to it (Fox and Shaw 1994).

Scores are brought to the range from 0 to 1 first: see `pooling.strategies.fusion.normalisation`, with its sources.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.fusion.normalisation import normalised
from pooling.strategies.selection import Chosen, chosen_by_score


def combmin(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic whose least score, over the runs that have them, is largest.

    Parameters
    ----------
    runs : RankedRuns
        Prepared with its scores.
    size : int
        Documents of each topic, at least 1.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out.
    """
    least = np.full(len(runs.keys), np.nan)
    for items, shares in normalised(runs, depth):
        least[items] = np.fmin(least[items], shares)
    return chosen_by_score(runs, least, size, depth)
