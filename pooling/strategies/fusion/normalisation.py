"""Make the scores of different runs comparable, for the Comb strategies.

Each ranking's scores are mapped to the range from 0 (its last document) to 1 (its first document):
(score - smallest) / (largest - smallest). If all scores of a ranking are equal, all are 1. The result is rounded to a
multiple of 2^-40 (about 1e-12), so that sums are exact and tied documents stay tied in any order of the runs.

J. H. Lee, Analyses of multiple evidence combination, SIGIR 1997, 267-276.
"""

from collections.abc import Iterator
from typing import cast

import numpy as np

from pooling.ranking import RankedRuns, prepare
from pooling.strategies.selection import DIGITS, considered_ranks


def normalised(runs: RankedRuns, depth: int | None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each run, its items and their scores, normalised to 0 to 1.

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    depth : int or None
        Number of ranks to return. The normalisation always uses the whole ranking.
    """
    all_scores = cast(np.ndarray, prepare(runs, keep_scores=True).scores)  # prepare refuses runs without scores
    depth = len(considered_ranks(runs, depth))
    for items, scores, retrieved in zip(runs.items, all_scores, runs.retrieved, strict=True):
        is_item = items[:, :depth] < len(runs.keys)
        yield items[:, :depth][is_item], _normalised_run(scores, retrieved, depth)[is_item]


def sums_and_counts(runs: RankedRuns, depth: int | None) -> tuple[np.ndarray, np.ndarray]:
    """For each item, the sum of its normalised scores (NaN if no run has it) and the number of runs that have it."""
    sums, counts = np.zeros(len(runs.keys)), np.zeros(len(runs.keys), dtype=np.int64)
    for items, scores in normalised(runs, depth):  # an item occurs once in a ranking, so += loses nothing
        sums[items] += scores
        counts[items] += 1
    return np.where(counts > 0, sums, np.nan), counts


def _normalised_run(scores: np.ndarray, retrieved: np.ndarray, depth: int) -> np.ndarray:
    """The first `depth` scores of each topic of a run, normalised; shape (n_topics, depth)."""
    last = np.maximum(retrieved - 1, 0)[:, None]
    ends = np.hstack([scores[:, :1], np.take_along_axis(scores, last, axis=1)])
    # Scaling by a power of two is exact, and keeps the largest floats from overflowing in the subtraction.
    exponent = -np.frexp(np.abs(ends).max(axis=1, keepdims=True))[1]
    largest, smallest = np.hsplit(np.ldexp(ends, exponent - 1), 2)
    span = largest - smallest
    above = np.ldexp(scores[:, :depth], exponent - 1) - smallest
    shares = np.divide(above, span, out=np.ones(above.shape), where=span > 0)
    rounded: np.ndarray = np.ldexp(np.rint(np.ldexp(shares, DIGITS)), -DIGITS)
    return rounded
