"""Undiscovered relevant documents: how many the pool has missed, by extrapolation (Zobel 1998).

At each rank n the pool of depth n holds relevant documents that the pool of depth n - 1 does not: those whose best rank
over all runs is n. They become fewer with depth. Zobel fits their number by

    f(n) = C n**s - 1                                                          s < 0

(the -1 lets the curve come down to zero, which a power of n never does) and follows the curve beyond the depth D of
the pool, to a limit L:

    missed = sum over n = D + 1, ..., L of max(0, f(n))

The form is Zobel's, the way of fitting it is chosen here: the one pair (C, s) that keeps two sums of the
observed numbers y(n), n = 1, ..., D:

    sum of (y(n) + 1) = sum of C n**s        sum of (y(n) + 1) log n = sum of C n**s log n

It is the Poisson regression of y + 1 on log n, always exists, is found by bisection of a monotone function, takes ranks
at which nothing new was found as they are, and gives the curve the observed total. R2 = 1 - (squared residuals) /
(squared deviations from the mean) tells how well the curve goes through the numbers. As a check of the method on the
data at hand, the curve is fitted to the first D // 2 ranks too, and what it predicts for the other ranks is set beside
what was found there.

Undefined, with its reason: no run has the topic; fewer than 5 ranks; something new at fewer than 3 of them; no decline
(s >= 0).

What it assumes: every document of the pool to depth D is judged; relevant documents beyond D would be found at the pace
of the curve; deeper pools of the same runs are meant, so that what no run retrieves before the limit is not counted.
It is an extrapolation, not an estimate with an error: read it as an order of magnitude, and topic by topic as a hint
for which topics a deeper pool pays.

J. Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998, 307-314.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pooling.evaluation.decline import Decline, fitted_decline
from pooling.evaluation.judged_items import JudgedItems, Runs, judged_items
from pooling.ranking import RankedRuns, check_whole, prepare
from pooling.strategies.selection import best_ranks

LIMIT = 1000


@dataclass(frozen=True, eq=False)
class Undiscovered:
    """How many relevant documents were found at each rank, and how many the pool has missed.

    Attributes
    ----------
    overall : Decline
        Of all topics together: of the sum of their numbers.
    topics : DataFrame
        A row for each topic of the gold, ascending: query_id; n_relevant (int64, found to `depth`), n_ranks_with_new
        (int64); scale, slope, r_squared, missed, half_predicted (Float64) and half_found (Int64), as in `Decline`;
        reason (str, "" where defined).
    observed : DataFrame
        A row for each topic and rank to `depth`: query_id, rank; n_new, n_judged, n_relevant (int64: documents whose
        best rank this is, of these the judged and the relevant ones); fitted (Float64, NA where undefined).
    curve : DataFrame
        A row for each rank to `limit`, all topics together: rank; n_new, n_judged, n_relevant (Int64, NA beyond
        `depth`); fitted (Float64, not below 0; NA where undefined).
    depth : int
        Of the pool: the ranks that were fitted.
    limit : int
        The last rank of the extrapolation.
    rel : int
    n_systems, n_topics : int
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
        """Judged documents among those of the pool to `depth`; None where the pool is empty."""
        pooled = int(self.observed["n_new"].sum())
        return int(self.observed["n_judged"].sum()) / pooled if pooled else None

    def describe(self) -> str:
        """The answer in words, with what it rests on and what it assumes."""
        judged = "undefined (the pool is empty)" if self.share_judged is None else f"{self.share_judged:.1%}"
        basis = (
            f"systems: {self.n_systems:,}; topics: {self.n_topics:,}; ranks: {self.depth:,}; judged of the pool:"
            f" {judged}; relevant documents found: {self.overall.n_relevant:,}"
        )
        if self.overall.missed is None:
            return f"How many relevant documents the pool has missed is undefined: {self.overall.reason} ({basis})."
        fit = f"C = {self.overall.scale:.4g}, s = {self.overall.slope:.3f}"
        r_squared = "undefined" if self.overall.r_squared is None else f"{self.overall.r_squared:.3f}"
        missed = f"{self.overall.missed:,.0f} relevant document{'' if round(self.overall.missed) == 1 else 's'}"
        return (
            f"A pool of these runs to rank {self.limit:,} would hold about {missed} more"
            f" ({basis}; fit of C n^s - 1: {fit}, R2 {r_squared}).{self._check()} It assumes that the whole"
            " pool is judged and that the decline goes on as it was; what none of the runs retrieves is not counted."
        )

    def _check(self) -> str:
        if self.overall.half_predicted is None:
            return ""
        return (
            f" Fitted to the first {self.depth // 2:,} ranks alone, the curve predicts"
            f" {self.overall.half_predicted:,.0f} for the others, where {self.overall.half_found:,} were found."
        )


def undiscovered(
    runs: Runs, qrels: pd.DataFrame, depth: int | None = None, *, rel: int = 1, limit: int = LIMIT
) -> Undiscovered:
    """Zobel's extrapolation of the relevant documents that a depth pool has missed.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
        The runs that were pooled.
    qrels : DataFrame
        query_id, doc_id, relevance.
    depth : int, optional
        Depth of the pool. Left out, it is the deepest to which every document of the runs is judged in every topic
        of the gold; 0, and all is undefined, where not even every first one is.
    rel : int
        A document is relevant from this grade.
    limit : int
        Last rank of the extrapolation, at least `depth`.

    Returns
    -------
    Undiscovered

    Raises
    ------
    ValueError
        `depth` or `limit` is no positive whole number, the depth is deeper than any ranking, the limit lies below
        the depth, or the gold is empty.
    """
    check_whole("limit", limit)
    if depth is not None:
        check_whole("depth", depth)
    ranked = prepare(runs, depth=depth)
    gold = judged_items(ranked, qrels)
    if not len(gold.query_ids):
        raise ValueError("the gold is empty; one topic or more is needed")
    ranks = best_ranks(ranked, depth)
    deepest = ranked.items.shape[2]
    if depth is not None and depth > deepest:
        raise ValueError(f"depth {depth} is deeper than the runs; their deepest rank is {deepest}")
    if depth is None:
        depth = _judged_depth(ranked, gold, ranks, limit)
    if limit < depth:
        raise ValueError(f"limit {limit} is less than the depth {depth} of the pool; it is at least that")
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
    """The deepest rank to which all documents of the topics of the gold are judged."""
    unjudged = ranks[np.isin(ranked.topics_of_items, gold.topics) & ~gold.judged[:-1] & (ranks > 0)]
    deepest = min(ranked.items.shape[2], limit)
    return int(min(unjudged.min() - 1, deepest)) if len(unjudged) else deepest


def _counts(ranked: RankedRuns, gold: JudgedItems, ranks: np.ndarray, depth: int, rel: int) -> np.ndarray:
    """New, new judged and new relevant documents at each rank, shape (3, n_topics of the gold, depth)."""
    place = np.full(len(ranked.query_ids) + 1, -1)
    place[gold.topics] = np.arange(len(gold.topics))
    place[-1] = -1
    topic = place[ranked.topics_of_items]
    pooled = (topic >= 0) & (ranks > 0) & (ranks <= depth)
    counts = np.zeros((3, len(gold.topics), depth), dtype=np.int64)
    for count, which in zip(counts, (pooled, gold.judged[:-1], gold.relevant(rel)[:-1]), strict=True):
        rows = pooled & which
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
    for name in ("scale", "slope", "r_squared", "missed", "half_predicted"):
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
