"""THE order of documents: score descending, ties by doc_id descending as UTF-8 bytes.

This is trec_eval's order. The rank column of a run file has no say. No other sort by score exists in Assay.
Scores are finite float64; 0.0 and -0.0 are the same score. UTF-8 sorts as code points do, so Python, numpy
and Arrow strings all compare in byte order.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def order(groups: np.ndarray, scores: np.ndarray, doc_ids: pd.Series | np.ndarray) -> np.ndarray:
    """Where each document goes, in THE order within each group.

    Parameters
    ----------
    groups : array of int, shape (n,)
        What is ranked together, such as a code for each pair of system and topic.
    scores : array of float, shape (n,)
        Finite.
    doc_ids : array or Series of str, shape (n,)
        Compared only where scores are tied.

    Returns
    -------
    array of int64, shape (n,)
        Positions: ``doc_ids[order]`` is sorted by group ascending, then ranked.
    """
    by_score = np.lexsort((-scores, groups))
    same_as_next = _equal_neighbours(groups[by_score]) & _equal_neighbours(scores[by_score])
    begins_anew = np.concatenate(([True], ~same_as_next))[: len(by_score)]
    tied = ~begins_anew
    tied[:-1] |= same_as_next
    rows = by_score[tied]
    tie = np.cumsum(begins_anew)[tied]
    by_score[tied] = rows[np.lexsort((-_byte_positions(doc_ids, rows), tie))]
    return by_score


def ranked(run: pd.DataFrame) -> pd.DataFrame:
    """The lines of one run or several, ranked.

    Parameters
    ----------
    run : DataFrame
        system, query_id, doc_id, score; more columns travel along.

    Returns
    -------
    DataFrame
        The same rows, sorted by system and query_id (both as bytes), then in THE order, with a new
        column `rank` (int64, from 1 in each topic of a system).
    """
    groups = byte_codes(run["system"]) * run["query_id"].nunique() + byte_codes(run["query_id"])
    rows = order(groups, run["score"].to_numpy(), run["doc_id"])
    return run.iloc[rows].assign(rank=_places(groups[rows])).reset_index(drop=True)


def byte_codes(values: pd.Series) -> np.ndarray:
    """For each string the position of its value among the distinct values in byte order (int64)."""
    codes, distinct = pd.factorize(values)
    position = np.empty(len(distinct), np.int64)
    position[np.argsort(np.asarray(distinct, dtype=object))] = np.arange(len(distinct))
    return position[codes]


def _equal_neighbours(values: np.ndarray) -> np.ndarray:
    return values[1:] == values[:-1]


def _byte_positions(doc_ids: pd.Series | np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Integers that order the documents of `rows` as their bytes do."""
    names = pa.array(doc_ids.take(rows)).cast(pa.large_string())
    return pc.rank(names, tiebreaker="dense").to_numpy().astype(np.int64)


def _places(groups: np.ndarray) -> np.ndarray:
    """1, 2, 3, ... within each stretch of equal values."""
    starts = np.flatnonzero(np.concatenate(([True], ~_equal_neighbours(groups)))[: len(groups)])
    lengths = np.diff(starts, append=len(groups))
    return np.arange(len(groups)) - np.repeat(starts, lengths) + 1
