"""Random samples without replacement that depend only on seed, topic and document."""

import hashlib

import numpy as np

from pooling.ranking import RankedRuns, check_whole, order, places


def sampled(
    runs: RankedRuns, items: np.ndarray, groups: np.ndarray, counts: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a simple random sample from each group.

    Every document has a random number of its own, so adding runs does not change the numbers of other documents.

    Parameters
    ----------
    runs : RankedRuns
        The prepared runs.
    items : ndarray of int, shape (n,)
        Positions in `RankedRuns.keys`.
    groups : ndarray of int, shape (n,)
        The group of each item, from 0. All items of a group belong to one topic.
    counts : ndarray of int, shape (n_groups,)
        Number of items to draw from each group, at most its size.
    seed : int
        Seed of the random numbers, from 0.

    Returns
    -------
    items, numbers, probabilities : ndarray
        The drawn items, their random numbers in [0, 1) (the largest numbers are drawn), and the probability with
        which each was drawn.
    """
    check_whole("seed", seed, least=0)
    numbers = _random_numbers(runs, items, seed)
    rows = order(groups, numbers, runs.doc_ids_of_items[items])
    drawn = rows[places(groups[rows]) <= counts[groups[rows]]]
    sizes = np.bincount(groups, minlength=len(counts))
    return items[drawn], numbers[drawn], (counts / np.maximum(sizes, 1))[groups[drawn]]


def _random_numbers(runs: RankedRuns, items: np.ndarray, seed: int) -> np.ndarray:
    """A number in [0, 1) for each item, from the hash of seed, query_id and doc_id."""
    query_ids = runs.query_ids[runs.topics_of_items[items]]
    pairs = zip(query_ids, runs.doc_ids_of_items[items], strict=True)
    digests = (hashlib.blake2b(f"{seed}\0{q}\0{d}".encode(), digest_size=8).digest() for q, d in pairs)
    bits = np.frombuffer(b"".join(digests), dtype="<u8")
    return (bits >> np.uint64(11)) * 2.0**-53
