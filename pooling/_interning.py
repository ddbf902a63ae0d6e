"""Columns of strings as integers: what `pooling.ranking.prepare` is made of.

Strings are numbered where they stand (Arrow), and documents of all frames at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling._order import as_arrow, ranks_in_groups

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
        rank = ranks_in_groups(system[0] * len(topic[1]) + topic[0], scores, documents)
        if depth is None or not (rank > depth).any():
            return cls(system, topic, documents, scores, rank)
        rows = np.flatnonzero(rank <= depth)
        return cls(
            (system[0][rows], system[1]), (topic[0][rows], topic[1]), documents.take(rows), scores[rows], rank[rows]
        )


def merged(columns: list[tuple[np.ndarray, pd.Index]]) -> tuple[np.ndarray, pd.Index]:
    """One code for each name of all frames, where every frame had codes of its own; and the names, ascending."""
    names = [part for _, part in columns]
    code, together = pd.factorize(names[0].append(names[1:]), sort=True)
    begins = np.cumsum([0] + [len(part) for part in names[:-1]])
    return np.concatenate([code[begin + local] for begin, (local, _) in zip(begins, columns, strict=True)]), together


def numbered_documents(chunks: Iterable[pa.Array]) -> tuple[np.ndarray, pd.Index]:
    """A code for each document, and the documents, in the order in which they come; the chunks share one dictionary."""
    encoded = pa.chunked_array(list(chunks), type=pa.large_string()).dictionary_encode().combine_chunks()
    return encoded.indices.to_numpy().astype(np.int64), pd.Index(encoded.dictionary.to_pandas(), dtype="str")


def numbered_items(keys: np.ndarray, n_keys: int) -> tuple[np.ndarray, np.ndarray]:
    """A code for each key below `n_keys`, and the keys, ascending; by a table of all keys where there is room."""
    if n_keys > ROOM:
        return pd.factorize(keys, sort=True)
    there = np.zeros(n_keys, dtype=bool)
    there[keys] = True
    number = np.cumsum(there, dtype=np.int32)
    return number[keys] - 1, np.flatnonzero(there)


def repeated(codes: np.ndarray) -> int | None:
    """The first row whose value came before; None where there is none."""
    rows = np.flatnonzero(pd.Series(codes).duplicated())
    return int(rows[0]) if len(rows) else None


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
    codes = np.repeat(found.indices.to_numpy().astype(np.int64), np.diff(starts, append=len(strings)))
    return codes, pd.Index(found.dictionary.to_pylist(), dtype=object)
