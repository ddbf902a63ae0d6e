"""Undiscovered relevant documents: estimate by extrapolation how many relevant documents a pool does not contain.

At each rank n, the pool of depth n contains relevant documents that the pool of depth n - 1 does not: those whose best
rank over all runs is n. Their number declines with depth. Zobel (1998) fits it by

    f(n) = C n**s - 1                                                          s < 0

(the -1 lets the curve reach zero, which a power of n never does) and extrapolates beyond the depth D of the pool to a
limit L:

    undiscovered = sum over n = D + 1, ..., L of max(0, f(n))

The form is Zobel's; the fitting method is a choice of this implementation. It finds the one pair (C, s) that preserves
two sums of the observed numbers y(n), n = 1, ..., D:

    sum of (y(n) + 1) = sum of C n**s        sum of (y(n) + 1) log n = sum of C n**s log n

This is the Poisson regression of y + 1 on log n. The solution always exists, is found by bisection of a monotone
function, accepts ranks without new documents, and gives the curve the observed total. The goodness of fit is
R2 = 1 - (squared residuals) / (squared deviations from the mean). To check the method on the data, the curve is also
fitted to the first D // 2 ranks, and its prediction for the other ranks is reported with the number found there.

The result is undefined, with a reason, if no run has the topic, there are fewer than 5 ranks, fewer than 3 ranks have a
new relevant document, or there is no decline (s >= 0).

Assumptions: every document of the pool to depth D is judged; beyond D, relevant documents are found at the rate of the
curve; only deeper pools of the same runs are considered, so documents that no run retrieves before the limit are not
counted. The result is an extrapolation without an error estimate. Use it as an order of magnitude, and by topic as a
hint for which topics a deeper pool is worthwhile.

J. Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998, 307-314.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pooling.evaluation.decline import Decline, fitted_decline
from pooling.evaluation.judged_items import JudgedItems, judged_items
from pooling.inputs import Input
from pooling.ranking import RankedRuns, Runs, check_whole, prepare
from pooling.result import Result
from pooling.strategies.selection import best_ranks

LIMIT = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Undiscovered(Result):
    """The relevant documents found at each rank, and the estimated number that the pool does not contain.

    Attributes
    ----------
    overall : Decline
        The fit for all topics together.
    topics : DataFrame
        One row per topic of the gold, ascending, with the columns

        - query_id (str);
        - n_relevant, n_ranks_with_new (int64): relevant documents found to `depth`; ranks with a new one;
        - scale, slope, r_squared (Float64): C, s and the goodness of fit;
        - undiscovered (Float64): relevant documents expected from `depth` + 1 to `limit`;
        - half_predicted (Float64), half_found (Int64): the number that a fit of the first half of the ranks predicts
          for the second half, and the number found there;
        - reason (str): why the values are NA; "" if they are defined.
    observed : DataFrame
        One row per topic and rank to `depth`: query_id, rank; n_new, n_judged, n_relevant (int64: documents with this
        best rank; judged and relevant ones of these); fitted (Float64; NA if undefined).
    curve : DataFrame
        One row per rank to `limit`, all topics together: rank; n_new, n_judged, n_relevant (Int64; NA beyond `depth`);
        fitted (Float64, not below 0; NA if undefined).
    depth : int
        The depth of the pool: the ranks that were fitted.
    limit : int
        The last rank of the extrapolation.
    rel : int
        The lowest relevant grade.
    n_systems, n_topics : int
        The number of systems, and of topics of the gold.
    """

    overall: Decline
    topics: pd.DataFrame
    observed: pd.DataFrame
    curve: pd.DataFrame
    depth: int
    limit: int
    rel: int
    n_systems: int
    n_topics: int

    @property
    def share_judged(self) -> float | None:
        """The share of the pool to `depth` that is judged, from 0 to 1; None if the pool is empty."""
        pooled = int(self.observed["n_new"].sum())
        return int(self.observed["n_judged"].sum()) / pooled if pooled else None

    def to_frame(self) -> pd.DataFrame:
        """Return `topics`."""
        return self.topics

    def _sentence(self) -> str:
        return self.describe()

    def describe(self) -> str:
        """Describe the result."""
        judged = "undefined (the pool is empty)" if self.share_judged is None else f"{self.share_judged:.1%}"
        basis = (
            f"systems: {self.n_systems:,}; topics: {self.n_topics:,}; ranks: {self.depth:,}; share of the pool judged:"
            f" {judged}; relevant documents found: {self.overall.n_relevant:,}"
        )
        if self.overall.undiscovered is None:
            return f"The number of undiscovered relevant documents is undefined: {self.overall.reason} ({basis})."
        fit = f"C = {self.overall.scale:.4g}, s = {self.overall.slope:.3f}"
        r_squared = "undefined" if self.overall.r_squared is None else f"{self.overall.r_squared:.3f}"
        plural = "" if round(self.overall.undiscovered) == 1 else "s"
        number = f"{self.overall.undiscovered:,.0f} more relevant document{plural}"
        return (
            f"A pool of these runs to rank {self.limit:,} would contain about {number}"
            f" ({basis}; fit of C n^s - 1: {fit}, R2 {r_squared}).{self._second_half()} This assumes that the whole"
            " pool is judged and that the decline continues; documents that no run retrieves are not counted."
        )

    def _second_half(self) -> str:
        if self.overall.half_predicted is None:
            return ""
        return (
            f" Fitted to the first {self.depth // 2:,} ranks only, the curve predicts"
            f" {self.overall.half_predicted:,.0f} for the other ranks, where {self.overall.half_found:,} were found."
        )


def undiscovered(
    runs: Runs, qrels: Input, depth: int | None = None, *, rel: int = 1, limit: int = LIMIT
) -> Undiscovered:
    """Estimate the number of relevant documents that a depth pool does not contain (Zobel 1998).

    The number of new relevant documents at each rank n is fitted by C n**s - 1, and the curve is extrapolated beyond
    the depth of the pool. `pooling.evaluation.undiscovered` has the formulas and the assumptions.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        The runs that were pooled: columns system, query_id, doc_id and score.
    qrels : table, path or dictionary
        Columns query_id, doc_id and relevance. A negative relevance means "not judged".
    depth : int, optional
        The depth of the pool, at least 1. By default it is the greatest depth to which every document of the runs is
        judged in every topic of the gold. If the first ranks are not all judged, it is 0 and the result is undefined.
    rel : int
        Documents with this grade or more are relevant.
    limit : int
        The last rank of the extrapolation, at least `depth`.

    Returns
    -------
    Undiscovered
        The fits and the extrapolation, over all topics and by topic. They are undefined, with a reason, if no run has
        the topic, there are fewer than 5 ranks, fewer than 3 ranks have a new relevant document, or the numbers do not
        decline.

    Raises
    ------
    ValueError
        If `depth` or `limit` is not a positive whole number, the depth is deeper than every ranking, the limit is less
        than the depth, or the gold is empty or invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import undiscovered
    >>> doc_ids = [f"d{number}" for number in range(10)]
    >>> runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": doc_ids, "score": range(10, 0, -1)})
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": doc_ids, "relevance": [1, 1, 1, 1, 0, 1, 0, 0, 0, 0]})
    >>> result = undiscovered(runs, gold, limit=20)
    >>> round(result.overall.slope, 3), round(result.overall.undiscovered, 3)
    (-0.325, 0.205)
    """
    check_whole("limit", limit)
    if depth is not None:
        check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    gold = judged_items(ranked, qrels)
    if not len(gold.query_ids):
        raise ValueError("the gold is empty; it needs at least one topic")
    ranks = best_ranks(ranked, depth)
    deepest = ranked.items.shape[2]
    if depth is not None and depth > deepest:
        raise ValueError(f"depth must be at most {deepest}, the deepest rank of the runs, not {depth!r}")
    if depth is None:
        depth = _judged_depth(ranked, gold, ranks, limit)
    if limit < depth:
        raise ValueError(f"limit must be at least {depth}, the depth of the pool, not {limit!r}")
    counts = _counts(ranked, gold, ranks, depth, rel)
    declines = [
        fitted_decline(one, limit, _missing_topic(ranked, topic))
        for one, topic in zip(counts[2], gold.topics, strict=True)
    ]
    overall = fitted_decline(counts[2].sum(axis=0), limit)
    return Undiscovered(
        overall=overall,
        topics=_topics(gold, declines),
        observed=_observed(gold, counts, declines),
        curve=_curve(counts.sum(axis=1), overall, limit),
        depth=depth,
        limit=limit,
        rel=rel,
        n_systems=len(ranked.systems),
        n_topics=len(gold.query_ids),
    )


def _missing_topic(ranked: RankedRuns, topic: int) -> str:
    return "no run has the topic" if topic == len(ranked.query_ids) else ""


def _judged_depth(ranked: RankedRuns, gold: JudgedItems, ranks: np.ndarray, limit: int) -> int:
    """The greatest depth to which all documents of the topics of the gold are judged."""
    unjudged = ranks[np.isin(ranked.topics_of_items, gold.topics) & ~gold.judged[:-1] & (ranks > 0)]
    deepest = min(ranked.items.shape[2], limit)
    return int(min(unjudged.min() - 1, deepest)) if len(unjudged) else deepest


def _counts(ranked: RankedRuns, gold: JudgedItems, ranks: np.ndarray, depth: int, rel: int) -> np.ndarray:
    """New, new judged and new relevant documents at each rank, shape (3, n_topics of the gold, depth)."""
    position = np.full(len(ranked.query_ids) + 1, -1)
    position[gold.topics] = np.arange(len(gold.topics))
    # The last position stands for topics of the gold that no run has; no item belongs to them.
    position[-1] = -1
    topic = position[ranked.topics_of_items]
    pooled = (topic >= 0) & (ranks > 0) & (ranks <= depth)
    counts = np.zeros((3, len(gold.topics), depth), dtype=np.int64)
    for count, which in zip(counts, (pooled, gold.judged[:-1], gold.relevant(rel)[:-1]), strict=True):
        rows = pooled & which
        # Not `+=`, which counts only one of several documents with the same topic and rank.
        np.add.at(count, (topic[rows], ranks[rows] - 1), 1)
    return counts


def _topics(gold: JudgedItems, declines: list[Decline]) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "query_id": gold.query_ids.astype("str"),
            "n_relevant": [one.n_relevant for one in declines],
            "n_ranks_with_new": [one.n_ranks_with_new for one in declines],
        }
    )
    for name in ("scale", "slope", "r_squared", "undiscovered", "half_predicted"):
        frame[name] = pd.array([getattr(one, name) for one in declines], "Float64")
    frame["half_found"] = pd.array([one.half_found for one in declines], "Int64")
    return frame.assign(reason=pd.array([one.reason for one in declines], "str"))


def _observed(gold: JudgedItems, counts: np.ndarray, declines: list[Decline]) -> pd.DataFrame:
    n_topics, depth = counts.shape[1:]
    columns = dict(zip(("n_new", "n_judged", "n_relevant"), counts.reshape(3, -1), strict=True))
    fitted = [value for one in declines for value in one.at(np.arange(1, depth + 1))]
    frame = pd.DataFrame(
        {"query_id": np.repeat(gold.query_ids, depth), "rank": np.tile(np.arange(1, depth + 1), n_topics)}
    )
    return frame.astype({"query_id": "str"}).assign(**columns, fitted=pd.array(fitted, "Float64"))


def _curve(counts: np.ndarray, overall: Decline, limit: int) -> pd.DataFrame:
    beyond = [pd.NA] * (limit - counts.shape[1])
    columns = {
        name: pd.array([*count.tolist(), *beyond], "Int64")
        for name, count in zip(("n_new", "n_judged", "n_relevant"), counts, strict=True)
    }
    ranks = np.arange(1, limit + 1)
    return pd.DataFrame({"rank": ranks, **columns, "fitted": pd.array(overall.at(ranks), "Float64")})
