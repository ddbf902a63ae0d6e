"""CombSUM, CombMNZ, CombMAX, CombMIN, CombMED and CombANZ: combine the normalised scores of the runs.

Each run's scores are first normalised to the range 0 to 1 per topic (`pooling.strategies.fusion.normalisation`). For
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

E. A. Fox and J. A. Shaw, Combination of multiple searches, TREC-2, 1994, 243-252 (the six combinations); J. H. Lee,
Analyses of multiple evidence combination, SIGIR 1997, 267-276 (the normalisation).
"""

import numpy as np

from pooling.ranking import RankedRuns
from pooling.strategies.fusion.normalisation import normalised, sums_and_counts
from pooling.strategies.selection import Selection, select_by_score


def combsum(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """CombSUM: the sum of a document's normalised scores (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest sums; the sum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or the runs were prepared without scores.
    """
    sums, _ = sums_and_counts(runs, depth)
    return select_by_score(runs, sums, size, depth)


def combmnz(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """CombMNZ: the sum of a document's normalised scores times the number of runs with it (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest products; the product is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or the runs were prepared without scores.
    """
    sums, counts = sums_and_counts(runs, depth)
    return select_by_score(runs, sums * counts, size, depth)


def combmax(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """CombMAX: the largest normalised score that any run gives a document (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest maxima; the maximum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or the runs were prepared without scores.
    """
    largest = np.full(len(runs.keys), np.nan)
    for items, scores in normalised(runs, depth):
        largest[items] = np.fmax(largest[items], scores)
    return select_by_score(runs, largest, size, depth)


def combmin(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """CombMIN: the smallest normalised score among the runs that retrieve a document (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest minima; the minimum is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or the runs were prepared without scores.
    """
    smallest = np.full(len(runs.keys), np.nan)
    for items, scores in normalised(runs, depth):
        smallest[items] = np.fmin(smallest[items], scores)
    return select_by_score(runs, smallest, size, depth)


def combmed(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """CombMED: the median of a document's normalised scores over the runs that retrieve it (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest medians; the median is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or the runs were prepared without scores.
    """
    items, scores = (np.concatenate(parts) for parts in zip(*normalised(runs, depth), strict=True))
    by_item = np.lexsort((scores, items))
    scored, first, count = np.unique(items[by_item], return_index=True, return_counts=True)
    upper, lower = scores[by_item][first + count // 2], scores[by_item][first + (count - 1) // 2]
    medians = np.full(len(runs.keys), np.nan)
    medians[scored] = (lower + upper) / 2
    return select_by_score(runs, medians, size, depth)


def combanz(runs: RankedRuns, *, size: int, depth: int | None = None) -> Selection:
    """CombANZ: the mean of a document's normalised scores over the runs that retrieve it (Fox and Shaw 1994).

    Parameters
    ----------
    runs : RankedRuns
        Runs prepared with `keep_scores=True`.
    size : int
        Number of documents to select per topic, at least 1. A topic with fewer documents gives all of them.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Selection
        The `size` documents of each topic with the largest means; the mean is the priority.

    Raises
    ------
    ValueError
        If `size` or `depth` is not a positive whole number, or the runs were prepared without scores.
    """
    sums, counts = sums_and_counts(runs, depth)
    return select_by_score(runs, sums / np.maximum(counts, 1), size, depth)
