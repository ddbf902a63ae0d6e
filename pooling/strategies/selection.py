"""What a strategy chose, and the steps that strategies share.

Two scores of documents that differ by less than rounding are the same score: sums are added up rank after rank, so
that the order of the runs does not matter, and are kept to 40 binary digits (about 12 decimal ones).
"""

from dataclasses import dataclass

import numpy as np

from pooling.ranking import RankedRuns, check_whole, order, places

DIGITS = 40


@dataclass(frozen=True, eq=False)
class Chosen:
    """The documents that a strategy takes into the pool.

    Attributes
    ----------
    items : ndarray of int, shape (n,)
        Positions in `RankedRuns.keys`.
    priority : ndarray of float, shape (n,)
        The higher, the earlier it should be judged.
    depth : int or None
        How many ranks of each run the strategy looked at; None for all.
    stratum : ndarray of str, shape (n,), or None
        Of which part of the ranking it was drawn.
    inclusion_probability : ndarray of float, shape (n,), or None
        How probable it was that chance brought it in, 0 < p <= 1; None where nothing was left to chance.
    """

    items: np.ndarray
    priority: np.ndarray
    depth: int | None = None
    stratum: np.ndarray | None = None
    inclusion_probability: np.ndarray | None = None


def best_of_each_topic(runs: RankedRuns, items: np.ndarray, priority: np.ndarray, size: int) -> np.ndarray:
    """Where the `size` best of each topic stand in `items`; ties are settled by THE order."""
    topics = runs.topics_of_items[items]
    rows = order(topics, priority, runs.doc_ids_of_items[items])
    return rows[places(topics[rows]) <= size]


def best_of_all(runs: RankedRuns, items: np.ndarray, priority: np.ndarray, budget: int) -> np.ndarray:
    """Where the `budget` best of all topics together stand in `items`; ties by THE order, then by topic."""
    rows = order(np.zeros(len(items), dtype=np.int64), priority, runs.doc_ids_of_items[items])
    return rows[:budget]


def chosen_by_score(runs: RankedRuns, scores: np.ndarray, size: int, depth: int | None) -> Chosen:
    """The `size` highest scores of each topic.

    Parameters
    ----------
    runs : RankedRuns
    scores : ndarray of float, shape (n_items,)
        NaN where no run has the document among its first `depth`.
    size : int
    depth : int or None
    """
    check_whole("size", size)
    items = np.flatnonzero(~np.isnan(scores))
    best = best_of_each_topic(runs, items, scores[items], size)
    return Chosen(items[best], scores[items][best], depth)


def best_ranks(runs: RankedRuns, depth: int | None = None) -> np.ndarray:
    """The best rank that any run gives to each item, from 1; 0 where none has it among its first `depth`."""
    found = np.zeros(len(runs.keys) + 1, dtype=np.int64)
    for rank in range(runs.items.shape[2] if depth is None else min(depth, runs.items.shape[2]), 0, -1):
        found[runs.items[..., rank - 1]] = rank
    return found[:-1]


def summed(runs: RankedRuns, weights: np.ndarray) -> np.ndarray:
    """For each item the sum over runs of the weight of its rank; NaN where no run has it.

    Parameters
    ----------
    runs : RankedRuns
    weights : ndarray of float, shape (depth,)
        Not negative. Ranks below are not looked at.
    """
    depth = min(len(weights), runs.items.shape[2])
    by_rank = runs.items[..., :depth].reshape(-1, depth).T
    added = np.repeat(weights[:depth], by_rank.shape[1])
    total = np.bincount(by_rank.reshape(-1), added, minlength=len(runs.keys) + 1)[:-1]
    return np.where(best_ranks(runs, depth) > 0, rounded(total), np.nan)


def rounded(scores: np.ndarray) -> np.ndarray:
    """The scores to 40 binary digits."""
    mantissa, exponent = np.frexp(scores)
    return np.ldexp(np.rint(np.ldexp(mantissa, DIGITS)), exponent - DIGITS)


def rank_weights(runs: RankedRuns, depth: int | None) -> np.ndarray:
    """The ranks that are looked at, as floats: 1, 2, ..."""
    if depth is not None:
        check_whole("depth", depth)
    deepest = runs.items.shape[2]
    return np.arange(1.0, (deepest if depth is None else min(depth, deepest)) + 1)


def is_number(value) -> bool:
    """Whether it is a number that can be compared."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
