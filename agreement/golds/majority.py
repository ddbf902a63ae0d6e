"""The grade that most assessors hold, with ties told.

Two ways to count, which are the same on two grades:

`vote="median"`
    The median grade: from which grade on do more than half find the document at least so relevant? It uses
    the order of the scale. With `ties="lower"` it is the rule `majority` of `agreement.golds.make_gold`.
`vote="plurality"`
    The grade with the most votes, as for labels without order.

A tie is an even number of judgements whose two middle grades differ, or several grades with the same, greatest
number of votes. It is decided for the lowest of the tied grades (`ties="lower"`), for the highest
(`ties="higher"`), or left open (`ties="undecided"`).
"""

import numpy as np
import pandas as pd

from agreement.ratings import MISSING, Ratings

TIES = ("lower", "higher", "undecided")


def majority(ratings: Ratings, ties: str = "lower", vote: str = "median") -> pd.DataFrame:
    """What the majority says of every item.

    Parameters
    ----------
    ratings : Ratings
    ties : {"lower", "higher", "undecided"}
    vote : {"median", "plurality"}
        See the module.

    Returns
    -------
    DataFrame
        One row for every item that anybody judged, by query_id, then doc_id: query_id, doc_id, relevance (a
        grade; NA where a tie is left undecided), n (judgements), n_votes (for this very grade; 0 where
        undecided), tied (whether the votes were).

    Raises
    ------
    ValueError
        An unknown `ties` or `vote`.
    """
    counts = ratings.counts.astype(np.int64)
    lower, higher = _winners(counts, vote)
    codes = decided(counts, ties, vote)
    grades = np.array([*ratings.scale, None], dtype=object)  # -1, undecided, is the last
    frame = pd.DataFrame({"query_id": ratings.query_ids, "doc_id": ratings.doc_ids})
    frame["relevance"] = pd.array(grades[codes]) if len(codes) else pd.array([], dtype="Int64")
    frame["n"] = counts.sum(axis=1)
    frame["n_votes"] = np.where(codes == MISSING, 0, counts[np.arange(len(counts)), codes])
    frame["tied"] = lower != higher
    return frame[frame["n"] > 0].sort_values(["query_id", "doc_id"], ignore_index=True)


def decided(counts: np.ndarray, ties: str = "lower", vote: str = "median") -> np.ndarray:
    """The position of the majority's grade, -1 where there is none; shape (n_items,).

    Parameters
    ----------
    counts : ndarray of int, shape (n_items, n_grades)
        How many judgements gave each item each grade.
    ties, vote : str
        As for `majority`.
    """
    if ties not in TIES:
        raise ValueError(f"ties is one of {', '.join(TIES)}; got {ties!r}")
    lower, higher = _winners(counts, vote)
    codes = higher if ties == "higher" else lower
    nobody = counts.sum(axis=1) == 0
    open_ = (lower != higher) & (ties == "undecided")
    return np.where(nobody | open_, MISSING, codes)


def _winners(counts: np.ndarray, vote: str) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest of the grades that may claim to have won; the same one but for ties."""
    if vote not in VOTES:
        raise ValueError(f"vote is one of {', '.join(VOTES)}; got {vote!r}")
    return VOTES[vote](counts)


def _medians(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    up_to = counts.cumsum(axis=1)
    n = up_to[:, -1:]
    return (2 * up_to >= n).argmax(axis=1), (2 * up_to > n).argmax(axis=1)


def _modes(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    most = counts == counts.max(axis=1, keepdims=True)
    return most.argmax(axis=1), counts.shape[1] - 1 - most[:, ::-1].argmax(axis=1)


VOTES = {"median": _medians, "plurality": _modes}
