"""DCG: the sum over runs of 1 / log2(rank + 1), what the document could add to each run's discounted gain.

A. Lipani, J. Palotti, M. Lupu, F. Piroi, G. Zuccon and A. Hanbury, Fixed-cost pooling strategies based on IR
evaluation measures, ECIR 2017, 357-368; the discount is of K. Järvelin and J. Kekäläinen, ACM TOIS 20(4), 2002.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, chosen_by_score, rank_weights, summed


def dcg(runs: RankedRuns, *, size: int, depth: int | None = None) -> Chosen:
    """The `size` documents of each topic with the largest sum of discounts.

    Parameters
    ----------
    runs : RankedRuns
    size : int
        Documents of each topic, at least 1.
    depth : int, optional
        Ranks of each run that are looked at; all where it is left out.
    """
    return chosen_by_score(runs, summed(runs, 1 / np.log2(rank_weights(runs, depth) + 1)), size, depth)
