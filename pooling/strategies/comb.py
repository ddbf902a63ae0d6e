"""CombSUM, CombMNZ, CombMAX, CombMIN, CombMED and CombANZ: combine the normalised scores of the runs.

Each run's scores are first normalised to the range 0 to 1 per topic (`pooling.strategies.normalisation`). For
each document, let S be the normalised scores of the m runs that retrieve it:

======== =========================
strategy score
======== =========================
combsum  sum(S)
combmnz  m * sum(S)
combmax  max(S)
combmin  min(S)
combmed  median(S)
combanz  sum(S) / m
======== =========================

Documents are tied if their exact scores are equal, as fractions (`pooling.strategies.exact_ties`).

E. A. Fox and J. A. Shaw, Combination of multiple searches, TREC-2, 1994, 243-252 (the six combinations); J. H. Lee,
Analyses of multiple evidence combination, SIGIR 1997, 267-276 (the normalisation).
"""

from fractions import Fraction
from statistics import median

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.exact_ties import Combine, with_exact_ties
from pooling.strategies.lots import DEFAULT_SEED
from pooling.strategies.normalisation import normalised, sums
from pooling.strategies.selection import Selection, best_ranks, select_by_score


def combsum(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """CombSUM: the sum of a document's normalised scores (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest sums; the sum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number
        from 0, or the runs were prepared without scores.
    """
    total = sums(runs, depth)
    return _select(runs, total.shares, total.errors, _sum, size, depth, seed)


def combmnz(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """CombMNZ: the sum of a document's normalised scores times the number of runs with it (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest products; the product is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number
        from 0, or the runs were prepared without scores.
    """
    total = sums(runs, depth)
    products, errors = total.shares * total.counts, total.errors * total.counts
    return _select(runs, products, errors, lambda shares: _sum(shares) * len(shares), size, depth, seed)


def combmax(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """CombMAX: the largest normalised score that any run gives a document (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest maxima; the maximum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number
        from 0, or the runs were prepared without scores.
    """
    largest = np.zeros(len(runs.keys))
    for items, shares, *_ in normalised(runs, depth):
        largest[items] = np.maximum(largest[items], shares)
    return _select(runs, largest, sums(runs, depth).largest_errors, max, size, depth, seed)


def combmin(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """CombMIN: the smallest normalised score among the runs that retrieve a document (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest minima; the minimum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number
        from 0, or the runs were prepared without scores.
    """
    smallest = np.ones(len(runs.keys))
    for items, shares, *_ in normalised(runs, depth):
        smallest[items] = np.minimum(smallest[items], shares)
    return _select(runs, smallest, sums(runs, depth).largest_errors, min, size, depth, seed)


def combmed(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """CombMED: the median of a document's normalised scores over the runs that retrieve it (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest medians; the median is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number
        from 0, or the runs were prepared without scores.
    """
    items, shares, *_ = (np.concatenate(parts) for parts in zip(*normalised(runs, depth), strict=True))
    by_item = np.lexsort((shares, items))
    scored, first, count = np.unique(items[by_item], return_index=True, return_counts=True)
    upper, lower = shares[by_item][first + count // 2], shares[by_item][first + (count - 1) // 2]
    medians = np.zeros(len(runs.keys))
    medians[scored] = (lower + upper) / 2
    return _select(runs, medians, sums(runs, depth).largest_errors, median, size, depth, seed)


def combanz(runs: RankedRuns, *, size: int, depth: int | None = None, seed: int = DEFAULT_SEED) -> Selection:
    """CombANZ: the mean of a document's normalised scores over the runs that retrieve it (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.
    seed : int
        Seed of the lots that decide which of the tied documents at the end of the pool are selected, from 0.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest means; the mean is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, `seed` is not a whole number
        from 0, or the runs were prepared without scores.
    """
    total = sums(runs, depth)
    means, errors = (values / np.maximum(total.counts, 1) for values in (total.shares, total.errors))
    return _select(runs, means, errors, lambda shares: _sum(shares) / len(shares), size, depth, seed)


def _sum(shares: list[Fraction]) -> Fraction:
    """The sum of fractions."""
    return sum(shares, Fraction(0))


def _select(
    runs: RankedRuns,
    approximate: np.ndarray,
    errors: np.ndarray,
    combine: Combine,
    size: int,
    depth: int | None,
    seed: int,
) -> Selection:
    """Select by approximate scores of the items with these errors, after exact ties are found."""
    approximate = np.where(best_ranks(runs, depth) > 0, approximate, np.nan)
    errors = errors + np.abs(approximate) * 2.0**-50  # products and means are rounded
    return select_by_score(runs, with_exact_ties(runs, approximate, errors, combine, depth), size, depth, seed)
