"""The rankings of one topic as integers: all that an adaptive strategy sees of the runs.

They do not change while the topic is judged, and can be kept once, apart from the state.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from pooling.adaptive.serialization import checksum, pack, unpack
from pooling.ranking import RankedRuns, byte_codes, prepare


@dataclass(frozen=True, eq=False)
class Rankings:
    """What the runs retrieved for a topic; made by `rankings_of`.

    Attributes
    ----------
    query_id : str
    doc_ids : tuple of str
        Every document that a run has, ascending as bytes: of two tied documents the later one goes first.
    positions : ndarray of int32, shape (n_runs, n_ranks)
        For each run, the systems ascending, the position in `doc_ids` of the document at each rank, and the number of
        documents where the ranking is shorter.
    """

    query_id: str
    doc_ids: tuple[str, ...]
    positions: np.ndarray

    @property
    def n_runs(self) -> int:
        return self.positions.shape[0]

    @property
    def n_documents(self) -> int:
        return len(self.doc_ids)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Number of documents that each run has; int64, shape (n_runs,)."""
        return (self.positions < self.n_documents).sum(axis=1)

    @cached_property
    def position_of(self) -> dict[str, int]:
        """Where each document stands in `doc_ids`."""
        return {doc_id: position for position, doc_id in enumerate(self.doc_ids)}

    @cached_property
    def fingerprint(self) -> str:
        """Tells these rankings from all others; 32 hexadecimal digits."""
        return checksum(self.to_bytes()).hex()

    def holders(self, position: int) -> tuple[np.ndarray, np.ndarray]:
        """The runs that have a document, ascending, and the rank from 1 that each gives it."""
        runs, ranks = np.divmod(np.flatnonzero(self.positions == position), self.positions.shape[1])
        return runs, ranks + 1

    def to_bytes(self) -> bytes:
        """To be kept; `from_bytes` reads it."""
        compact = self.positions.astype(np.min_scalar_type(self.n_documents))
        return pack({"query_id": self.query_id, "doc_ids": self.doc_ids}, {"positions": compact})

    @classmethod
    def from_bytes(cls, data: bytes) -> "Rankings":
        """What `to_bytes` wrote.

        Raises
        ------
        ValueError
            These are not such bytes, or they are damaged.
        """
        record, arrays = unpack(data)
        if "doc_ids" not in record or "positions" not in arrays:
            raise ValueError("these bytes hold no rankings")
        return cls(record["query_id"], tuple(record["doc_ids"]), _fixed(arrays["positions"].astype(np.int32)))


def rankings_of(
    runs: RankedRuns | pd.DataFrame | Iterable[pd.DataFrame], query_id: str, depth: int | None = None
) -> Rankings:
    """The rankings of one topic.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
        As for `pooling.ranking.prepare`. A run that lacks the topic has a ranking without documents.
    query_id : str
    depth : int, optional
        Ranks of each run that are looked at, from 1; all where it is left out.

    Raises
    ------
    ValueError
        No run has the topic, the depth is no whole number from 1, or the runs were prepared with less than it.
    """
    runs = prepare(runs, depth=depth)
    if query_id not in runs.query_ids:
        raise ValueError(f"topic {query_id!r} is in no run")
    items = runs.items[:, runs.query_ids.get_loc(query_id), :depth]
    retrieved, inverse = np.unique(items, return_inverse=True)
    retrieved = retrieved[retrieved < len(runs.keys)]
    documents = pd.Series(runs.documents.take(runs.keys.to_numpy()[retrieved] % len(runs.documents)), dtype="str")
    place = np.append(byte_codes(documents), len(documents)).astype(np.int32)
    deepest = int((items < len(runs.keys)).sum(axis=1).max())
    positions = np.ascontiguousarray(place[inverse.reshape(items.shape)][:, :deepest])
    by_place = np.argsort(place[:-1])
    return Rankings(str(query_id), tuple(documents.to_numpy(dtype=object)[by_place].tolist()), _fixed(positions))


def _fixed(array: np.ndarray) -> np.ndarray:
    """The array, which nobody can write to from now on."""
    array.flags.writeable = False
    return array
