"""The majority grade of each item, with ties marked."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.ratings import MISSING, Ratings, check_ratings

TIES = ("lower", "higher", "undecided")

Integers = npt.NDArray[np.integer[Any]]


def majority(ratings: Ratings, ties: str = "lower", vote: str = "median") -> pd.DataFrame:
    """The majority grade of each item.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors, with or without missing judgements, or anonymous counts.
    ties : {"lower", "higher", "undecided"}, optional
        A tie is decided for the lowest of the tied grades, for the highest, or not at all. There is a tie if the two
        middle grades of an even number of judgements differ, or if several grades have the most votes.
    vote : {"median", "plurality"}, optional
        "median" is the highest grade which more than half of the judgements reach; it uses the order of the scale, and
        with `ties="lower"` it equals the rule "majority" of `make_gold`. "plurality" is the grade with the most votes.
        On two grades both are equal.

    Returns
    -------
    DataFrame
        One row for each item with a judgement, by query_id, then doc_id: query_id, doc_id, relevance (a grade; NA for
        an undecided tie), n (judgements), n_votes (judgements with this grade; 0 if undecided), tied (bool).

    Raises
    ------
    ValueError
        `ties` or `vote` is unknown.

    Examples
    --------
    >>> from agreement import Ratings, majority
    >>> ratings = Ratings.from_matrix([[0, 1, 2], [0, 2, 2], [1, None, 2]], scale=(0, 1, 2), axis="assessors")
    >>> majority(ratings)[["doc_id", "relevance", "n", "n_votes", "tied"]]
      doc_id  relevance  n  n_votes   tied
    0      1          0  3        2  False
    1      2          1  2        1   True
    2      3          2  3        3  False
    """
    check_ratings(ratings, "majority")
    counts = ratings.counts.astype(np.int64)
    lower, higher = _winners(counts, vote)
    codes = decided(counts, ties, vote)
    grades = np.array([*ratings.scale, None], dtype=object)  # code -1, undecided, indexes the last element
    frame = pd.DataFrame({"query_id": ratings.query_ids, "doc_id": ratings.doc_ids})
    frame["relevance"] = pd.array(grades[codes]) if len(codes) else pd.array([], dtype="Int64")
    frame["n"] = counts.sum(axis=1)
    frame["n_votes"] = np.where(codes == MISSING, 0, counts[np.arange(len(counts)), codes])
    frame["tied"] = lower != higher
    return frame[frame["n"] > 0].sort_values(["query_id", "doc_id"], ignore_index=True)


def decided(counts: Integers, ties: str = "lower", vote: str = "median") -> Integers:
    """The position of the majority grade of each item.

    Shapes: `counts` (n_items, n_grades); the result (n_items,).
    """
    if ties not in TIES:
        raise ValueError(f"ties must be one of {', '.join(TIES)}, not {ties!r}.")
    lower, higher = _winners(counts, vote)
    codes = higher if ties == "higher" else lower
    without_votes = counts.sum(axis=1) == 0
    undecided = (lower != higher) & (ties == "undecided")
    return np.where(without_votes | undecided, MISSING, codes)


def _winners(counts: Integers, vote: str) -> tuple[Integers, Integers]:
    """The lowest and the highest of the tied grades; equal without a tie."""
    if vote not in VOTES:
        raise ValueError(f"vote must be one of {', '.join(VOTES)}, not {vote!r}.")
    return VOTES[vote](counts)


def _medians(counts: Integers) -> tuple[Integers, Integers]:
    up_to = counts.cumsum(axis=1)
    n = up_to[:, -1:]
    return (2 * up_to >= n).argmax(axis=1), (2 * up_to > n).argmax(axis=1)


def _modes(counts: Integers) -> tuple[Integers, Integers]:
    most = counts == counts.max(axis=1, keepdims=True)
    return most.argmax(axis=1), counts.shape[1] - 1 - most[:, ::-1].argmax(axis=1)


VOTES: dict[str, Callable[[Integers], tuple[Integers, Integers]]] = {"median": _medians, "plurality": _modes}
