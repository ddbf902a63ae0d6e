"""The largest pool within a number of documents per topic.

A strategy has one parameter that its pool grows with: `depth` (depth, ntcir), `budget` (take, fair_take), or `size`
(the others, except stratified, which has several rates). The number of documents never falls when this parameter
grows, and follows from counts alone:

- depth d: the documents with a best rank of at most d;
- size s: min(s, n) documents of a topic with n documents in the ranks that the strategy uses;
- budget b: min(b, all documents).

So the largest value is found by one search in these numbers, without making a pool. The sample of stat_ap can be
smaller than its size; then the numbers are upper limits, which hold for every seed.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

import numpy as np

from pooling.ranking import RankedRuns, Runs, check_whole, prepare
from pooling.strategies import STRATEGIES
from pooling.strategies.selection import best_ranks
from pooling.words import count

GROWS_WITH = ("depth", "budget", "size")


@dataclass(frozen=True)
class PoolSize:
    """The largest parameter of a strategy that keeps the pool within a number of documents per topic.

    Attributes
    ----------
    strategy : str
        The name of the strategy.
    parameter : {"depth", "size", "budget"}
        The parameter that the pool grows with.
    value : int
        Its largest value. Larger values than the data have make no difference and are not returned.
    documents : int
        The number of documents of the pool; for stat_ap, the largest possible number.
    topics : int
        The number of topics that any run has.
    """

    strategy: str
    parameter: str
    value: int
    documents: int
    topics: int

    @property
    def per_topic(self) -> float:
        """The mean number of documents per topic."""
        return self.documents / self.topics

    def __str__(self) -> str:
        return (
            f"{self.strategy} with {self.parameter} {self.value:,} has {count(self.documents, 'document')} in"
            f" {count(self.topics, 'topic')}, {self.per_topic:,.1f} per topic"
        )


def largest_pool(
    runs: Runs, strategy: str = "depth", *, documents_per_topic: float, depth: int | None = None
) -> PoolSize:
    """Find the largest parameter whose pool has at most this many documents per topic on average.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    strategy : str
        The name of a strategy in `pooling.STRATEGIES` other than "stratified".
    documents_per_topic : float
        The largest mean number of documents over all topics that any run has, above 0.
    depth : int, optional
        For strategies with a size: the number of ranks of each run that the strategy uses, at least 1; all by default.

    Returns
    -------
    PoolSize
        The parameter, its value, and the size of the pool.

    Raises
    ------
    ValueError
        If the strategy is unknown or "stratified", a number is out of its range, the strategy takes no separate depth,
        there is no run, or even the smallest pool has more documents.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import largest_pool
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> print(largest_pool(runs, "depth", documents_per_topic=2))
    depth with depth 1 has 2 documents in 1 topic, 2.0 per topic
    """
    parameter = growing_parameter(strategy)
    if depth is not None:
        if parameter != "size":
            raise ValueError(f"strategy {strategy!r} takes no depth besides its {parameter}")
        check_whole("depth", depth)
    if (
        isinstance(documents_per_topic, bool)
        or not isinstance(documents_per_topic, Real)
        or not _is_size(float(documents_per_topic))
    ):
        raise ValueError(f"documents_per_topic must be a number above 0, not {documents_per_topic!r}")
    ranked = prepare(runs, depth=depth)
    totals = _TOTALS[parameter](ranked, depth)
    # A float product can round up to one document more than the limit allows.
    limit = min(int(Fraction(float(documents_per_topic)) * len(ranked.query_ids)), int(totals[-1]))
    value = int(np.searchsorted(totals, limit, side="right"))
    if not value:
        smallest = totals[0] / len(ranked.query_ids)
        raise ValueError(
            f"documents_per_topic must be at least {smallest:.4g}, not {documents_per_topic:g}: the smallest pool of"
            f" strategy {strategy!r} ({parameter} 1) has so many on average"
        )
    return PoolSize(strategy, parameter, value, int(totals[value - 1]), len(ranked.query_ids))


def growing_parameter(strategy: str) -> str:
    """The parameter that the pool of a strategy grows with.

    Examples
    --------
    >>> from pooling.planning.pool_size import growing_parameter
    >>> growing_parameter("rrf")
    'size'
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy {strategy!r} is unknown; choose from: {', '.join(sorted(STRATEGIES))}")
    required = [
        option.name
        for option in inspect.signature(STRATEGIES[strategy]).parameters.values()
        if option.name in GROWS_WITH and option.default is option.empty
    ]
    if not required:
        raise ValueError(f"strategy {strategy!r} has no single parameter that its pool grows with; choose its rates")
    return required[0]


def documents_by_depth(runs: RankedRuns) -> np.ndarray:
    """Count the documents of depth pools at every depth.

    Shapes: the result (n_topics, n_ranks).

    Examples
    --------
    >>> from pooling import prepare
    >>> from pooling.planning.pool_size import documents_by_depth
    >>> documents_by_depth(prepare({"s": {"1": {"a": 2, "b": 1}}, "t": {"1": {"b": 5, "c": 4}}})).tolist()
    [[2, 3]]
    """
    n_topics, n_ranks = len(runs.query_ids), runs.items.shape[2]
    first = runs.topics_of_items * n_ranks + best_ranks(runs) - 1
    counts: np.ndarray = np.bincount(first, minlength=n_topics * n_ranks).reshape(n_topics, n_ranks)
    return counts.cumsum(axis=1)


def _is_size(number: float) -> bool:
    return 0 < number < float("inf")


def _of_depths(runs: RankedRuns, _depth: int | None) -> np.ndarray:
    return np.asarray(documents_by_depth(runs).sum(axis=0))


def _of_sizes(runs: RankedRuns, depth: int | None) -> np.ndarray:
    """The number of documents for size 1, 2, ...: each size adds one document in every topic that has so many."""
    available = np.bincount(runs.topics_of_items[best_ranks(runs, depth) > 0], minlength=len(runs.query_ids))
    topics_with = np.bincount(available)[::-1].cumsum()[::-1]
    return np.asarray(topics_with[1:].cumsum())


def _of_budgets(runs: RankedRuns, _depth: int | None) -> np.ndarray:
    return np.arange(1, len(runs.keys) + 1)


_TOTALS: dict[str, Callable[[RankedRuns, int | None], np.ndarray]] = {
    "depth": _of_depths,
    "size": _of_sizes,
    "budget": _of_budgets,
}
