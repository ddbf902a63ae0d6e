"""Overlap of runs: how alike their first documents are.

Of the documents that run A has among the first `depth`, the share that run B has there too, over all topics together.
It is not symmetric where rankings differ in length; `measure="jaccard"` is: common over either. From 0 (disjoint) to 1
(the same documents, in whatever order). A pool of runs that are much alike is a pool of few.
"""

import numpy as np
import pandas as pd

from pooling.evaluation.contributions import brought_by
from pooling.evaluation.judged_items import Runs
from pooling.ranking import check_whole, prepare

OVERLAPS = ("share", "jaccard")
BLOCK = 2**16  # documents that are counted at a time; float32 counts them without loss up to 2**24


def shared_documents(runs: Runs, depth: int) -> pd.DataFrame:
    """How many documents every two systems have in common among their first `depth`, over all topics.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
    depth : int

    Returns
    -------
    DataFrame of int64, shape (n_systems, n_systems)
        Symmetric; on the diagonal the documents that the system brings.
    """
    check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    n_systems = len(ranked.systems)
    brought, owners = brought_by(ranked, np.arange(n_systems), n_systems, depth)
    shared = brought[:, (owners < 0) & brought.any(axis=0)]
    common = np.zeros((n_systems, n_systems), dtype=np.int64)
    for begin in range(0, shared.shape[1], BLOCK):
        has = shared[:, begin : begin + BLOCK].astype(np.float32)
        common += (has @ has.T).astype(np.int64)
    np.fill_diagonal(common, brought.sum(axis=1))
    names = pd.Index(ranked.systems.astype("str"), name="system")
    return pd.DataFrame(common, index=names, columns=names.rename("other"))


def run_overlap(runs: Runs, depth: int, measure: str = "share") -> pd.DataFrame:
    """How alike the first documents of the systems are.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
    depth : int
    measure : {"share", "jaccard"}
        "share": of the documents of the row's system those that the column's has too. "jaccard": of the documents
        of either those of both; symmetric.

    Returns
    -------
    DataFrame of float64, shape (n_systems, n_systems)
        0 to 1, over all topics together, 1 on the diagonal. What it rests on is in `shared_documents`.

    Raises
    ------
    ValueError
        `depth` is no positive whole number, or the measure is unknown.
    """
    if measure not in OVERLAPS:
        raise ValueError(f"overlap {measure!r} is unknown; there are: {', '.join(OVERLAPS)}")
    common = shared_documents(runs, depth)
    sizes = np.diag(common)
    either = sizes[:, None] + sizes - common.to_numpy()
    return common / (sizes[:, None] if measure == "share" else either)
