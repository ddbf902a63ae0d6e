"""The result of a strategy, and the steps that strategies share.

If only some of the documents with the same score fit into the pool, their lots decide (`pooling.strategies.lots`).
Two document scores that differ by less than rounding count as equal: sums are added rank by rank, so that the order of
the runs does not matter, and are rounded to 40 binary digits (about 12 decimal digits).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pooling.ranking import RankedRuns, check_whole, places
from pooling.strategies.lots import lots

DIGITS = 40


@dataclass(frozen=True, eq=False)
class Selection:
    """The documents that a strategy selects for the pool.

    Attributes
    ----------
    items : ndarray of int, shape (n,)
        Positions in `RankedRuns.keys`.
    priority : ndarray of float, shape (n,)
        Documents with a higher priority should be judged earlier.
    depth : int or None
        Number of ranks of each run that the strategy used; None for all.
    stratum : ndarray of str, shape (n,), or None
        The stratum from which each document was drawn.
    inclusion_probability : ndarray of float, shape (n,), or None
        The probability with which each document was drawn, 0 < p <= 1; None if the strategy does not sample.
    """

    items: np.ndarray
    priority: np.ndarray
    depth: int | None = None
    stratum: np.ndarray | None = None
    inclusion_probability: np.ndarray | None = None


def best_of_each_topic(runs: RankedRuns, items: np.ndarray, priority: np.ndarray, size: int, seed: int) -> np.ndarray:
    """Positions in `items` of the `size` items of each topic with the highest priorities; ties at the end by lot."""
    return _best_of_each_group(runs, items, priority, runs.topics_of_items[items], size, seed)


def best_of_all(runs: RankedRuns, items: np.ndarray, priority: np.ndarray, budget: int, seed: int) -> np.ndarray:
    """Positions in `items` of the `budget` highest priorities of all topics; ties at the end by lot."""
    return _best_of_each_group(runs, items, priority, np.zeros(len(items), dtype=np.int64), budget, seed)


def _best_of_each_group(
    runs: RankedRuns, items: np.ndarray, priority: np.ndarray, groups: np.ndarray, count: int, seed: int
) -> np.ndarray:
    check_whole("seed", seed, least=0)
    rows = np.lexsort((-priority, groups))
    last = rows[places(groups[rows]) == count]
    lowest = np.full(groups.max(initial=-1) + 1, -np.inf)  # the lowest priority that is selected from each group
    lowest[groups[last]] = priority[last]
    above, tied = np.flatnonzero(priority > lowest[groups]), np.flatnonzero(priority == lowest[groups])
    numbers = lots(seed, runs.query_ids[runs.topics_of_items[items[tied]]], runs.doc_ids_of_items[items[tied]])
    tied = tied[np.lexsort((-numbers, groups[tied]))]
    remaining = count - np.bincount(groups[above], minlength=len(lowest))
    return np.sort(np.concatenate([above, tied[places(groups[tied]) <= remaining[groups[tied]]]]))


def select_by_score(runs: RankedRuns, scores: np.ndarray, size: int, depth: int | None, seed: int) -> Selection:
    """Select the `size` documents of each topic with the highest scores.

    Shapes: `scores` (n_items,).
    """
    check_whole("size", size)
    items = np.flatnonzero(~np.isnan(scores))
    best = best_of_each_topic(runs, items, scores[items], size, seed)
    return Selection(items[best], scores[items][best], depth)


def best_ranks(runs: RankedRuns, depth: int | None = None) -> np.ndarray:
    """The best rank of each item over all runs, from 1; 0 if no run has it in its first `depth` ranks."""
    ranks = np.zeros(len(runs.keys) + 1, dtype=np.int64)
    for rank in range(runs.items.shape[2] if depth is None else min(depth, runs.items.shape[2]), 0, -1):
        ranks[runs.items[..., rank - 1]] = rank
    return ranks[:-1]


def summed_weights(runs: RankedRuns, weights: np.ndarray) -> np.ndarray:
    """For each item, the sum over runs of the weight of its rank; NaN if no run has it in the weighted ranks.

    Shapes: `weights` (depth,).
    """
    depth = min(len(weights), runs.items.shape[2])
    by_rank = runs.items[..., :depth].reshape(-1, depth).T
    added = np.repeat(weights[:depth], by_rank.shape[1])
    total = np.bincount(by_rank.reshape(-1), added, minlength=len(runs.keys) + 1)[:-1]
    return np.where(best_ranks(runs, depth) > 0, rounded(total), np.nan)


def rounded(scores: np.ndarray) -> np.ndarray:
    """The scores, rounded to 40 binary digits."""
    mantissa, exponent = np.frexp(scores)
    result: np.ndarray = np.ldexp(np.rint(np.ldexp(mantissa, DIGITS)), exponent - DIGITS)
    return result


def considered_ranks(runs: RankedRuns, depth: int | None) -> np.ndarray:
    """The ranks that a strategy uses, as floats: 1, 2, ... to `depth` or to the deepest rank."""
    if depth is not None:
        check_whole("depth", depth)
    deepest = runs.items.shape[2]
    return np.arange(1.0, (deepest if depth is None else min(depth, deepest)) + 1)


def is_number(value: Any) -> bool:
    """Whether a value is a real number of Python or numpy; bool is not."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
