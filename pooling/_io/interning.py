"""Convert columns of strings to integers, for `pooling.ranking.prepare`.

Arrow encodes the strings of each frame; the documents of all frames are encoded together.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling._io.order import as_arrow, ranks_in_groups

IDS = ["system", "query_id", "doc_id"]
MAX_TABLE_KEYS = 50_000_000  # a table of all keys takes 250 MB at most


@dataclass(frozen=True, eq=False)
class Chunk:
    """The rows of one DataFrame: systems and topics as codes with their names; documents, scores and ranks."""

    system: tuple[np.ndarray, pd.Index]
    topic: tuple[np.ndarray, pd.Index]
    documents: pa.Array
    score: np.ndarray
    rank: np.ndarray

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, depth: int | None, topics: Collection[str] | None = None) -> "Chunk":
        """The rows of a DataFrame with ranks 1 to `depth`, only in `topics` if these are passed; all its systems."""
        if missing := [column for column in [*IDS, "score"] if column not in frame.columns]:
            raise ValueError(f"runs need the columns {', '.join(IDS)}, score; missing: {', '.join(missing)}")
        system, topic = (_numbered(frame[column]) for column in IDS[:2])
        documents, score = frame["doc_id"], _finite_scores(frame["score"])
        _refuse_missing(documents)
        if topics is not None:
            rows, topic = _in_topics(topic, topics)
            system, documents, score = (system[0][rows], system[1]), documents.iloc[rows], score[rows]
        strings = _strings(documents)
        groups = system[0].astype(np.int64) * len(topic[1]) + topic[0]
        rank = ranks_in_groups(groups, score, strings).astype(np.int32)
        if depth is None or not (rank > depth).any():
            return cls(system, topic, strings, score, rank)
        rows = np.flatnonzero(rank <= depth)
        return cls(
            (system[0][rows], system[1]), (topic[0][rows], topic[1]), strings.take(rows), score[rows], rank[rows]
        )


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The rows of one DataFrame as int32 codes over all frames: system, topic, document; and rank and score."""

    system: np.ndarray
    topic: np.ndarray
    document: np.ndarray
    rank: np.ndarray
    score: np.ndarray

    def keys(self, n_documents: int) -> np.ndarray:
        """For each row: topic * n_documents + document."""
        return np.asarray(self.topic.astype(np.int64) * n_documents + self.document)

    def positions(self, shape: tuple[int, int, int]) -> np.ndarray:
        """The position of each row in a flat array of systems, topics and ranks."""
        return np.asarray((self.system.astype(np.int64) * shape[1] + self.topic) * shape[2] + (self.rank - 1))


def encode(chunks: list[Chunk]) -> tuple[list[CodedRows], pd.Index, pd.Index, pd.Index]:
    """The codes of each frame; systems and query_ids, both ascending; and the documents in order of occurrence."""
    system, systems = _merged([chunk.system for chunk in chunks])
    topic, query_ids = _merged([chunk.topic for chunk in chunks])
    document, documents = _numbered_documents(chunk.documents for chunk in chunks)
    columns = zip(system, topic, document, chunks, strict=True)
    rows = [CodedRows(s, t, d, chunk.rank, chunk.score) for s, t, d, chunk in columns]
    return rows, systems, query_ids, documents


def number_items(rows: list[CodedRows], n_topics: int, n_documents: int) -> tuple[list[np.ndarray], np.ndarray]:
    """A code for each key, frame by frame, and the keys, ascending. If small enough, a table is used."""
    if n_topics * n_documents > MAX_TABLE_KEYS:
        codes, keys = pd.factorize(np.concatenate([one.keys(n_documents) for one in rows]), sort=True)
        return np.split(codes, np.cumsum([len(one.rank) for one in rows])[:-1]), keys
    occurs = np.zeros(n_topics * n_documents, dtype=bool)
    for one in rows:  # computing the keys twice is faster than keeping them
        occurs[one.keys(n_documents)] = True
    number = np.cumsum(occurs, dtype=np.int32)
    number -= 1
    return [number[one.keys(n_documents)] for one in rows], np.flatnonzero(occurs)


