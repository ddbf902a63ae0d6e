"""Stratified sampling: divide the documents of each topic into strata by best rank, and sample each at its own rate.

A typical choice takes all documents of the first ranks and a part of the deeper ones. From the known inclusion
probabilities, measures can be estimated without bias (infAP with one stratum, xinfAP and statAP with several). A
stratum that is not empty contributes at least one document per topic.

E. Yilmaz, E. Kanoulas and J. A. Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008,
603-610.
"""

from collections.abc import Sequence

import numpy as np

from pooling.ranking import RankedRuns, check_whole
from pooling.strategies.sampling import sampled
from pooling.strategies.selection import Selection, best_ranks, is_number


def stratified(runs: RankedRuns, *, strata: Sequence[tuple[int, float]], seed: int) -> Selection:
    """Stratified sampling: a share of each rank stratum of each topic, without replacement (Yilmaz et al. 2008).

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    strata : sequence of (int, float)
        The strata from the top: the last rank of each, strictly increasing, and its rate, 0 < rate <= 1.
        `[(10, 1.0), (100, 0.1)]` takes all documents with a best rank from 1 to 10, and a tenth (rounded to the
        nearest whole number) of those with a best rank from 11 to 100.
    seed : int
        Seed of the random numbers, from 0. The number drawn for a document does not depend on other documents.

    Returns
    -------
    Selection
        The drawn documents with their inclusion probability. A stratum is named by its ranks, such as "11-100".
        The priority is by stratum, and random within a stratum.

    Raises
    ------
    ValueError
        If `strata` is empty, not increasing or has a rate out of range, or `seed` is not a whole number from 0.
    """
    ends, rates = _checked_strata(strata)
    ranks = best_ranks(runs, int(ends[-1]))
    items = np.flatnonzero(ranks)
    groups = runs.topics_of_items[items] * len(ends) + np.searchsorted(ends, ranks[items])
    sizes = np.bincount(groups, minlength=len(runs.query_ids) * len(ends))
    wanted = np.rint(sizes * np.tile(rates, len(runs.query_ids))).astype(np.int64)
    counts = np.where(sizes > 0, np.maximum(wanted, 1), 0)
    drawn, numbers, probability = sampled(runs, items, groups, counts, seed)
    stratum = np.searchsorted(ends, ranks[drawn])
    starts = np.concatenate(([1], ends[:-1] + 1))
    names = np.array([f"{start}-{end}" for start, end in zip(starts, ends, strict=True)], dtype=object)
    return Selection(drawn, numbers - stratum, int(ends[-1]), names[stratum], probability)


def _checked_strata(strata: Sequence[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    is_sequence = isinstance(strata, Sequence) and not isinstance(strata, str)
    if not is_sequence or not strata or not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in strata):
        raise ValueError(f"strata must be one or more pairs of last rank and rate, such as (10, 1.0), not {strata!r}")
    ends, rates = zip(*strata, strict=True)
    for end in ends:
        check_whole("the last rank of a stratum", end)
    if list(ends) != sorted(set(ends)):
        raise ValueError(f"the last ranks of strata must increase; they do not in {strata!r}")
    if not all(is_number(rate) and 0 < rate <= 1 for rate in rates):
        raise ValueError(f"the rate of a stratum must be above 0 and at most 1; it is not in {strata!r}")
    return np.array(ends), np.array(rates, dtype=np.float64)
