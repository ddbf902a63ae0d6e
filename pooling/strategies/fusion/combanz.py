"""CombANZ: the mean of the scores of the runs that have a document (Fox and Shaw 1994).

Scores are brought to the range from 0 to 1 first: see `pooling.strategies.fusion.normalisation`, with its sources.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.fusion.normalisation import sums_and_counts
from pooling.strategies.selection import Chosen, chosen_by_score


def combanz(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the largest mean score over the runs that have them.

    Parameters
    ----------
    runs : RankedRuns
        Prepared with its scores.
    size : int
        Documents of each topic, at least 1.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out.
    """
    sums, counts = sums_and_counts(runs, depth)
    return chosen_by_score(runs, sums / np.maximum(counts, 1), size, depth)
