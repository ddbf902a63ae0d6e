"""How much the score of a system changes with the gain of each pair.

The gain of a pair is 1 if its grade is relevant (P, AP, RBP with a threshold), or its grade, linear or exponential
(DCG, nDCG, graded RBP). P, DCG and RBP are sums of weights times gains. For nDCG and AP, the influence is the
derivative of the score by the gain, at the expected gains: for nDCG

    (discount(rank) - nDCG * discount(rank in the ideal ranking)) / ideal

and for AP, with r the rank, p the expected gains and R their sum,

    ((1 + sum of p above r) / r + sum of p_k / k for k below r - AP) / R

Without its last terms for a pair that the system did not retrieve. A derivative is enough to plan a sample. Estimates
of scores do not use it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.measures.average_precision import average_precision
from agreement.measures.dcg import DISCOUNTS, GAINS, dcg
from agreement.measures.ndcg import GAIN, ndcg
from agreement.measures.precision import precision
from agreement.measures.rbp import rbp
from pooling.ranking import places

PLANNED = {precision: "P", dcg: "DCG", rbp: "RBP", ndcg: "nDCG", average_precision: "AP"}


@dataclass(frozen=True, eq=False)
class Ranks:
    """The ranks of pairs in the rankings of the systems.

    Attributes
    ----------
    rank : ndarray of int, shape (n_systems, n_pairs)
        0 if the system did not retrieve the pair.
    topic : ndarray of int, shape (n_pairs,)
        Position of the topic of each pair, ascending.
    n_topics : int
    """

    rank: np.ndarray
    topic: np.ndarray
    n_topics: int

    def discount(self, cutoff: int | None, kind: str = "log2") -> np.ndarray:
        """The discount of each pair, 0 outside the first `cutoff` ranks."""
        inside = (self.rank > 0) & (self.rank <= (cutoff or self.rank.max(initial=0)))
        return np.where(inside, 1 / DISCOUNTS[kind](np.maximum(self.rank, 1)), 0.0)

    def summed(self, values: np.ndarray) -> np.ndarray:
        """The sum of values over the pairs of each topic; shape (..., n_pairs) to (..., n_topics)."""
        starts = np.searchsorted(self.topic, np.arange(self.n_topics))
        return np.asarray(np.add.reduceat(values, starts, axis=-1))


def ranks_of(ranked: RankedRuns, pairs: pd.DataFrame) -> Ranks:
    """Return the ranks of pairs, sorted by topic, in every ranking."""
    topic, names = pd.factorize(pairs["query_id"])
    position = ranked.documents.get_indexer(pd.Index(pairs["doc_id"]))
    in_runs = ranked.query_ids.get_indexer(pd.Index(names))[topic]
    keys = np.where((position >= 0) & (in_runs >= 0), in_runs * len(ranked.documents) + position, -1)
    item = ranked.keys.get_indexer(pd.Index(keys))
    pair_of_item = np.full(len(ranked.keys) + 1, len(pairs))
    pair_of_item[item[item >= 0]] = np.flatnonzero(item >= 0)
    rank = np.zeros((len(ranked.systems), len(pairs) + 1), dtype=np.int32)
    found = pair_of_item[ranked.items]
    system, _, place = np.indices(found.shape, sparse=True)
    rank[np.broadcast_to(system, found.shape), found] = np.broadcast_to(place + 1, found.shape)
    return Ranks(rank[:, :-1], topic, len(names))


def gains_of(measure: Measure, grades: np.ndarray, highest: float | None) -> np.ndarray:
    """Return the gain of each grade under a measure, with the shape of `grades`."""
    _refuse_others(measure)
    parameters = measure.parameters
    if measure.function in (precision, average_precision) or "rel" in parameters:
        return np.asarray(grades >= parameters.get("rel", 1), dtype=np.float64)
    if measure.function is rbp:
        if not highest:
            raise ValueError(f"{measure.name} needs the declared scale: pass scale, the grades with the lowest first.")
        return np.asarray(grades / highest)
    name = GAIN[parameters.get("dcg", "log2")] if measure.function is ndcg else parameters.get("gain", "linear")
    return np.asarray(GAINS[name](np.maximum(grades, 0).astype(np.float64)))


def influences(ranks: Ranks, gains: np.ndarray, measure: Measure) -> np.ndarray:
    """Return the influence of each pair on each score, a mean over the topics; shape (n_systems, n_pairs).

    `gains` are the expected gains, shape (n_pairs,).
    """
    _refuse_others(measure)
    parameters, cutoff = measure.parameters, measure.parameters.get("cutoff")
    if measure.function is precision:
        per_topic = (ranks.discount(cutoff) > 0) / parameters["cutoff"]
    elif measure.function is dcg:
        per_topic = ranks.discount(cutoff, parameters.get("discount", "log2"))
    elif measure.function is rbp:
        p = parameters.get("p", 0.8)
        per_topic = (ranks.discount(cutoff) > 0) * (1 - p) * p ** (np.maximum(ranks.rank, 1) - 1.0)
    elif measure.function is ndcg:
        per_topic = _of_ndcg(ranks, gains, cutoff)
    else:
        per_topic = np.stack([_of_ap(ranks, rank, gains, cutoff) for rank in ranks.rank])
    return np.asarray(per_topic / ranks.n_topics)


def _of_ndcg(ranks: Ranks, gains: np.ndarray, cutoff: int | None) -> np.ndarray:
    order = np.lexsort((-gains, ranks.topic))
    ideal_rank = np.empty(len(gains), dtype=np.int64)
    ideal_rank[order] = places(ranks.topic[order])
    ideal_discount = np.where(ideal_rank <= (cutoff or len(gains)), 1 / np.log2(ideal_rank + 1), 0.0)
    ideal = ranks.summed(ideal_discount * gains)
    discount = ranks.discount(cutoff)
    positive = np.where(ideal > 0, ideal, np.inf)
    score = ranks.summed(discount * gains) / positive
    return np.asarray((discount - score[:, ranks.topic] * ideal_discount) / positive[ranks.topic])


def _of_ap(ranks: Ranks, rank: np.ndarray, gains: np.ndarray, cutoff: int | None) -> np.ndarray:
    """The influence of each pair on the AP of one system."""
    retrieved = (rank > 0) & (rank <= (cutoff or rank.max(initial=0)))
    order = np.lexsort((np.where(retrieved, rank, np.iinfo(np.int32).max), ranks.topic))
    sorted_gains, found, place = gains[order], retrieved[order], np.maximum(rank[order], 1)
    own = np.where(found, sorted_gains, 0.0)
    above = _running(own, ranks) - own
    at_rank = np.where(found, (1 + above) / place, 0.0)
    over_rank = own / place
    below = np.where(found, ranks.summed(over_rank)[ranks.topic] - _running(over_rank, ranks), 0.0)
    relevant = ranks.summed(gains)
    positive = np.where(relevant > 0, relevant, np.inf)
    score = ranks.summed(own * at_rank) / positive
    influence = np.empty(len(gains))
    influence[order] = (at_rank + below - score[ranks.topic]) / positive[ranks.topic]
    return influence


def _running(values: np.ndarray, ranks: Ranks) -> np.ndarray:
    """The running sum within each topic."""
    total = np.cumsum(values)
    before = np.concatenate(([0.0], np.cumsum(ranks.summed(values))[:-1]))
    return np.asarray(total - before[ranks.topic])


def _refuse_others(measure: Measure) -> None:
    if measure.function not in PLANNED or measure.judged_only:
        raise ValueError(f"A plan can be made for {', '.join(PLANNED.values())}, not for {measure.name}.")
