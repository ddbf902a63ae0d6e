"""Stratified sampling: the documents of each topic in layers of best rank, each with a rate of its own.

The whole top and a part of what is below: with the probability that each document had, scores over the sample can be
estimated without bias (infAP with one layer, xinfAP and statAP with several). A layer gives at least one document of
a topic that has some in it.

E. Yilmaz, E. Kanoulas and J. A. Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008,
603-610.
"""

from collections.abc import Sequence

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.sampling import sampled
from pooling.strategies.selection import Chosen, best_ranks, check_whole, is_number


def stratified(runs: RankedRuns, *, strata: Sequence[tuple[int, float]], seed: int) -> Chosen:
    """A part of each layer of each topic, drawn without replacement.

    Parameters
    ----------
    runs : RankedRuns
    strata : sequence of (int, float)
        The layers from the top: the last best rank of each, and its rate, 0 < rate <= 1. `[(10, 1.0), (100, 0.1)]`
        takes all documents of best rank 1 to 10, and a tenth, rounded to the nearest, of those of 11 to 100.
    seed : int
        The source of chance. Each document draws its lot for itself.

    Notes
    -----
    Priority goes by layer, within a layer by lot. Strata are named by their ranks, such as "11-100".
    """
    ends, rates = _checked(strata)
    ranks = best_ranks(runs, int(ends[-1]))
    items = np.flatnonzero(ranks)
    layers = np.searchsorted(ends, ranks[items])
    groups = runs.topics_of_items[items] * len(ends) + layers
    sizes = np.bincount(groups, minlength=len(runs.query_ids) * len(ends))
    wanted = np.rint(sizes * np.tile(rates, len(runs.query_ids))).astype(np.int64)
    counts = np.where(sizes > 0, np.maximum(wanted, 1), 0)
    drawn, lots, probability = sampled(runs, items, groups, counts, seed)
    layer = np.searchsorted(ends, ranks[drawn])
    begins = np.concatenate(([1], ends[:-1] + 1))
    names = np.array([f"{begin}-{end}" for begin, end in zip(begins, ends, strict=True)], dtype=object)
    return Chosen(drawn, lots - layer, int(ends[-1]), names[layer], probability)


def _checked(strata: Sequence[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    iterable = isinstance(strata, Sequence) and not isinstance(strata, str)
    if not iterable or not strata or not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in strata):
        raise ValueError(f"strata {strata!r} are not allowed; they are pairs such as (10, 1.0), at least one")
    ends, rates = zip(*strata, strict=True)
    for end in ends:
        check_whole("the last rank of a stratum", end)
    if list(ends) != sorted(set(ends)):
        raise ValueError(f"strata {strata!r} are not allowed; each ends deeper than the one before")
    if not all(is_number(rate) and 0 < rate <= 1 for rate in rates):
        raise ValueError(f"strata {strata!r} are not allowed; a rate is above 0 and at most 1")
    return np.array(ends), np.array(rates, dtype=np.float64)
