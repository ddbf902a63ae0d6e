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
        frame = _checked(frame)
        scores = frame["score"].to_numpy(dtype=np.float64, na_value=np.nan)
        if not np.isfinite(scores).all():
            raise ValueError("every score of a run is a finite number; one is missing or infinite")
        system, topic = _numbered(frame["system"]), _numbered(frame["query_id"])
        rank = ranks_in_groups(system[0] * len(topic[1]) + topic[0], scores, frame["doc_id"])
        rows = slice(None) if depth is None else np.flatnonzero(rank <= depth)
        documents = as_arrow(frame["doc_id"].iloc[rows])
        return cls((system[0][rows], system[1]), (topic[0][rows], topic[1]), documents, scores[rows], rank[rows])


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


def _checked(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns of a run, the ids as strings."""
    if lacking := [column for column in [*IDS, "score"] if column not in frame.columns]:
        raise ValueError(f"a run has the columns {', '.join(IDS)}, score; lacking {', '.join(lacking)}")
    for column in IDS:
        if frame[column].isna().any():
            raise ValueError(f"a run has a {column} in every row; one is missing")
    return frame[[*IDS, "score"]].astype(dict.fromkeys(IDS, "str"))


def _numbered(column: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """A code for each name, and the names; equal names mostly stand together, so that only changes are looked up."""
    strings = as_arrow(column)
    changes = pc.not_equal(strings[1:], strings[:-1]).to_numpy(zero_copy_only=False)
    starts = np.flatnonzero(np.concatenate(([True], changes)))[: len(strings)]
    codes, names = pd.factorize(column.iloc[starts])
    return np.repeat(codes, np.diff(starts, append=len(strings))), pd.Index(names, dtype=object)
