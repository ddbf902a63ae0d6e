"""statAP's sample: documents are drawn from buckets, in proportion to their average contribution to AP.

The design of the measure statAP. In each topic, with sample size m:

1. The prior of a document is the mean over runs of the AP weight of its rank (`pooling.strategies.ap_weights`), 0 in a
   run that lacks it. Runs without the topic do not count. The priors of a topic sum to 1.
2. The documents are sorted by prior descending, ties by lot (`pooling.strategies.lots`), and divided into buckets of m
   documents; the last one may have fewer. The weight of a bucket is the sum of its priors.
3. A bucket is drawn m times with replacement, with probability equal to its weight.
4. From a bucket that was drawn k times, k documents are drawn without replacement, all with the same probability.

A bucket of m documents and weight w is drawn m w times on average, so the inclusion probability of its documents is
m w / m = w. The last bucket may be drawn more often than it has documents. Then it is taken in full, the sample is
smaller than m, and the inclusion probability of its n documents is the mean of min(k, n) / n, where k has the binomial
distribution with m trials and probability w.

V. Pavlu and J. A. Aslam, A practical sampling strategy for efficient retrieval evaluation, technical report,
Northeastern University, 2007; the buckets are those of W. L. Stevens, Sampling without replacement with probability
proportional to size, Journal of the Royal Statistical Society B 20(2), 1958, 393-397. The report does not say what
happens to a last bucket with fewer documents; the rule above is ours.
"""

import zlib

import numpy as np
import pandas as pd

from pooling.ranking import RankedRuns, check_whole, places
from pooling.strategies.ap_weights import ap_weights
from pooling.strategies.lots import order_by_lot
from pooling.strategies.sampling import sampled
from pooling.strategies.selection import Selection, best_ranks, considered_ranks, rounded


def stat_ap(runs: RankedRuns, *, size: int, seed: int, depth: int | None = None) -> Selection:
    """statAP's sample: `size` draws from buckets of equal size, by AP weight (Pavlu and Aslam 2007).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of draws per topic, and of documents per bucket, at least 1. A topic with at most as many documents
        gives all of them. The sample can be smaller if the last bucket has fewer documents than draws.
    seed : int
        Seed of the random numbers, from 0. The sample of a topic does not depend on the other topics.
    depth : int, optional
        Draw only from the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The drawn documents with their inclusion probability. The stratum is the number of the bucket, from "1". The
        priority is by bucket, and random within a bucket.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or `seed` is not a whole number from 0.
    """
    check_whole("size", size)
    check_whole("seed", seed, least=0)
    n_ranks = len(considered_ranks(runs, depth))
    items = np.flatnonzero(best_ranks(runs, n_ranks))
    topics, prior = runs.topics_of_items[items], _priors(runs, n_ranks)[items]
    buckets, bucket_of = _buckets(runs, items, topics, prior, size, seed)
    weights = np.bincount(bucket_of, prior, minlength=len(buckets))
    sizes = np.bincount(bucket_of, minlength=len(buckets))
    counts, probability = _draws(runs, buckets, weights, sizes, size, seed)
    drawn, numbers, _ = sampled(runs, items, bucket_of, counts, seed)
    group = bucket_of[np.searchsorted(items, drawn)]
    number = places(buckets)[group]
    return Selection(drawn, numbers - number, depth, number.astype(str).astype(object), probability[group])


def _priors(runs: RankedRuns, n_ranks: int) -> np.ndarray:
    """The mean over runs of the AP weight of each item, shape (n_items,)."""
    lengths = np.minimum(runs.retrieved, n_ranks)
    total = np.zeros(len(runs.keys) + 1)
    for ranking, length in zip(runs.items[..., :n_ranks], lengths, strict=True):
        total[ranking] += ap_weights(length, n_ranks)  # a run has an item at most once
    n_runs = np.count_nonzero(lengths, axis=0)
    return rounded(total[:-1] / n_runs[runs.topics_of_items])


def _buckets(
    runs: RankedRuns, items: np.ndarray, topics: np.ndarray, prior: np.ndarray, size: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The topic of each bucket, topic by topic, and the bucket of each item."""
    documents = pd.DataFrame({"query_id": runs.query_ids[topics], "doc_id": runs.doc_ids_of_items[items]})
    rows = order_by_lot(topics, prior, documents, seed)
    starts = (places(topics[rows]) - 1) % size == 0
    bucket_of = np.empty(len(items), dtype=np.int64)
    bucket_of[rows] = np.cumsum(starts) - 1
    return topics[rows][starts], bucket_of


def _draws(
    runs: RankedRuns, buckets: np.ndarray, weights: np.ndarray, sizes: np.ndarray, size: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The number of documents to draw from each bucket, and the inclusion probability of its documents."""
    counts, probability = np.empty(len(buckets), dtype=np.int64), np.empty(len(buckets))
    for topic in np.unique(buckets):
        rows = buckets == topic
        share = weights[rows] / weights[rows].sum()
        rng = np.random.default_rng([seed, zlib.crc32(runs.query_ids[topic].encode())])
        counts[rows] = np.minimum(rng.multinomial(size, share), sizes[rows])
        probability[rows] = share
        last = np.flatnonzero(rows)[-1]
        probability[last] = _mean_of_smaller(size, share[-1], int(sizes[last])) / sizes[last]
    return counts, probability


def _mean_of_smaller(trials: int, p: float, limit: int) -> float:
    """The mean of min(k, limit), where k has the binomial distribution with `trials` and probability `p`."""
    if p >= 1 or limit >= trials:
        return min(trials * p, limit)
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, trials + 1)))))
    k = np.arange(trials + 1)
    log_ways = log_factorial[-1] - log_factorial - log_factorial[::-1]
    chances = np.exp(log_ways + k * np.log(p) + (trials - k) * np.log1p(-p))
    return float(chances @ np.minimum(k, limit))
