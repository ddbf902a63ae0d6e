"""The rankings of one topic as integers: everything that an adaptive strategy uses of the runs.

They do not change while the topic is judged, and can be stored once, apart from the state.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from pooling.adaptive.serialization import checksum, pack, unpack
from pooling.ids import id_text
from pooling.ranking import Runs, byte_codes, prepare
from pooling.words import count


@dataclass(frozen=True, eq=False)
class Rankings:
    """The rankings of all runs for one topic; created by `rankings_of`.

    Attributes
    ----------
    query_id : str
        The topic.
    doc_ids : tuple of str
        The documents of all runs, ascending in UTF-8 bytes.
    positions : ndarray of int32, shape (n_runs, n_ranks)
        For each run (systems ascending) and rank, the position of the document in `doc_ids`; n_documents beyond the
        end of a ranking.
    """

    query_id: str
    doc_ids: tuple[str, ...]
    positions: np.ndarray

    def __repr__(self) -> str:
        return f"Rankings: topic {self.query_id!r}, {count(self.n_runs, 'run')}, {count(self.n_documents, 'document')}"

    @property
    def n_runs(self) -> int:
        """The number of runs."""
        return len(self.positions)

    @property
    def n_documents(self) -> int:
        """The number of documents of all runs together."""
        return len(self.doc_ids)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The number of documents of each run; ndarray of int64, shape (n_runs,)."""
        return np.asarray((self.positions < self.n_documents).sum(axis=1))

    @cached_property
    def position_of(self) -> dict[str, int]:
        """The position in `doc_ids` of each document."""
        return {doc_id: position for position, doc_id in enumerate(self.doc_ids)}

    @cached_property
    def fingerprint(self) -> str:
        """A checksum that identifies these rankings; 32 hexadecimal digits."""
        return checksum(self.to_bytes()).hex()

    def runs_with(self, position: int) -> tuple[np.ndarray, np.ndarray]:
        """The runs that have a document, ascending, and its rank from 1 in each."""
        runs, ranks = np.divmod(np.flatnonzero(self.positions == position), self.positions.shape[1])
        return runs, ranks + 1

    def sum_by_document(self, values: np.ndarray) -> np.ndarray:
        """For each document, the sum over runs of the value at its rank.

        Parameters
        ----------
        values : ndarray of float, shape (n_runs, n_ranks)
            The value of each run and rank.

        Returns
        -------
        ndarray of float, shape (n_documents + 1,)
            The sums. The last entry belongs to no document.
        """
        return np.bincount(self.positions.ravel(), values.ravel(), minlength=self.n_documents + 1)

    def to_bytes(self) -> bytes:
        """Serialise the rankings; `from_bytes` reads them."""
        compact = self.positions.astype(np.min_scalar_type(self.n_documents))
        return pack({"query_id": self.query_id, "doc_ids": self.doc_ids}, {"positions": compact})

    @classmethod
    def from_bytes(cls, data: bytes | memoryview) -> "Rankings":
        """Read rankings that `to_bytes` has serialised.

        Parameters
        ----------
        data : bytes
            The serialised rankings.

        Returns
        -------
        Rankings
            The rankings.

        Raises
        ------
        ValueError
            If `data` does not contain rankings or is damaged.
        """
        record, arrays = unpack(data)
        if "doc_ids" not in record or "positions" not in arrays:
            raise ValueError("these bytes do not contain rankings")
        return cls(record["query_id"], tuple(record["doc_ids"]), _read_only(arrays["positions"].astype(np.int32)))


def rankings_of(runs: Runs, query_id: str | int, depth: int | None = None) -> Rankings:
    """Extract the rankings of one topic.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score. A run without the topic has an empty ranking.
    query_id : str or int
        The topic.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Returns
    -------
    Rankings
        The rankings of the topic.

    Raises
    ------
    ValueError
        If no run has the topic, `query_id` is neither a string nor a whole number, `depth` is not a positive whole
        number, or the runs were prepared with less depth.
    """
    query_id = id_text("query_id", query_id)
    runs = prepare(runs, depth=depth)
    if query_id not in runs.query_ids:
        raise ValueError(f"no run has topic {query_id!r}")
    items = runs.items[:, runs.query_ids.get_loc(query_id), :depth]
    retrieved, inverse = np.unique(items, return_inverse=True)
    retrieved = retrieved[retrieved < len(runs.keys)]
    # A key is the position of the topic times the number of documents, plus the position of the document.
    documents = pd.Series(runs.documents.take(runs.keys.to_numpy()[retrieved] % len(runs.documents)), dtype="str")
    position = np.append(byte_codes(documents), len(documents)).astype(np.int32)
    deepest = int((items < len(runs.keys)).sum(axis=1).max())
    positions = np.ascontiguousarray(position[inverse.reshape(items.shape)][:, :deepest])
    by_position = np.argsort(position[:-1])
    return Rankings(query_id, tuple(documents.to_numpy(dtype=object)[by_position].tolist()), _read_only(positions))


def _read_only(array: np.ndarray) -> np.ndarray:
    """The array, made read-only."""
    array.flags.writeable = False
    return array
