"""Scores of the Comb strategies in which documents are tied if and only if their exact scores are equal.

The exact score of a document is a fraction: a score in a run file is a decimal number, and so the share of a document
in a ranking, (score - smallest) / (largest - smallest), is a fraction. A score counts as the shortest decimal number
that float64 represents by it, which is the number in the file if this has at most 15 digits.

Fractions are slow, so approximate scores with error bounds are computed first. Only documents of a topic whose
approximate scores are closer than their errors are compared by fractions. The resulting scores are float64. Equal
fractions have equal scores, and a larger fraction has a larger score: if two different fractions round to the same
float, the larger gets the next one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias, cast

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.normalisation import normalised

Combine: TypeAlias = Callable[[list[Fraction]], Fraction]


def with_exact_ties(
    runs: RankedRuns, approximate: np.ndarray, errors: np.ndarray, combine: Combine, depth: int | None
) -> np.ndarray:
    """The scores, in the exact order and with exact ties in each topic.

    Shapes: `approximate`, `errors`, the result (n_items,).
    """
    scores = approximate.copy()
    topics = [(items, _clusters(approximate[items], errors[items])) for items in _items_by_topic(runs, approximate)]
    close = [items[rows] for items, clusters in topics for rows in clusters]
    margins = np.full(len(runs.keys) + 1, -np.inf)  # of the normalised scores to use
    for chosen in close:
        margins[chosen] = errors[chosen] if combine in (max, min) else np.inf
    exact = {item: combine(shares) for item, shares in _exact_shares(runs, approximate, margins, depth).items()}
    for items, clusters in topics:
        if clusters:
            _write_topic(scores, items, clusters, exact)
    return scores


def _items_by_topic(runs: RankedRuns, approximate: np.ndarray) -> Iterator[np.ndarray]:
    """The items of each topic that have a score, sorted by it."""
    items = np.flatnonzero(~np.isnan(approximate))
    items = items[np.lexsort((approximate[items], runs.topics_of_items[items]))]
    return iter(np.split(items, np.flatnonzero(np.diff(runs.topics_of_items[items])) + 1))


def _clusters(scores: np.ndarray, errors: np.ndarray) -> list[np.ndarray]:
    """Positions of the scores whose order is not certain: those in overlapping intervals, two or more at a time."""
    low, high = scores - errors, scores + errors
    rows = np.argsort(low, kind="stable")
    starts = np.flatnonzero(low[rows][1:] > np.maximum.accumulate(high[rows])[:-1]) + 1
    return [part for part in np.split(rows, starts) if len(part) > 1]


def _exact_shares(
    runs: RankedRuns, approximate: np.ndarray, margins: np.ndarray, depth: int | None
) -> dict[int, list[Fraction]]:
    """The exact normalised scores of items that differ from the item's score by at most its margin and their error."""
    exact = defaultdict(list)
    share = _share_function()
    every_score = cast(np.ndarray, runs.scores)
    for run, scores, retrieved in zip(normalised(runs, depth), every_score, runs.retrieved, strict=True):
        used = np.flatnonzero(np.abs(run.shares - approximate[run.items]) <= run.errors + margins[run.items])
        topics, ranks = run.topics[used], run.ranks[used]
        ends = scores[topics, 0], scores[topics, retrieved[topics] - 1]
        columns = run.items[used], scores[topics, ranks], *ends
        for item, score, largest, smallest in zip(*(column.tolist() for column in columns), strict=True):
            exact[item].append(share(score, largest, smallest))
    return exact


def _share_function() -> Callable[[float, float, float], Fraction]:
    """A function of score, largest and smallest score of a ranking, with caches that are released with it."""

    @lru_cache(maxsize=1 << 16)
    def decimal(score: float) -> Fraction:
        return Fraction(repr(score))

    @lru_cache(maxsize=1 << 16)
    def share(score: float, largest: float, smallest: float) -> Fraction:
        if score == largest:
            return Fraction(1)
        return (decimal(score) - decimal(smallest)) / (decimal(largest) - decimal(smallest))

    return share


def _write_topic(scores: np.ndarray, items: np.ndarray, clusters: list[np.ndarray], exact: dict[int, Fraction]) -> None:
    """Write the scores of a topic: `items` by ascending approximate score, and the clusters within them."""
    in_order = items.copy()
    is_larger = np.ones(len(items), dtype=bool)  # than the item before
    for rows in clusters:
        values = sorted((exact[int(item)], int(item)) for item in items[rows])
        first, end = int(rows.min()), int(rows.max()) + 1
        in_order[first:end] = [item for _, item in values]
        scores[in_order[first:end]] = [float(value) for value, _ in values]
        is_larger[first + 1 : end] = [one < other for (one, _), (other, _) in pairwise(values)]
    distinct = np.cumsum(is_larger) - 1
    scores[in_order] = _increasing(scores[in_order[is_larger]])[distinct]


def _increasing(scores: np.ndarray) -> np.ndarray:
    """The scores, from 0; each that is not larger than the one before becomes the next larger float."""
    bits = np.ascontiguousarray(scores).view(np.int64)  # floats from 0 have the order of their bits
    steps = np.arange(len(bits))
    return np.asarray((np.maximum.accumulate(bits - steps) + steps).view(np.float64))
