"""Make the scores of different runs comparable, for the Comb strategies.

Each ranking's scores are mapped to the range from 0 (its last document) to 1 (its first document):
(score - smallest) / (largest - smallest). If all scores of a ranking are equal, all are 1.

The results are approximate, with error bounds; `pooling.strategies.exact_ties` resolves what they leave open.
They are rounded to a multiple of 2^-40 (about 1e-12), so that sums are the same in any order of the runs.

J. H. Lee, Analyses of multiple evidence combination, SIGIR 1997, 267-276.
"""

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np

from pooling.ranking import RankedRuns, prepare
from pooling.strategies.selection import considered_ranks

DIGITS = 40


class NormalisedRun(NamedTuple):
    """The first documents of a run in all topics.

    Attributes
    ----------
    items : ndarray of int, shape (n,)
        The items; each occurs once.
    shares : ndarray of float, shape (n,)
        The normalised score of each item, from 0 to 1.
    errors : ndarray of float, shape (n,)
        The largest difference of each share from the exact one.
    topics, ranks : ndarray of int, shape (n,)
        The place of each item in the run; ranks are counted from 0.
    """

    items: np.ndarray
    shares: np.ndarray
    errors: np.ndarray
    topics: np.ndarray
    ranks: np.ndarray


class Sums(NamedTuple):
    """Sums over the runs that retrieve an item; each ndarray has the shape (n_items,).

    Attributes
    ----------
    shares, errors : ndarray of float
        The sums of the normalised scores and of their errors.
    largest_errors : ndarray of float
        The largest error.
    counts : ndarray of int
        The number of runs that retrieve the item.
    """

    shares: np.ndarray
    errors: np.ndarray
    largest_errors: np.ndarray
    counts: np.ndarray


def normalised(runs: RankedRuns, depth: int | None) -> Iterator[NormalisedRun]:
    """Normalise the scores of each run."""
    all_scores = cast(np.ndarray, prepare(runs, keep_scores=True).scores)  # prepare refuses runs without scores
    depth = len(considered_ranks(runs, depth))
    for items, scores, retrieved in zip(runs.items, all_scores, runs.retrieved, strict=True):
        places = np.nonzero(items[:, :depth] < len(runs.keys))
        shares, errors = _shares_and_errors(scores, retrieved, depth)
        yield NormalisedRun(items[places], shares[places], errors[places], *places)


def sums(runs: RankedRuns, depth: int | None) -> Sums:
    """Sum the normalised scores of each item."""
    shares, errors, largest_errors = np.zeros((3, len(runs.keys)))
    total = Sums(shares, errors, largest_errors, np.zeros(len(runs.keys), dtype=np.int64))
    for run in normalised(runs, depth):  # an item occurs once in a ranking, so += loses nothing
        total.shares[run.items] += run.shares
        total.errors[run.items] += run.errors
        total.largest_errors[run.items] = np.maximum(total.largest_errors[run.items], run.errors)
        total.counts[run.items] += 1
    return total


def _shares_and_errors(scores: np.ndarray, retrieved: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """The first `depth` scores of each topic of a run, normalised, and their errors; shape (n_topics, depth)."""
    last = np.maximum(retrieved - 1, 0)[:, None]
    ends = np.hstack([scores[:, :1], np.take_along_axis(scores, last, axis=1)])
    magnitude = np.abs(ends).max(axis=1, keepdims=True)
    # Scaling by a power of two is exact, and keeps the largest floats from overflowing in the subtraction.
    exponent = -np.frexp(magnitude)[1] - 1
    largest, smallest = np.hsplit(np.ldexp(ends, exponent), 2)
    span = largest - smallest
    above = np.ldexp(scores[:, :depth], exponent) - smallest
    shares = np.divide(above, span, out=np.ones(above.shape), where=span > 0)
    rounded: np.ndarray = np.ldexp(np.rint(np.ldexp(shares, DIGITS)), -DIGITS)
    # A float differs from the decimal number that it represents by at most half the distance to the next float.
    half = np.ldexp(np.spacing(magnitude), exponent - 1)
    least = np.maximum(half, np.finfo(np.float64).tiny)
    error = np.minimum(4 * half / np.maximum(span - 2 * half, least), 1) + 2.0**-DIGITS
    return rounded, np.broadcast_to(np.where(span > 0, error, 0.0), rounded.shape)
