"""Lots: seeded numbers that decide between documents that a strategy leaves tied.

A strategy can leave documents tied, for example all documents with the same best rank in any run. If only a part of
them is selected, the documents with the largest lots are. Ties must not be resolved by doc_id: if the ids of one source
sort before those of another, one source would be taken whole and the other not at all.

The lot of a document is a hash of the seed, the query_id and the doc_id. So it depends neither on the order of the
input nor on other documents, and topics have independent lots. Random samples use numbers of their own, which are
independent of the lots. Within a run, documents are never ordered by lot, but always by `pooling.ranking`.
"""

import hashlib
from collections.abc import Iterable

import numpy as np
import pandas as pd

from pooling._io.order import order_with_ties

DEFAULT_SEED = 0
FOR_TIES = ("tie",)


def random_numbers(
    seed: int, query_ids: Iterable[str], doc_ids: Iterable[str], purpose: tuple[str, ...] = ()
) -> np.ndarray:
    """A number in [0, 1) for each document, from the hash of seed, purpose, query_id and doc_id.

    Shapes: the result (n,).
    """
    head = "".join(f"{part}\0" for part in (seed, *purpose))
    pairs = zip(query_ids, doc_ids, strict=True)
    digests = (hashlib.blake2b(f"{head}{q}\0{d}".encode(), digest_size=8).digest() for q, d in pairs)
    bits = np.frombuffer(b"".join(digests), dtype="<u8")
    # The high 53 bits, as many as float64 holds.
    return np.asarray((bits >> np.uint64(11)) * 2.0**-53)


def lots(seed: int, query_ids: Iterable[str], doc_ids: Iterable[str]) -> np.ndarray:
    """The lot of each document in [0, 1); of tied documents, the one with the largest lot goes first."""
    return random_numbers(seed, query_ids, doc_ids, FOR_TIES)


def order_by_lot(groups: np.ndarray, priority: np.ndarray, documents: pd.DataFrame, seed: int) -> np.ndarray:
    """Sort documents by group, then by priority descending, ties by lot.

    Shapes: `groups`, `priority`, the result (n,).
    """

    def lots_of(rows: np.ndarray) -> np.ndarray:
        tied = documents.iloc[rows]
        return lots(seed, tied["query_id"], tied["doc_id"])

    return order_with_ties(groups, priority, lots_of)
