"""Candidate pairs of documents: those whose MinHash signatures agree in all values of at least one band.

A signature has `PERMUTATIONS` values. It is cut into bands of `rows` values. Two sets with Jaccard similarity s agree
in one value with probability s, in one band with s**rows, and in at least one of b bands with 1 - (1 - s**rows)**b.
`rows` is the largest number for which this is at least `FOUND` at the threshold.

Sorting makes the time nearly linear in the number of documents. In a band, a document is compared with at most
`NEIGHBOURS` documents that agree with it, so that thousands of documents with the same boilerplate take no quadratic
time. They are in the order of their signatures, so that the most similar ones are close to each other, and each band
gives another selection.

J. Leskovec, A. Rajaraman and J. D. Ullman, Mining of massive datasets, 3rd edition, 2020, sections 3.3 and 3.4.
"""

from collections.abc import Sequence

import numpy as np

PERMUTATIONS = 256
FOUND = 0.999  # of the pairs at the threshold
NEIGHBOURS = 50


def signatures(sets: Sequence[np.ndarray], seed: int) -> np.ndarray:
    """Return the MinHash signature of each set of hashes, computed by datasketch.

    Parameters
    ----------
    sets : sequence of ndarray of uint64
        The shingles of each document; none is empty.
    seed : int
        Seed of the permutations, from 0.

    Returns
    -------
    ndarray of uint64, shape (n_sets, PERMUTATIONS)
    """
    from datasketch import MinHash  # it loads scipy

    minhashes = MinHash.bulk(
        [shingles.tolist() for shingles in sets],
        num_perm=PERMUTATIONS,
        seed=seed,
        hashfunc=_identity,
        scheme="affine64",
    )
    return np.array([each.hashvalues for each in minhashes], dtype=np.uint64).reshape(len(sets), PERMUTATIONS)


def rows_for(threshold: float) -> int:
    """Return the largest number of rows in a band at which pairs at the threshold are candidates almost surely.

    Parameters
    ----------
    threshold : float
        The Jaccard similarity, above 0 and at most 1.

    Returns
    -------
    int
        From 1 to PERMUTATIONS.
    """
    fitting = [rows for rows in range(1, PERMUTATIONS + 1) if probability(threshold, rows) >= FOUND]
    return max(fitting, default=1)


def probability(similarity: float, rows: int) -> float:
    """Return the probability that a pair with this Jaccard similarity is a candidate.

    Parameters
    ----------
    similarity : float
        From 0 to 1.
    rows : int
        Values in a band, from 1 to PERMUTATIONS.

    Returns
    -------
    float
        From 0 to 1.
    """
    return float(1 - (1 - similarity**rows) ** (PERMUTATIONS // rows))


def candidate_pairs(signature: np.ndarray, rows: int) -> np.ndarray:
    """Return the pairs of documents that agree in a band.

    Parameters
    ----------
    signature : ndarray of uint64, shape (n_documents, PERMUTATIONS)
        One signature in each row.
    rows : int
        Values in a band.

    Returns
    -------
    ndarray of int64, shape (n_pairs, 2)
        Positions of documents, the lower one first, each pair once, ascending.
    """
    order = np.lexsort(signature.T[::-1])
    parts = [np.empty((0, 2), dtype=np.int64)]
    for first in range(0, signature.shape[1] - rows + 1, rows):
        parts += _of_band(signature[:, first : first + rows], order)
    pairs = np.sort(np.concatenate(parts), axis=1)
    return np.unique(pairs, axis=0)


def _of_band(band: np.ndarray, order: np.ndarray) -> list[np.ndarray]:
    """Return the pairs of one band: each document with those that follow it and have the same values."""
    by_band = order[np.lexsort(band[order].T)]  # lexsort is stable: documents that agree stay in the given order
    values = band[by_band]
    pairs = []
    equal = np.ones(len(band), dtype=bool)
    for step in range(1, min(NEIGHBOURS, len(band) - 1) + 1):
        equal = equal[:-1] & (values[step:] == values[:-step]).all(axis=1)
        if not equal.any():
            break
        at = np.flatnonzero(equal)
        pairs.append(np.column_stack([by_band[at], by_band[at + step]]))
    return pairs


def _identity(value: int) -> int:
    return value
