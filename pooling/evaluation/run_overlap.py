"""Overlap of runs: how many of their first documents they share.

The overlap of run A with run B is the share of A's first `depth` documents that are also among B's first `depth`, over
all topics together. It is not symmetric if the rankings differ in length. `measure="jaccard"` is symmetric: shared
documents divided by the documents of either run. Both are from 0 (disjoint) to 1 (the same documents in any order).
Runs with a high overlap add few documents to a pool.
"""

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import contributed_items
from pooling.ranking import Runs, check_whole, prepare

OVERLAPS = ("share", "jaccard")
BLOCK = 2**16  # documents counted at a time; float32 counts exactly up to 2**24


def shared_documents(runs: Runs, depth: int) -> pd.DataFrame:
    """Count the documents that every two systems share among their first `depth`, over all topics.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    depth : int
        Number of ranks per topic, at least 1.

    Returns
    -------
    DataFrame of int64, shape (n_systems, n_systems)
        Symmetric. The diagonal has the number of documents of each system.

    Raises
    ------
    ValueError
        If `depth` is not a positive whole number.
    """
    check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    n_systems = len(ranked.systems)
    contributed, owners = contributed_items(ranked, np.arange(n_systems), n_systems, depth)
    shared = contributed[:, (owners < 0) & contributed.any(axis=0)]
    common = np.zeros((n_systems, n_systems), dtype=np.int64)
    for begin in range(0, shared.shape[1], BLOCK):
        has = shared[:, begin : begin + BLOCK].astype(np.float32)
        common += (has @ has.T).astype(np.int64)
    np.fill_diagonal(common, contributed.sum(axis=1))
    names = pd.Index(ranked.systems.astype("str"), name="system")
    return pd.DataFrame(common, index=names, columns=names.rename("other"))


def run_overlap(runs: Runs, depth: int, measure: str = "share") -> pd.DataFrame:
    """Measure the overlap of the first documents of every two systems, over all topics together.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    depth : int
        Number of ranks per topic, at least 1.
    measure : {"share", "jaccard"}
        "share" is the number of shared documents divided by the documents of the row's system. "jaccard" is the number
        of shared documents divided by the documents of either system; it is symmetric.

    Returns
    -------
    DataFrame of float64, shape (n_systems, n_systems)
        The overlap from 0 (disjoint) to 1 (the same documents); 1 on the diagonal.

    Raises
    ------
    ValueError
        If `depth` is not a positive whole number, or `measure` is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import run_overlap
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> run_overlap(runs, depth=2)
    other     s    t
    system
    s       1.0  0.5
    t       1.0  1.0
    """
    if measure not in OVERLAPS:
        raise ValueError(f"measure {measure!r} is unknown; choose from: {', '.join(OVERLAPS)}")
    common = shared_documents(runs, depth)
    sizes = np.diag(common)
    either = sizes[:, None] + sizes - common.to_numpy()
    shares = common.to_numpy() / (sizes[:, None] if measure == "share" else either)
    return pd.DataFrame(shares, index=common.index, columns=common.columns)
