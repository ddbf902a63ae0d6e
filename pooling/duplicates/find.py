"""Finds near-duplicates: MinHash proposes pairs of documents, and the Jaccard similarity of their shingles decides.

Every pair in the result has the similarity that is stated, because it is computed from the shingles. A pair exactly at
the threshold is missing with probability 0.001 at most, and one above it more rarely (`candidates`), if fewer than 50
documents agree with it in a band.

Candidates are pairs of documents whose MinHash signatures agree in all values of at least one band. A signature has
`PERMUTATIONS` values. It is cut into bands of `rows` values. Two sets with Jaccard similarity s agree in one value with
probability s, in one band with s**rows, and in at least one of b bands with 1 - (1 - s**rows)**b. `rows` is the largest
number for which this is at least `FOUND` at the threshold.

Sorting makes the time nearly linear in the number of documents. In a band, a document is compared with at most
`NEIGHBOURS` documents that agree with it, so that thousands of documents with the same boilerplate take no quadratic
time. They are in the order of their signatures, so that the most similar ones are close to each other, and each band
gives another selection.

J. Leskovec, A. Rajaraman and J. D. Ullman, Mining of massive datasets, 3rd edition, 2020, sections 3.3 and 3.4.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from pooling.duplicates.result import PAIR_COLUMNS, NearDuplicates
from pooling.duplicates.shingles import DEFAULT_SIZE, jaccard, shingles
from pooling.id_lists import id_keys
from pooling.ranking import check_whole

PERMUTATIONS = 256
FOUND = 0.999  # of the pairs at the threshold
NEIGHBOURS = 50


def signatures(sets: Sequence[np.ndarray], seed: int) -> np.ndarray:
    """Return the MinHash signature of each set of hashes, computed by datasketch.

    Shapes: the result (n_sets, PERMUTATIONS).
    """
    from datasketch import MinHash  # loads scipy

    minhashes = MinHash.bulk(
        [shingles.tolist() for shingles in sets],
        num_perm=PERMUTATIONS,
        seed=seed,
        hashfunc=_identity,
        scheme="affine64",
    )
    return np.array([each.hashvalues for each in minhashes], dtype=np.uint64).reshape(len(sets), PERMUTATIONS)


def rows_for(threshold: float) -> int:
    """Return the largest number of rows in a band at which pairs at the threshold are candidates almost surely."""
    fitting = [rows for rows in range(1, PERMUTATIONS + 1) if probability(threshold, rows) >= FOUND]
    return max(fitting, default=1)


def probability(similarity: float, rows: int) -> float:
    """Return the probability that a pair with this Jaccard similarity is a candidate."""
    return float(1 - (1 - similarity**rows) ** (PERMUTATIONS // rows))


def candidate_pairs(signature: np.ndarray, rows: int) -> np.ndarray:
    """Return the pairs of documents that agree in a band.

    Shapes: `signature` (n_documents, PERMUTATIONS); the result (n_pairs, 2).
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


LOWEST_THRESHOLD = 0.1


def near_duplicates(
    texts: Mapping[str, str], threshold: float = 0.8, *, shingle_size: int = DEFAULT_SIZE, seed: int = 0
) -> NearDuplicates:
    """Find the pairs of documents whose shingles have at least this Jaccard similarity.

    Parameters
    ----------
    texts : mapping of str to str
        The text of each document by doc_id, without markup.
    threshold : float
        The lowest similarity of a pair, from 0.1 to 1. At 1, pairs have the same shingles.
    shingle_size : int
        Words in a shingle, at least 1. Longer shingles make the similarity of changed texts lower.
    seed : int
        Seed of MinHash, from 0. It decides which of the pairs at the threshold are missing, if any.

    Returns
    -------
    NearDuplicates
        The pairs and their groups. Documents without words are in none. The order of `texts` has no effect.

    Raises
    ------
    ValueError
        If a parameter is not allowed, or `texts` is no dictionary of strings.

    References
    ----------
    A. Z. Broder, On the resemblance and containment of documents, Compression and Complexity of Sequences 1997, 21-29.

    Examples
    --------
    >>> from pooling import near_duplicates
    >>> texts = {"a": "The cat sat on the mat.", "b": "the cat sat on the mat", "c": "A dog lay on the floor."}
    >>> found = near_duplicates(texts)
    >>> found.groups()
    (('a', 'b'),)
    >>> found.pairs
      doc_id other  similarity
    0      a     b         1.0
    """
    _check(threshold, seed)
    check_whole("shingle_size", shingle_size)
    texts = id_keys("texts", texts)
    wrong = next((doc_id for doc_id, text in texts.items() if not isinstance(text, str)), None)
    if wrong is not None:
        raise ValueError(f"texts must have a string for each document, not {texts[wrong]!r:.60} for {wrong!r}")
    doc_ids = sorted(texts, key=str.encode)
    sets = [shingles(texts[doc_id], shingle_size) for doc_id in doc_ids]
    with_words = [at for at, each in enumerate(sets) if len(each)]
    first, same = _same_sets(sets, with_words)
    similar = _similar_pairs([sets[at] for at in first], threshold, seed)
    rows = [(doc_ids[a], doc_ids[b], 1.0) for a, b in same]
    rows += [(doc_ids[first[a]], doc_ids[first[b]], similarity) for a, b, similarity in similar]
    return NearDuplicates(
        pairs=_frame(rows),
        threshold=float(threshold),
        documents=len(with_words),
        without_words=tuple(doc_id for doc_id, each in zip(doc_ids, sets, strict=True) if not len(each)),
        shingle_size=shingle_size,
        seed=seed,
    )


def _check(threshold: float, seed: int) -> None:
    if not LOWEST_THRESHOLD <= threshold <= 1:
        raise ValueError(f"threshold must be from {LOWEST_THRESHOLD} to 1, not {threshold!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise ValueError(f"seed must be a whole number from 0 to 4294967295, not {seed!r}")


def _same_sets(sets: list[np.ndarray], with_words: list[int]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the first document of each different set, and the pairs of these with the others of the same set.

    Thousands of identical documents would otherwise be compared with each other.
    """
    first: dict[bytes, int] = {}
    same = []
    for at in with_words:
        earliest = first.setdefault(sets[at].tobytes(), at)
        if earliest != at:
            same.append((earliest, at))
    return list(first.values()), same


def _similar_pairs(sets: list[np.ndarray], threshold: float, seed: int) -> list[tuple[int, int, float]]:
    if len(sets) < 2:
        return []
    candidates = candidate_pairs(signatures(sets, seed), rows_for(threshold)).tolist()
    compared = ((a, b, jaccard(sets[a], sets[b])) for a, b in candidates if _can_reach(sets[a], sets[b], threshold))
    return [pair for pair in compared if pair[2] >= threshold]


def _can_reach(a: np.ndarray, b: np.ndarray, threshold: float) -> bool:
    """Whether two sets of these sizes can have this similarity, which is at most the smaller size by the larger."""
    return bool(min(len(a), len(b)) >= threshold * max(len(a), len(b)))


def _frame(rows: list[tuple[str, str, float]]) -> pd.DataFrame:
    ordered = sorted(rows, key=lambda row: (-row[2], row[0].encode(), row[1].encode()))
    frame = pd.DataFrame(ordered, columns=PAIR_COLUMNS)
    return frame.astype({"doc_id": "str", "other": "str", "similarity": "float64"})
