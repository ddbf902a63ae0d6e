"""The sort by score, and numbers for groups of rows; public in `pooling.ranking`."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling.errors import refuse_unless

ID_ARRAYS = (np.ndarray, pd.Series, pd.Index, pd.api.extensions.ExtensionArray, pa.Array, pa.ChunkedArray)
Strings: TypeAlias = "pd.Series[str] | pd.Index[str] | np.ndarray | pa.Array"


def order(groups: np.ndarray, scores: np.ndarray, doc_ids: Strings) -> np.ndarray:
    """Sort documents by group, then in document order: score descending, ties by doc_id descending in UTF-8 bytes.

    Parameters
    ----------
    groups : ndarray of int, shape (n,)
        The group of each document, such as a code for each pair of system and topic.
    scores : ndarray of float, shape (n,)
        The scores; finite.
    doc_ids : ndarray, Arrow array, Series or Index of str, shape (n,)
        The doc_ids; compared only if scores are tied.

    Returns
    -------
    ndarray of int64, shape (n,)
        Positions: ``doc_ids[order(groups, scores, doc_ids)]`` is sorted by group ascending, then in document order.

    Examples
    --------
    >>> import numpy as np
    >>> from pooling import order
    >>> doc_ids = np.array(["a", "b", "c"])
    >>> doc_ids[order(np.array([0, 0, 0]), np.array([1.0, 2.0, 2.0]), doc_ids)]
    array(['c', 'b', 'a'], dtype='<U1')
    """
    for name, values in (("groups", groups), ("scores", scores)):
        refuse_unless(values, np.ndarray, name, "an array")
    refuse_unless(doc_ids, ID_ARRAYS, "doc_ids", "an array")
    return order_with_ties(groups, scores, lambda rows: _byte_positions(doc_ids.take(rows)))


def order_with_ties(groups: np.ndarray, scores: np.ndarray, tie_keys: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Sort documents by group, then by score descending, ties by a key descending.

    `tie_keys` returns the keys of the documents at some positions; it is called only for those with tied scores.
    """
    by_score = np.lexsort((-scores, groups))
    same_as_next = _equal_neighbours(groups[by_score]) & _equal_neighbours(scores[by_score])
    starts_group = np.concatenate(([True], ~same_as_next))[: len(by_score)]
    tied = ~starts_group
    tied[:-1] |= same_as_next
    rows = by_score[tied]
    tie = np.cumsum(starts_group)[tied]
    by_score[tied] = rows[np.lexsort((-tie_keys(rows), tie))]
    return by_score


def with_ranks(run: pd.DataFrame) -> pd.DataFrame:
    """The rows by system, topic and document order, with their ranks in an additional column."""
    groups = byte_codes(run["system"]) * run["query_id"].nunique() + byte_codes(run["query_id"])
    rows = order(groups, run["score"].to_numpy(dtype=np.float64), run["doc_id"])
    return run.iloc[rows].assign(rank=places(groups[rows])).reset_index(drop=True)


def ranks_in_groups(groups: np.ndarray, scores: np.ndarray, doc_ids: Strings) -> np.ndarray:
    """The rank of each row in its group, from 1 (int64), in document order. Sorted input is not sorted again."""
    same_group = _equal_neighbours(groups)
    if not ((groups[1:] > groups[:-1]) | (same_group & (scores[1:] <= scores[:-1]))).all():
        rank = np.empty(len(groups), dtype=np.int64)
        positions = order(groups, scores, doc_ids)
        rank[positions] = places(groups[positions])
        return rank
    # Most run files are sorted by topic and score already, so only ties need sorting.
    rank = places(groups)
    tied_with_last = np.concatenate(([False], same_group & _equal_neighbours(scores)))[: len(groups)]
    rows = np.flatnonzero(tied_with_last | np.append(tied_with_last[1:], False)[: len(groups)])
    positions = order(np.cumsum(~tied_with_last[rows]), scores[rows], doc_ids.take(rows))
    rank[rows[positions]] = rank[rows]
    return rank


def byte_codes(values: pd.Series) -> np.ndarray:
    """For each string, the position of its value among the distinct values in byte order (int64)."""
    codes, distinct = pd.factorize(values)
    return _byte_positions(np.asarray(distinct, dtype=object))[codes] - 1


def places(groups: np.ndarray) -> np.ndarray:
    """Number the rows 1, 2, 3, ... within each stretch of equal values."""
    starts = np.flatnonzero(np.concatenate(([True], ~_equal_neighbours(groups)))[: len(groups)])
    lengths = np.diff(starts, append=len(groups))
    return np.arange(len(groups)) - np.repeat(starts, lengths) + 1


def as_arrow(values: Strings) -> pa.Array:
    """The strings as one Arrow array."""
    strings = values if isinstance(values, pa.Array) else pa.array(values)
    strings = strings.combine_chunks() if isinstance(strings, pa.ChunkedArray) else strings
    return strings.cast(pa.large_string())


def _byte_positions(values: Strings) -> np.ndarray:
    """Integers from 1 in the byte order of the strings."""
    ranks: np.ndarray = pc.rank(as_arrow(values), tiebreaker="dense").to_numpy()
    return ranks.astype(np.int64)


def _equal_neighbours(values: np.ndarray) -> np.ndarray:
    return np.asarray(values[1:] == values[:-1])
