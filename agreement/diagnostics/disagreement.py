"""Where assessors disagree: between which grades, how far apart, and about which documents.

Distances are positions on the declared scale: neighbouring grades are 1 apart, whatever their values. A pair
of judgements is two judgements of one item by two assessors; an item with m judgements has m (m - 1) / 2.
The mean distance of an item's pairs is 0 where all agree, and (n_grades - 1) at most.
"""

import numpy as np
import pandas as pd

from agreement.coefficients.pairs import pair_of
from agreement.ratings import Ratings
from agreement.relevance.two_by_two import relevant_from


def confusion(ratings: Ratings, a: str | None = None, b: str | None = None, rel=None) -> pd.DataFrame:
    """How often a gave one grade where b gave another.

    Parameters
    ----------
    ratings : Ratings
    a, b : str, optional
        Two assessors; may be left out where there are only two.
    rel : grade, optional
        Compare relevant (1: this grade and above) with not relevant (0); left out, all grades of the scale.

    Returns
    -------
    DataFrame of int, shape (n_grades, n_grades)
        Rows are a's grades and columns b's, named after the assessors, both in the order of the scale; zeros
        where no item was judged by both.

    Raises
    ------
    ValueError
        There are no two assessors, they are not named unambiguously, or `rel` is not on the scale.
    """
    pair = pair_of(ratings if rel is None else ratings.binary(rel), a, b)
    if len(pair.fields.get("assessors", ())) != 2:
        raise ValueError(f"a confusion needs two assessors; there are {', '.join(ratings.assessors) or 'none'}")
    a, b = pair.fields["assessors"]
    rows, columns = pd.Index(pair.scale, name=a), pd.Index(pair.scale, name=b)
    return pd.DataFrame(pair.table.astype(np.int64), rows, columns)


def disagreement_by_distance(ratings: Ratings, a: str | None = None, b: str | None = None, rel=None) -> pd.DataFrame:
    """How many pairs of judgements are how far apart, and how many of them it makes relevant or not.

    Parameters
    ----------
    ratings : Ratings
    a, b : str, optional
        Two assessors; left out, the pairs of all assessors.
    rel : grade, optional
        Also count the pairs with one judgement below this grade and one at or above it.

    Returns
    -------
    DataFrame
        One row for each distance from 0 to n_grades - 1: distance, n (pairs of judgements), share (of all
        pairs; NA where there is none), and with `rel` n_crossing.

    Raises
    ------
    ValueError
        An unknown assessor, one named without the other, or `rel` is not on the scale.
    """
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


def per_item_disagreement(ratings: Ratings, rel=None) -> pd.DataFrame:
    """Every item that two or more assessors judged, the most contested first.

    Parameters
    ----------
    ratings : Ratings
    rel : grade, optional
        Measure disagreement on relevant (this grade and above) or not; left out, by distance on the scale.

    Returns
    -------
    DataFrame
        query_id, doc_id, n (judgements), lowest, highest (grades given), n_disagreeing (pairs of judgements
        that differ), distance (mean over the pairs; with `rel`, the share of the pairs that differ), and with
        `rel` n_relevant (judgements that found it relevant). By distance, then by n, the greatest first; then
        by query_id and doc_id, ascending.

    Raises
    ------
    ValueError
        `rel` is not on the scale.
    """
    given = ratings.counts.astype(np.int64)
    counts = given if rel is None else ratings.binary(rel).counts.astype(np.int64)
    n = given.sum(axis=1)
    pairs = n * (n - 1) // 2
    below = counts.cumsum(axis=1)[:, :-1]  # a pair is as far apart as there are cuts between its grades
    apart = (below * (n[:, None] - below)).sum(axis=1)
    grades = pd.array(np.array([*ratings.scale, None], dtype=object)[:-1])
    frame = pd.DataFrame({"query_id": ratings.query_ids, "doc_id": ratings.doc_ids, "n": n})
    frame["lowest"] = grades[(given > 0).argmax(axis=1)]
    frame["highest"] = grades[given.shape[1] - 1 - (given > 0)[:, ::-1].argmax(axis=1)]
    frame["n_disagreeing"] = pairs - (counts * (counts - 1) // 2).sum(axis=1)
    frame["distance"] = apart / np.maximum(pairs, 1)
    if rel is not None:
        frame["n_relevant"] = counts[:, 1]
    order = ["distance", "n", "query_id", "doc_id"]
    return frame[n > 1].sort_values(order, ascending=[False, False, True, True], ignore_index=True)


def _pairs_of_all(ratings: Ratings) -> np.ndarray:
    """How often two judgements of one item have two grades; above the diagonal as `_folded`."""
    counts = ratings.counts.astype(np.int64)
    ordered = counts.T @ counts  # with every judgement paired with itself, on the diagonal
    same = (np.diag(ordered) - counts.sum(axis=0)) // 2
    return np.triu(ordered, 1) + np.diag(same)


def _folded(table: np.ndarray) -> np.ndarray:
    """A table of two judges, whoever of them said what: the lower grade is the row."""
    table = table.astype(np.int64)
    return np.triu(table) + np.tril(table, -1).T


def _summed(n: np.ndarray, distance: np.ndarray) -> np.ndarray:
    return np.bincount(distance, n).astype(np.int64)
