"""Depth-k pooling: of every run and topic, the k best documents.

K. Sparck Jones and C. J. van Rijsbergen, Report on the need for and provision of an "ideal" information
retrieval test collection, British Library Research and Development Report 5266, 1975.
"""

from collections.abc import Iterable

import pandas as pd

from pooling.ranking import ranked

COLUMNS = ["system", "query_id", "doc_id", "rank"]


def depth(runs: Iterable[pd.DataFrame], *, depth: int) -> pd.DataFrame:
    """The `depth` best documents of each topic in each run.

    Documents with the same score at the edge are settled by the one document order, so each run brings
    exactly `depth` documents to a topic, or all that it has. One frame at a time is in memory.

    Parameters
    ----------
    runs : iterable of DataFrame
        system, query_id, doc_id, score; one system or several in a frame.
    depth : int
        At least 1.

    Returns
    -------
    DataFrame
        system, query_id, doc_id, rank (int64, 1 to `depth`).

    Raises
    ------
    ValueError
        `depth` is no positive whole number.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ValueError(f"depth {depth!r} is not allowed; a depth is a whole number from 1")
    return pd.concat([_best(run, depth) for run in runs], ignore_index=True)


def _best(run: pd.DataFrame, depth: int) -> pd.DataFrame:
    ranking = ranked(run)[COLUMNS]
    return ranking[ranking["rank"] <= depth]
