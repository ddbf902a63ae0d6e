"""The sort by score, and numbers for groups of rows; public in `pooling.ranking`."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

Strings = pd.Series | pd.Index | np.ndarray | pa.Array


def order(groups: np.ndarray, scores: np.ndarray, doc_ids: Strings) -> np.ndarray:
    """Where each document goes, in THE order within each group.

    Parameters
    ----------
    groups : array of int, shape (n,)
        What is ranked together, such as a code for each pair of system and topic.
    scores : array of float, shape (n,)
        Finite.
    doc_ids : array (of numpy or Arrow), Series or Index of str, shape (n,)
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
    by_score[tied] = rows[np.lexsort((-_byte_positions(doc_ids.take(rows)), tie))]
    return by_score


def ranks_in_groups(groups: np.ndarray, scores: np.ndarray, doc_ids: Strings) -> np.ndarray:
    """Rank of each row in its group, from 1 (int64), in THE order; what stands in order already is not sorted."""
    same_group = _equal_neighbours(groups)
    if not ((groups[1:] > groups[:-1]) | (same_group & (scores[1:] <= scores[:-1]))).all():
        rank = np.empty(len(groups), dtype=np.int64)
        positions = order(groups, scores, doc_ids)
        rank[positions] = places(groups[positions])
        return rank
    # Most run files stand by topic and falling score: only ties are left to put in order.
    rank = places(groups)
    tied_with_last = np.concatenate(([False], same_group & _equal_neighbours(scores)))[: len(groups)]
    rows = np.flatnonzero(tied_with_last | np.append(tied_with_last[1:], False)[: len(groups)])
    positions = order(np.cumsum(~tied_with_last[rows]), scores[rows], doc_ids.take(rows))
    rank[rows[positions]] = rank[rows]
    return rank


def byte_codes(values: pd.Series) -> np.ndarray:
    """For each string the position of its value among the distinct values in byte order (int64)."""
    codes, distinct = pd.factorize(values)
    return _byte_positions(np.asarray(distinct, dtype=object))[codes] - 1


def places(groups: np.ndarray) -> np.ndarray:
    """1, 2, 3, ... within each stretch of equal values."""
    starts = np.flatnonzero(np.concatenate(([True], ~_equal_neighbours(groups)))[: len(groups)])
    lengths = np.diff(starts, append=len(groups))
    return np.arange(len(groups)) - np.repeat(starts, lengths) + 1


def as_arrow(values: Strings) -> pa.Array:
    """Strings as one Arrow array."""
    strings = values if isinstance(values, pa.Array) else pa.array(values)
    strings = strings.combine_chunks() if isinstance(strings, pa.ChunkedArray) else strings
    return strings.cast(pa.large_string())


def _byte_positions(values: Strings) -> np.ndarray:
    """Integers from 1 that order strings as their bytes do."""
    return pc.rank(as_arrow(values), tiebreaker="dense").to_numpy().astype(np.int64)


def _equal_neighbours(values: np.ndarray) -> np.ndarray:
    return values[1:] == values[:-1]
