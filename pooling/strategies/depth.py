"""Depth-k pooling: of every run and topic, the k best documents.

K. Sparck Jones and C. J. van Rijsbergen, Report on the need for and provision of an "ideal" information
retrieval test collection, British Library Research and Development Report 5266, 1975.
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.selection import Chosen, best_ranks, check_whole


def depth(runs: RankedRuns, *, depth: int) -> Chosen:
    """The `depth` best documents of each topic in each run.

    Documents with the same score at the edge are settled by the one document order, so each run brings
    exactly `depth` documents to a topic, or all that it has. A document's priority is its best rank.

    Parameters
    ----------
    runs : RankedRuns
    depth : int
        At least 1.

    Raises
    ------
    ValueError
        `depth` is no positive whole number.
    """
    check_whole("depth", depth)
    ranks = best_ranks(runs, depth)
    items = np.flatnonzero(ranks)
    return Chosen(items, -ranks[items].astype(np.float64), depth)
