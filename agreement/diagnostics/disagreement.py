"""Where assessors disagree: between which grades, how far apart, and on which documents.

A distance is the difference of two positions on the declared scale: neighbouring grades have the distance 1, whatever
their values. A pair of judgements is two judgements of one item by two assessors; an item with m judgements has
m (m - 1) / 2 pairs. The mean distance of the pairs of an item is 0 if all agree, and at most n_grades - 1.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.pairs import pair_of
from agreement.judgements import Grade
from agreement.ratings import Ratings, check_ratings
from agreement.relevance.two_by_two import relevant_from

Integers = npt.NDArray[np.int64]


def confusion(ratings: Ratings, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> pd.DataFrame:
    """The table of two assessors: how often a gave one grade and b another.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements.
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.

    Returns
    -------
    DataFrame of int, shape (n_grades, n_grades)
        Rows are the grades of a, columns those of b, in the order of the scale; the axes are named after the assessors.
        Zeros if no item was judged by both.

    Raises
    ------
    ValueError
        There are fewer than two assessors, an assessor is unknown or must be named, or `rel` is not on the scale.

    Examples
    --------
    >>> from agreement import Ratings, confusion
    >>> ratings = Ratings.from_matrix([[0, 1, 2, 2], [0, 2, 2, None]], (0, 1, 2), ("ada", "bob"))
    >>> confusion(ratings)
    bob  0  1  2
    ada
    0    1  0  0
    1    0  0  1
    2    0  0  1
    """
    check_ratings(ratings, "confusion")
    pair = pair_of(ratings if rel is None else ratings.binary(rel), a, b)
    if len(pair.fields.get("assessors", ())) != 2:
        raise ValueError(f"A confusion table needs two assessors, not {', '.join(ratings.assessors) or 'none'}.")
    first, second = pair.fields["assessors"]
    rows, columns = pd.Index(pair.scale, name=first), pd.Index(pair.scale, name=second)
    return pd.DataFrame(pair.table.astype(np.int64), rows, columns)


def disagreement_by_distance(
    ratings: Ratings, a: str | None = None, b: str | None = None, rel: Grade | None = None
) -> pd.DataFrame:
    """The number of pairs of judgements for each distance of their grades.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors, with or without missing judgements.
    a, b : str, optional
        Two assessors. If they are omitted, the pairs of all assessors are counted.
    rel : int, float or str, optional
        The lowest relevant grade, to count the pairs with one relevant and one nonrelevant judgement.

    Returns
    -------
    DataFrame
        One row for each distance from 0 to n_grades - 1: distance, n (pairs of judgements), share (of all pairs; NA if
        there are none), and, if `rel` is passed, n_crossing (pairs with one judgement below `rel` and one at or above).

    Raises
    ------
    ValueError
        An assessor is unknown, only one is named, or `rel` is not on the scale.

    Examples
    --------
    >>> from agreement import Ratings, disagreement_by_distance
    >>> ratings = Ratings.from_matrix([[0, 1, 2, 2], [0, 2, 2, 0]], scale=(0, 1, 2), axis="assessors")
    >>> disagreement_by_distance(ratings, rel=1)
       distance  n  share  n_crossing
    0         0  2    0.5           0
    1         1  1   0.25           0
    2         2  1   0.25           1
    """
    check_ratings(ratings, "disagreement_by_distance")
    pairs = _pairs_of_all(ratings) if a is None and b is None else _folded(pair_of(ratings, a, b).table)
    low, high = np.triu_indices(len(ratings.scale))
    n, distance = pairs[low, high], high - low
    frame = pd.DataFrame({"distance": np.arange(len(ratings.scale))})
    frame["n"] = _summed(n, distance)
    frame["share"] = pd.array(frame["n"] / n.sum() if n.any() else [pd.NA] * len(frame), dtype="Float64")
    if rel is not None:
        cut = ratings.scale.index(relevant_from(ratings.scale, rel))
        frame["n_crossing"] = _summed(n * ((low < cut) & (cut <= high)), distance)
    return frame


def per_item_disagreement(ratings: Ratings, rel: Grade | None = None) -> pd.DataFrame:
    """The items that two or more assessors judged, the most disputed first.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors, with or without missing judgements, or anonymous counts.
    rel : int, float or str, optional
        The lowest relevant grade, to measure disagreement on relevance. By default disagreement is the distance of the
        grades on the scale.

    Returns
    -------
    DataFrame
        query_id, doc_id, n (judgements), lowest, highest (grades), n_disagreeing (pairs of judgements that differ),
        distance (mean over the pairs; if `rel` is passed, the share of the pairs that differ), and, if `rel` is passed,
        n_relevant (judgements of `rel` or more). Sorted by distance, then by n, both descending; then by query_id and
        doc_id.

    Raises
    ------
    ValueError
        `rel` is not on the scale.

    Examples
    --------
    >>> from agreement import Ratings, per_item_disagreement
    >>> ratings = Ratings.from_matrix([[0, 1, 2], [0, 2, 0], [0, 1, None]], scale=(0, 1, 2), axis="assessors")
    >>> per_item_disagreement(ratings)[["doc_id", "n", "lowest", "highest", "n_disagreeing", "distance"]].round(3)
      doc_id  n  lowest  highest  n_disagreeing  distance
    0      3  2       0        2              1     2.000
    1      2  3       1        2              2     0.667
    2      1  3       0        0              0     0.000
    """
    check_ratings(ratings, "per_item_disagreement")
    given = ratings.counts.astype(np.int64)
    counts = given if rel is None else ratings.binary(rel).counts.astype(np.int64)
    n = given.sum(axis=1)
    pairs = n * (n - 1) // 2
    below = counts.cumsum(axis=1)[:, :-1]  # the distance of a pair is the number of cuts between its grades
    total_distance = (below * (n[:, None] - below)).sum(axis=1)
    grades = pd.array(np.array([*ratings.scale, None], dtype=object)[:-1])
    frame = pd.DataFrame({"query_id": ratings.query_ids, "doc_id": ratings.doc_ids, "n": n})
    frame["lowest"] = grades[(given > 0).argmax(axis=1)]
    frame["highest"] = grades[given.shape[1] - 1 - (given > 0)[:, ::-1].argmax(axis=1)]
    frame["n_disagreeing"] = pairs - (counts * (counts - 1) // 2).sum(axis=1)
    frame["distance"] = total_distance / np.maximum(pairs, 1)
    if rel is not None:
        frame["n_relevant"] = counts[:, 1]
    order = ["distance", "n", "query_id", "doc_id"]
    disputed: pd.DataFrame = frame[n > 1]
    return disputed.sort_values(order, ascending=[False, False, True, True], ignore_index=True)


def _pairs_of_all(ratings: Ratings) -> Integers:
    """How often two judgements of one item have two grades; the lower grade is the row."""
    counts = ratings.counts.astype(np.int64)
    ordered = counts.T @ counts  # the diagonal also pairs each judgement with itself
    same = (np.diag(ordered) - counts.sum(axis=0)) // 2
    return np.triu(ordered, 1) + np.diag(same)


def _folded(table: npt.NDArray[Any]) -> Integers:
    """A table of two judges without regard to who gave which grade; the lower grade is the row."""
    counts = table.astype(np.int64)
    return np.triu(counts) + np.tril(counts, -1).T


def _summed(n: npt.NDArray[Any], distance: npt.NDArray[np.integer[Any]]) -> Integers:
    return np.bincount(distance, n).astype(np.int64)