def _merged(columns: list[tuple[np.ndarray, pd.Index]]) -> tuple[list[np.ndarray], pd.Index]:
    """Common codes for the names of all frames, each of which has codes of its own; and the names, ascending."""
    names = [part for _, part in columns]
    code, together = pd.factorize(names[0].append(names[1:]), sort=True)
    parts = np.split(code.astype(np.int32), np.cumsum([len(part) for part in names])[:-1])
    return [part[local] for part, (local, _) in zip(parts, columns, strict=True)], together


def _numbered_documents(chunks: Iterable[pa.Array]) -> tuple[list[np.ndarray], pd.Index]:
    """A code for each document, frame by frame, and the documents. The frames share one dictionary."""
    arrays = list(chunks)
    filled = [array for array in arrays if len(array)]  # Arrow drops empty chunks
    if not filled:
        return [np.zeros(0, np.int32) for _ in arrays], pd.Index([], dtype="str")
    encoded = pa.chunked_array(filled, type=pa.large_string()).dictionary_encode().chunks
    codes = iter([chunk.indices.to_numpy() for chunk in encoded])
    documents = pd.Index(encoded[-1].dictionary.to_pandas(), dtype="str")
    return [next(codes) if len(array) else np.zeros(0, np.int32) for array in arrays], documents


def first_duplicate(rows: list[CodedRows], n_documents: int) -> tuple[int, int, int]:
    """System, topic and document of the first row that repeats a document of its system and topic."""
    for one in rows:  # a system is in one frame
        pairs = pd.DataFrame({"system": one.system, "key": one.keys(n_documents)})
        twice = np.flatnonzero(pairs.duplicated())
        if len(twice):
            return int(one.system[twice[0]]), int(one.topic[twice[0]]), int(one.document[twice[0]])
    raise ValueError("no document occurs twice")


def has_duplicates(items: np.ndarray, n_items: int) -> bool:
    """Whether some system has an item at two ranks."""
    return any((np.bincount(one.reshape(-1), minlength=n_items + 1)[:n_items] > 1).any() for one in items)


def _strings(column: pd.Series) -> pa.Array:
    """A column of ids as strings."""
    _refuse_missing(column)
    return as_arrow(column.astype("str"))


def _finite_scores(column: pd.Series) -> np.ndarray:
    """The scores as float64; ValueError if one is a text, missing or infinite."""
    if not pd.api.types.is_numeric_dtype(column):
        for value in column:
            if isinstance(value, str):
                raise ValueError(f"every score of a run must be a finite number; {value!r} is a text")
    score = column.to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(score).all():
        raise ValueError("every score of a run must be a finite number; at least one is missing or infinite")
    return score


def _refuse_missing(column: pd.Series) -> None:
    if column.isna().any():
        raise ValueError(f"every row of a run needs a {column.name}; at least one is missing")


def _in_topics(
    topic: tuple[np.ndarray, pd.Index], topics: Collection[str]
) -> tuple[np.ndarray, tuple[np.ndarray, pd.Index]]:
    """The positions of the rows in some topics, and the topics of these rows as codes with their names.

    If there is none of the topics, the first topic stays, so that an error can name a topic of the runs.
    """
    codes, names = topic
    kept = names.isin(topics)
    if not kept.any():
        kept[:1] = True
    rows = np.flatnonzero(kept[codes])
    return rows, ((np.cumsum(kept) - 1)[codes[rows]], names[kept])


def _numbered(column: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """A code for each name in a column of ids, and the names. Adjacent equal names are looked up once."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _numbered_categories(column)
    strings = _strings(column)
    changes = pc.not_equal(strings[1:], strings[:-1]).to_numpy(zero_copy_only=False)
    starts = np.flatnonzero(np.concatenate(([True], changes)))[: len(strings)]
    encoded = strings.take(starts).dictionary_encode()
    codes = np.repeat(encoded.indices.to_numpy(), np.diff(starts, append=len(strings)))
    return codes, pd.Index(encoded.dictionary.to_pylist(), dtype=object)


def _numbered_categories(column: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """The same for a categorical column. Its categories may be unused, or equal as strings."""
    _refuse_missing(column)
    number, names = pd.factorize(column.cat.categories.astype("str"))
    codes = number[column.cat.codes.to_numpy()]
    used = np.bincount(codes, minlength=len(names)) > 0
    return (np.cumsum(used) - 1)[codes], pd.Index(names[used], dtype=object)
