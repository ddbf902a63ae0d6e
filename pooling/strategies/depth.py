"""Depth-k pooling: the first k documents of every run for every topic.

K. Sparck Jones and C. J. van Rijsbergen, Report on the need for and provision of an "ideal" information
retrieval test collection, British Library Research and Development Report 5266, 1975.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.selection import Selection, best_ranks


def depth(runs: RankedRuns, *, depth: int) -> Selection:
    """Depth-k pooling: the first `depth` documents of each topic in each run (Sparck Jones and van Rijsbergen 1975).

    Tied scores at the last rank are resolved by the document order, so each run contributes exactly `depth` documents
    to a topic, or all that it has.

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    depth : int
        Number of documents per run and topic, at least 1.

    Returns
    -------
    Selection
        The union over runs; the priority of a document is minus its best rank.

    Raises
    ------
    ValueError
        If `depth` is not a positive whole number.
    """
    check_whole("depth", depth)
    ranks = best_ranks(runs, depth)
    items = np.flatnonzero(ranks)
    return Selection(items, -ranks[items].astype(np.float64), depth)
