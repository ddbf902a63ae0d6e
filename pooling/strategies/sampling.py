"""Samples without replacement, of groups of documents, that depend on seed, topic and document alone."""

import hashlib

import numpy as np

from pooling.ranking import RankedRuns, check_whole, order, places


def sampled(
    runs: RankedRuns, items: np.ndarray, groups: np.ndarray, counts: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A simple random sample of each group.

    Parameters
    ----------
    runs : RankedRuns
    items : ndarray of int, shape (n,)
    groups : ndarray of int, shape (n,)
        The group of each item, from 0; the items of a group are of one topic.
    counts : ndarray of int, shape (n_groups,)
        How many to draw of each group, at most as many as it has.
    seed : int
        From 0.

    Returns
    -------
    items, lots, probabilities : ndarray
        Of what was drawn: the lot that the item drew (in [0, 1), the largest first), and the probability of its
        being drawn. Every document draws its lot for itself, so that more runs do not change those of the others.
    """
    check_whole("seed", seed, least=0)
    lots = _lots(runs, items, seed)
    rows = order(groups, lots, runs.doc_ids_of_items[items])
    drawn = rows[places(groups[rows]) <= counts[groups[rows]]]
    sizes = np.bincount(groups, minlength=len(counts))
    return items[drawn], lots[drawn], (counts / np.maximum(sizes, 1))[groups[drawn]]


def _lots(runs: RankedRuns, items: np.ndarray, seed: int) -> np.ndarray:
    """A number in [0, 1) for each document of a topic, by the hash of seed, query_id and doc_id."""
    query_ids = runs.query_ids[runs.topics_of_items[items]]
    pairs = zip(query_ids, runs.doc_ids_of_items[items], strict=True)
    digests = (hashlib.blake2b(f"{seed}\0{q}\0{d}".encode(), digest_size=8).digest() for q, d in pairs)
    bits = np.frombuffer(b"".join(digests), dtype="<u8")
    return (bits >> np.uint64(11)) * 2.0**-53
