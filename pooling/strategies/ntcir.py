"""NTCIR's order: a depth pool, in which the documents that most runs retrieve are judged first.

The pool is that of depth-k pooling. Its documents are sorted by the number of runs that have the document in their
first k ranks, descending; then by the sum of its ranks in these runs, ascending. This is the order of the script
NTCIRPOOL. Documents that are tied in both are ordered by lot (`pooling.strategies.lots`); that rule is ours.

T. Sakai, S. Tao and Z. Zeng, Relevance assessments for web search evaluation: should we randomise or prioritise the
pooled documents?, ACM TOIS 40(4), 2022, doi:10.1145/3494833 (their strategy PRI).
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.selection import Selection, summed_weights


def ntcir(runs: RankedRuns, *, depth: int) -> Selection:
    """NTCIR's order: the first `depth` documents of each run, by number of runs, then sum of ranks (Sakai et al. 2022).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    depth : int
        Number of documents per run and topic, at least 1.

    Returns
    -------
    Selection
        The union over runs. The priority of a document is n - s / (depth * n_systems + 1), where n runs have the
        document in their first `depth` ranks and s is the sum of its ranks in them.

    Raises
    ------
    ValueError
        If `depth` is not a positive whole number.
    """
    check_whole("depth", depth)
    depth_used = min(depth, runs.items.shape[2])
    n_runs = summed_weights(runs, np.ones(depth_used))
    sums = summed_weights(runs, np.arange(1.0, depth_used + 1))
    items = np.flatnonzero(~np.isnan(n_runs))
    # What is subtracted is below 1, so it decides only between documents of equally many runs.
    return Selection(items, n_runs[items] - sums[items] / (depth_used * len(runs.systems) + 1), depth)
