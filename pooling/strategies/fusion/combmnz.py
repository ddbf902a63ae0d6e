"""CombMNZ: the sum of the scores that the runs give to a document, times the number of these runs.

Scores are brought to the range from 0 to 1 first: see `pooling.strategies.fusion.normalisation`, with its sources.
"""

from pooling.ranking import RankedRuns
from pooling.strategies.fusion.normalisation import sums_and_counts
from pooling.strategies.selection import Chosen, chosen_by_score


def combmnz(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the largest sum of scores times number of runs.

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
    return chosen_by_score(runs, sums * counts, size, depth)
