"""Ask people: a random sample of each topic that prefers documents whose grades move the ranking of the systems.

Use it when a model has graded all documents and people grade a few. The probabilities are in proportion to gains
(`pooling.strategies.gains`): how far the document moves the differences of the systems, by its ranks, or the gains that
`agreement.trust.who_judges` computes from the model's grades. The inclusion probabilities are recorded, so that scores
can be estimated from the sample without bias.

N. Duffield, C. Lund and M. Thorup, Priority sampling for estimation of arbitrary subset sums, Journal of the ACM 54(6),
2007, article 32. T. Zrnic and E. J. Candès, Active statistical inference, ICML 2024, arXiv 2403.03208.
"""

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.gains import TAU, Gains, check_gain, check_tau, rank_gains, sample_probabilities, shares
from pooling.strategies.lots import random_numbers
from pooling.strategies.selection import Selection, best_ranks


def ask_people(
    runs: RankedRuns, *, size: int, seed: int, depth: int | None = None, tau: float = TAU, gain: Gains | None = None
) -> Selection:
    """Ask people: `size` random documents of each topic, rather those whose grades teach more (Duffield et al. 2007).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    size : int
        Number of documents to draw per topic, at least 1. A topic with fewer documents gives all of them. The
        variance of an estimate needs at least 2.
    seed : int
        Seed of the random numbers, from 0. The number drawn for a document does not depend on other documents.
    depth : int, optional
        Draw only from the first `depth` ranks of each run, at least 1. By default all ranks are used.
    tau : float
        The share of the probability that all documents of a topic have alike, 0 < tau <= 1. With 1, gains do not
        matter. A small share makes a document that is drawn by chance count for many.
    gain : mapping of str to mapping of str to float, optional
        The gains, from 0, by query_id and doc_id. A document without a gain has 0. By default the gain of a document
        comes from its ranks: the sum over all pairs of systems of the difference of their 1 / log2(rank + 1).

    Returns
    -------
    Selection
        The drawn documents with stratum "ask_people" and their inclusion probability. The priority is the order of
        drawing, so the first documents of each topic are the sample of a smaller size.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number from 0, `tau` or a gain is
        out of range, or no document of the runs has a gain.
    """
    check_whole("size", size)
    drawn, probability, keys = drawn_items(runs, seed, size, depth, tau, gain)
    items = np.flatnonzero(drawn)
    stratum = np.full(len(items), "ask_people", dtype=object)
    return Selection(items, -keys[items], depth, stratum, probability[items])


def drawn_items(
    runs: RankedRuns, seed: int, size: int, depth: int | None, tau: float, gain: Gains | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which items are drawn, and the probability and the key u / q of each; nan for items deeper than `depth`.

    Shapes: the results (n_items,).
    """
    check_whole("seed", seed, least=0)
    check_tau(tau)
    check_gain(gain)
    if depth is not None:
        check_whole("depth", depth)
    items = np.flatnonzero(best_ranks(runs, depth))
    query_ids, doc_ids = runs.query_ids[runs.topics_of_items[items]], runs.doc_ids_of_items[items]
    known = None if gain is None else _known_gains(gain, query_ids.tolist(), doc_ids.tolist())
    numbers = random_numbers(seed, query_ids, doc_ids)
    drawn = np.zeros(len(runs.keys), dtype=bool)
    probability, keys = np.full(len(runs.keys), np.nan), np.full(len(runs.keys), np.nan)
    starts = np.searchsorted(runs.topics_of_items[items], np.arange(len(runs.query_ids) + 1))
    for topic in range(len(runs.query_ids)):
        rows = slice(starts[topic], starts[topic + 1])
        of_topic = items[rows]
        gains = _of_ranks(runs, topic, of_topic, depth) if known is None else known[rows]
        share = shares(gains, tau)
        keys[of_topic] = numbers[rows] / share
        drawn[of_topic], probability[of_topic] = sample_probabilities(keys[of_topic], share, size)
    return drawn, probability, keys


def _of_ranks(runs: RankedRuns, topic: int, items: np.ndarray, depth: int | None) -> np.ndarray:
    rankings = runs.items[:, topic, :depth]
    return rank_gains(np.searchsorted(items, rankings), len(items))  # no document sorts after all items


def _known_gains(gain: Gains, query_ids: list[str], doc_ids: list[str]) -> np.ndarray:
    by_topic = {str(query_id): {str(doc): number for doc, number in of.items()} for query_id, of in gain.items()}
    pairs = zip(query_ids, doc_ids, strict=True)
    numbers = np.array([by_topic.get(query_id, {}).get(doc_id, np.nan) for query_id, doc_id in pairs], dtype=np.float64)
    # The options of a strategy are checked with one document before the runs are read.
    if np.isnan(numbers).all() and len(numbers) > 1:
        first = next(((query_id, doc_id) for query_id, of in by_topic.items() for doc_id in of), None)
        raise ValueError(
            f"no document of the runs has a gain: one of the runs is {doc_ids[0]!r} of topic {query_ids[0]!r}, and one"
            f" with a gain is {'none' if first is None else f'{first[1]!r} of topic {first[0]!r}'}"
        )
    return np.nan_to_num(numbers)
