"""Columns of strings as integers: what `pooling.ranking.prepare` is made of.

Strings are numbered where they stand (Arrow), and documents of all frames at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling._io.order import as_arrow, ranks_in_groups

IDS = ["system", "query_id", "doc_id"]
ROOM = 50_000_000  # keys that a table is made for: 250 MB


@dataclass(frozen=True, eq=False)
class Chunk:
    """The rows of one frame: systems and topics as codes and the names they stand for; documents, scores, ranks."""

    system: tuple[np.ndarray, pd.Index]
    topic: tuple[np.ndarray, pd.Index]
    documents: pa.Array
    score: np.ndarray
    rank: np.ndarray

    @classmethod
    def of(cls, frame: pd.DataFrame, depth: int | None) -> "Chunk":
        """The rows of a frame, those of rank 1 to `depth`."""
        if lacking := [column for column in [*IDS, "score"] if column not in frame.columns]:
            raise ValueError(f"a run has the columns {', '.join(IDS)}, score; lacking {', '.join(lacking)}")
        systems, query_ids, documents = (_strings(frame[column]) for column in IDS)
        scores = frame["score"].to_numpy(dtype=np.float64, na_value=np.nan)
        if not np.isfinite(scores).all():
            raise ValueError("every score of a run is a finite number; one is missing or infinite")
        system, topic = _numbered(systems), _numbered(query_ids)
        groups = system[0].astype(np.int64) * len(topic[1]) + topic[0]
        rank = ranks_in_groups(groups, scores, documents).astype(np.int32)
        if depth is None or not (rank > depth).any():
            return cls(system, topic, documents, scores, rank)
        rows = np.flatnonzero(rank <= depth)
        return cls(
            (system[0][rows], system[1]), (topic[0][rows], topic[1]), documents.take(rows), scores[rows], rank[rows]
        )


@dataclass(frozen=True, eq=False)
class Coded:
    """The rows of one frame as numbers (int32): system, topic and document by their place among all, and the rank."""

    system: np.ndarray
    topic: np.ndarray
    document: np.ndarray
    rank: np.ndarray
    score: np.ndarray

    def keys(self, n_documents: int) -> np.ndarray:
        """Of every row: topic * number of documents + document."""
        return self.topic.astype(np.int64) * n_documents + self.document

    def places(self, shape: tuple[int, int, int]) -> np.ndarray:
        """Of every row its place in a flat array of systems, topics and ranks."""
        return (self.system.astype(np.int64) * shape[1] + self.topic) * shape[2] + (self.rank - 1)


def coded(chunks: list[Chunk]) -> tuple[list[Coded], pd.Index, pd.Index, pd.Index]:
    """The frames as numbers; systems and query_ids, both ascending, and the documents, in the order they come."""
    system, systems = _merged([chunk.system for chunk in chunks])
    topic, query_ids = _merged([chunk.topic for chunk in chunks])
    document, documents = _numbered_documents(chunk.documents for chunk in chunks)
    columns = zip(system, topic, document, chunks, strict=True)
    rows = [Coded(*codes, chunk.rank, chunk.score) for *codes, chunk in columns]
    return rows, systems, query_ids, documents


def numbered_items(rows: list[Coded], n_topics: int, n_documents: int) -> tuple[list[np.ndarray], np.ndarray]:
    """A code for each key, frame by frame, and the keys, ascending; by a table of all keys where there is room."""
    if n_topics * n_documents > ROOM:
        codes, keys = pd.factorize(np.concatenate([one.keys(n_documents) for one in rows]), sort=True)
        return np.split(codes, np.cumsum([len(one.rank) for one in rows])[:-1]), keys
    there = np.zeros(n_topics * n_documents, dtype=bool)
    for one in rows:  # twice the same sums: to keep them would take longer
        there[one.keys(n_documents)] = True
    number = np.cumsum(there, dtype=np.int32)
    number -= 1
    return [number[one.keys(n_documents)] for one in rows], np.flatnonzero(there)


def _merged(columns: list[tuple[np.ndarray, pd.Index]]) -> tuple[list[np.ndarray], pd.Index]:
    """One code for each name of all frames, where every frame had codes of its own; and the names, ascending."""
    names = [part for _, part in columns]
    code, together = pd.factorize(names[0].append(names[1:]), sort=True)
    parts = np.split(code.astype(np.int32), np.cumsum([len(part) for part in names])[:-1])
    return [part[local] for part, (local, _) in zip(parts, columns, strict=True)], together


def _numbered_documents(chunks: Iterable[pa.Array]) -> tuple[list[np.ndarray], pd.Index]:
    """A code for each document, frame by frame, and the documents; the frames share one dictionary."""
    encoded = pa.chunked_array(list(chunks), type=pa.large_string()).dictionary_encode()
    documents = encoded.chunk(encoded.num_chunks - 1).dictionary
    return [chunk.indices.to_numpy() for chunk in encoded.chunks], pd.Index(documents.to_pandas(), dtype="str")


def repeated(rows: list[Coded], n_documents: int) -> tuple[int, int, int]:
    """System, topic and document of a row whose system has the document a second time."""
    for one in rows:  # a system is in one frame
        pairs = pd.DataFrame({"system": one.system, "key": one.keys(n_documents)})
        twice = np.flatnonzero(pairs.duplicated())
        if len(twice):
            return int(one.system[twice[0]]), int(one.topic[twice[0]]), int(one.document[twice[0]])
    raise ValueError("no document came twice")


def twice_in_a_system(items: np.ndarray, n_items: int) -> bool:
    """Whether some system has an item at two ranks."""
    return any((np.bincount(one.reshape(-1), minlength=n_items + 1)[:n_items] > 1).any() for one in items)


def _strings(column: pd.Series) -> pa.Array:
    """A column of ids as strings."""
    strings = as_arrow(column.astype("str"))
    if strings.null_count:
        raise ValueError(f"a run has a {column.name} in every row; one is missing")
    return strings


def _numbered(strings: pa.Array) -> tuple[np.ndarray, pd.Index]:
    """A code for each name, and the names; equal names mostly stand together, so that only changes are looked up."""
    changes = pc.not_equal(strings[1:], strings[:-1]).to_numpy(zero_copy_only=False)
    starts = np.flatnonzero(np.concatenate(([True], changes)))[: len(strings)]
    found = strings.take(starts).dictionary_encode()
    codes = np.repeat(found.indices.to_numpy(), np.diff(starts, append=len(strings)))
    return codes, pd.Index(found.dictionary.to_pylist(), dtype=object)
