"""Scores of different runs made comparable, for the Comb strategies.

Each ranking's scores are brought to the range from 0 (its last document) to 1 (its first):
(score - least) / (greatest - least), and 1 for all where they are equal. The result is a multiple of 2^-40, about
1e-12, so that sums are exact, and tied documents stay tied whatever the order of the runs.

E. A. Fox and J. A. Shaw, Combination of multiple searches, TREC-2, 1994, 243-252 (the combinations); J. H. Lee,
Analyses of multiple evidence combination, SIGIR 1997, 267-276 (the normalisation).
"""

from collections.abc import Iterator

import numpy as np

from pooling.ranking import RankedRuns, prepare
from pooling.strategies.selection import DIGITS, rank_weights


def normalised(runs: RankedRuns, depth: int | None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Of each run in turn the items it has, and their scores from 0 to 1.

    Parameters
    ----------
    runs : RankedRuns
        Prepared with its scores.
    depth : int or None
        Ranks that are looked at. The scores are brought to 0 to 1 over the whole ranking.
    """
    all_scores = prepare(runs, keep_scores=True).scores
    depth = len(rank_weights(runs, depth))
    for items, scores, retrieved in zip(runs.items, all_scores, runs.retrieved, strict=True):
        there = items[:, :depth] < len(runs.keys)
        yield items[:, :depth][there], _shares(scores, retrieved, depth)[there]


def _shares(scores: np.ndarray, retrieved: np.ndarray, depth: int) -> np.ndarray:
    """The first `depth` scores of each topic of a run from 0 to 1."""
    last = np.maximum(retrieved - 1, 0)[:, None]
    ends = np.hstack([scores[:, :1], np.take_along_axis(scores, last, axis=1)])
    # A power of two loses nothing, and keeps the largest numbers from overflowing when they are subtracted.
    size = -np.frexp(np.abs(ends).max(axis=1, keepdims=True))[1]
    greatest, least = np.hsplit(np.ldexp(ends, size - 1), 2)
    span = greatest - least
    above = np.ldexp(scores[:, :depth], size - 1) - least
    shares = np.divide(above, span, out=np.ones(above.shape), where=span > 0)
    return np.ldexp(np.rint(np.ldexp(shares, DIGITS)), -DIGITS)


def entries(runs: RankedRuns, depth: int | None) -> tuple[np.ndarray, np.ndarray]:
    """All items of all runs one after the other, and their scores from 0 to 1."""
    items, shares = zip(*normalised(runs, depth), strict=True)
    return np.concatenate(items), np.concatenate(shares)


def sums_and_counts(runs: RankedRuns, depth: int | None) -> tuple[np.ndarray, np.ndarray]:
    """For each item the sum of its scores from 0 to 1 (NaN where no run has it), and how many runs have it."""
    sums, counts = np.zeros(len(runs.keys)), np.zeros(len(runs.keys), dtype=np.int64)
    for items, shares in normalised(runs, depth):  # a document stands once in a ranking: no sum is lost
        sums[items] += shares
        counts[items] += 1
    return np.where(counts > 0, sums, np.nan), counts
