"""Convert columns of strings to integers, for `pooling.ranking.prepare`.

Arrow encodes the strings of each frame. The documents of all frames are encoded together, topic by topic if the rows of
a topic are adjacent: the dictionary of one topic fits into the cache of the processor, and that of all topics does not.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from os import PathLike

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pooling._io.columns import RunColumns
from pooling._io.order import as_arrow, ranks_in_groups
from pooling.run_files.fields import without_separators

IDS = ["system", "query_id", "doc_id"]
MAX_TABLE_KEYS = 50_000_000  # a table of all keys takes 250 MB at most
NO_SCORES = np.zeros(0)
MIN_STRETCH = 100  # mean number of adjacent rows of a topic from which encoding topic by topic is faster


@dataclass(frozen=True, eq=False)
class Chunk:
    """The rows of one DataFrame or file.

    Systems and topics are codes with their names; documents, scores and ranks have one value for each row. Scores are
    empty unless they are kept. `path` is the file if its duplicate documents must still be looked for. With
    `has_separators`, each document ends with a space.
    """

    system: tuple[np.ndarray, pd.Index]
    topic: tuple[np.ndarray, pd.Index]
    documents: pa.Array
    score: np.ndarray
    rank: np.ndarray
    path: str | PathLike[str] | None = None
    has_separators: bool = False

    @classmethod
    def from_columns(cls, columns: RunColumns, path: str | PathLike[str], keep_scores: bool) -> "Chunk":
        """All rows of a run file with one tag; it is not known whether a document occurs twice."""
        names = pd.Index(columns.trimmed(columns.tag[:1]).to_pylist(), dtype=object)
        system = _constant(0, len(columns.score)), names
        codes, names = _numbered_strings(columns.query_id)
        topic = codes, pd.Index(columns.trimmed(names).to_pylist(), dtype=object)
        rank = ranks_in_groups(codes, columns.score, columns.doc_id).astype(np.int32)
        score = columns.score if keep_scores else NO_SCORES
        return cls(system, topic, columns.doc_id, score, rank, path, columns.has_separators)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        depth: int | None,
        topics: Collection[str] | None = None,
        keep_scores: bool = True,
    ) -> "Chunk":
        """The rows of a DataFrame with ranks 1 to `depth`, only in `topics` if these are passed; all its systems."""
        if missing := [column for column in [*IDS, "score"] if column not in frame.columns]:
            raise ValueError(f"runs need the columns {', '.join(IDS)}, score; missing: {', '.join(missing)}")
        system, topic = (_numbered(frame[column]) for column in IDS[:2])
        documents, score = _strings(frame["doc_id"]), _finite_scores(frame["score"])
        if topics is not None and not set(topic[1]) <= set(topics):
            rows, topic = _in_topics(topic, topics)
            system, documents, score = (system[0][rows], system[1]), documents.take(rows), score[rows]
        groups = system[0].astype(np.int64) * len(topic[1]) + topic[0]
        rank = ranks_in_groups(groups, score, documents).astype(np.int32)
        kept = score if keep_scores else NO_SCORES
        if depth is None or not (rank > depth).any():
            return cls(system, topic, documents, kept, rank)
        rows = np.flatnonzero(rank <= depth)
        kept = score[rows] if keep_scores else NO_SCORES
        return cls((system[0][rows], system[1]), (topic[0][rows], topic[1]), documents.take(rows), kept, rank[rows])


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The rows of one DataFrame as int32 codes over all frames: system, topic and item; and rank and score."""

    system: np.ndarray
    topic: np.ndarray
    item: np.ndarray
    rank: np.ndarray
    score: np.ndarray

    def positions(self, shape: tuple[int, int, int]) -> np.ndarray:
        """The position of each row in a flat array of systems, topics and ranks."""
        return np.asarray((self.system.astype(np.int64) * shape[1] + self.topic) * shape[2] + (self.rank - 1))


@dataclass(frozen=True, eq=False)
class Items:
    """The item of each row, frame by frame, as a position in the keys; the keys, ascending; and the documents.

    A key is topic * number of documents + document.
    """

    codes: list[np.ndarray]
    keys: np.ndarray
    documents: pd.Index


def encode(chunks: list[Chunk]) -> tuple[list[CodedRows], pd.Index, pd.Index, Items]:
    """The codes of each frame; systems and query_ids, both ascending; and the items."""
    system, systems = _merged([chunk.system for chunk in chunks])
    topic, query_ids = _merged([chunk.topic for chunk in chunks])
    items = _items(chunks, topic, len(query_ids))
    columns = zip(system, topic, items.codes, chunks, strict=True)
    rows = [CodedRows(s, t, i, chunk.rank, chunk.score) for s, t, i, chunk in columns]
    return rows, systems, query_ids, items


def _items(chunks: list[Chunk], topics: list[np.ndarray], n_topics: int) -> Items:
    """The items of all chunks. If all documents have separators, these are removed from the distinct documents only."""
    documents = [chunk.documents for chunk in chunks]
    if all(chunk.has_separators for chunk in chunks):
        items = number_items(documents, topics, n_topics)
        return replace(items, documents=_index(without_separators(as_arrow(items.documents))))
    trimmed = [without_separators(chunk.documents) if chunk.has_separators else chunk.documents for chunk in chunks]
    return number_items(trimmed, topics, n_topics)


def _merged(columns: list[tuple[np.ndarray, pd.Index]]) -> tuple[list[np.ndarray], pd.Index]:
    """Common codes for the names of all frames, each of which has codes of its own; and the names, ascending."""
    names = [part for _, part in columns]
    code, together = pd.factorize(names[0].append(names[1:]), sort=True)
    parts = np.split(code.astype(np.int32), np.cumsum([len(part) for part in names])[:-1])
    return [_renumbered(part, local) for part, (local, _) in zip(parts, columns, strict=True)], together


def _renumbered(number: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The number of each code, without new memory if all are the same code or each code is its number."""
    if len(number) == 1:
        return _constant(int(number[0]), len(codes))
    return codes if (number == np.arange(len(number))).all() else number[codes]


def _constant(value: int, n_rows: int) -> np.ndarray:
    """The same int32 for all rows, which takes the memory of one."""
    return np.broadcast_to(np.int32(value), n_rows)


def number_items(chunks: list[pa.Array], topics: list[np.ndarray], n_topics: int) -> Items:
    """The items of all frames, topic by topic if the rows of a topic are adjacent."""
    bounds = [np.append(_starts(topic[1:] != topic[:-1], len(topic)), len(topic)) for topic in topics]
    n_stretches = sum(len(edges) - 1 for edges in bounds)
    if n_stretches and sum(map(len, chunks)) >= MIN_STRETCH * n_stretches:
        return _items_by_topic(chunks, topics, bounds, n_topics)
    codes, documents = _encoded(chunks)
    keys = [t.astype(np.int64) * len(documents) + d for t, d in zip(topics, codes, strict=True)]
    return Items(*_numbered_keys(keys, n_topics * len(documents)), _index(documents))


def _numbered_keys(keys: list[np.ndarray], n_possible: int) -> tuple[list[np.ndarray], np.ndarray]:
    """A code for each key, frame by frame, and the keys, ascending. If small enough, a table is used."""
    if n_possible > MAX_TABLE_KEYS:
        codes, distinct = pd.factorize(np.concatenate(keys), sort=True)
        return np.split(codes.astype(np.int32), np.cumsum([len(one) for one in keys])[:-1]), distinct
    occurs = np.zeros(n_possible, dtype=bool)
    for one in keys:
        occurs[one] = True
    number = np.cumsum(occurs, dtype=np.int32)
    number -= 1
    return [number[one] for one in keys], np.flatnonzero(occurs)


def _items_by_topic(chunks: list[pa.Array], topics: list[np.ndarray], bounds: list[np.ndarray], n_topics: int) -> Items:
    """The items, with a dictionary for each topic. `bounds` are the stretches of adjacent rows of a topic, by frame."""
    stretches: list[list[tuple[int, int, int]]] = [[] for _ in range(n_topics)]
    for frame, (topic, edges) in enumerate(zip(topics, bounds, strict=True)):
        edge = edges.tolist()
        for number, begin, end in zip(topic[edges[:-1]].tolist(), edge[:-1], edge[1:], strict=True):
            stretches[number].append((frame, begin, end))
    local = [_encoded([chunks[frame][begin:end] for frame, begin, end in rows]) for rows in stretches]
    document, documents = _encoded([dictionary for _, dictionary in local])
    codes, n_items = [np.empty(len(chunk), np.int32) for chunk in chunks], 0
    for rows, (parts, _), of_topic in zip(stretches, local, document, strict=True):
        item = np.empty(len(of_topic), np.int32)
        item[np.argsort(of_topic)] = np.arange(n_items, n_items + len(of_topic))
        n_items += len(of_topic)
        for (frame, begin, end), part in zip(rows, parts, strict=True):
            np.take(item, part, out=codes[frame][begin:end], mode="clip")
    keys = [number * len(documents) + np.sort(of_topic).astype(np.int64) for number, of_topic in enumerate(document)]
    return Items(codes, np.concatenate(keys), _index(documents))


def _index(strings: pa.Array) -> pd.Index:
    index: pd.Index = pd.Index(strings.to_pandas(), dtype="str")
    return index


def _encoded(arrays: list[pa.Array]) -> tuple[list[np.ndarray], pa.Array]:
    """A code for each string of each array, and their common dictionary in order of occurrence."""
    filled = [array for array in arrays if len(array)]  # Arrow drops empty chunks
    if not filled:
        return [np.zeros(0, np.int32) for _ in arrays], pa.array([], pa.large_string())
    encoded = pa.chunked_array(filled, type=pa.large_string()).dictionary_encode().chunks
    codes = iter([chunk.indices.to_numpy() for chunk in encoded])
    return [next(codes) if len(array) else np.zeros(0, np.int32) for array in arrays], encoded[-1].dictionary


def first_duplicate(rows: list[CodedRows]) -> tuple[int, int]:
    """System and item of the first row that repeats a document of its system and topic."""
    for one in rows:  # a system is in one frame
        twice = np.flatnonzero(pd.DataFrame({"system": one.system, "item": one.item}).duplicated())
        if len(twice):
            return int(one.system[twice[0]]), int(one.item[twice[0]])
    raise ValueError("no document occurs twice")


def has_duplicates(items: np.ndarray, n_items: int) -> bool:
    """Whether some system has an item at two ranks."""
    occurs = np.zeros(n_items + 1, dtype=bool)
    for one in items:
        occurs[one] = True
        retrieved = np.count_nonzero(one < n_items)
        if np.count_nonzero(occurs[:n_items]) < retrieved:
            return True
        occurs[one] = False
    return False


def _strings(column: pd.Series) -> pa.Array:
    """A column of ids as strings."""
    if isinstance(column.dtype, pd.StringDtype):
        strings = as_arrow(column)
        if not strings.null_count:
            return strings
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
    if _is_constant(strings):  # the usual column of systems
        return _constant(0, len(strings)), pd.Index([strings[0].as_py()], dtype=object)
    codes, names = _numbered_strings(strings)
    return codes, pd.Index(names.to_pylist(), dtype=object)


def _numbered_strings(strings: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """A code for each string, and the distinct strings."""
    starts = _starts(pc.not_equal(strings[1:], strings[:-1]).to_numpy(zero_copy_only=False), len(strings))
    encoded = strings.take(starts).dictionary_encode()
    return np.repeat(encoded.indices.to_numpy(), np.diff(starts, append=len(strings))), encoded.dictionary


def _numbered_categories(column: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """The same for a categorical column. Its categories may be unused, or equal as strings."""
    _refuse_missing(column)
    number, names = pd.factorize(column.cat.categories.astype("str"))
    codes = number[column.cat.codes.to_numpy()]
    used = np.bincount(codes, minlength=len(names)) > 0
    return (np.cumsum(used) - 1)[codes], pd.Index(names[used], dtype=object)


def _starts(changes: np.ndarray, n_rows: int) -> np.ndarray:
    """The first row of each stretch of equal values; `changes` says of each row but the first whether it differs."""
    return np.flatnonzero(np.concatenate(([True], changes)))[:n_rows]


def _is_constant(strings: pa.Array) -> bool:
    """Whether all strings are equal: their bytes repeat, at equal distances. None is null; without any it is False."""
    if not len(strings):
        return False
    _, offset_buffer, data = strings.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    length = offsets[1] - offsets[0]
    if offsets[-1] - offsets[0] != length * len(strings) or not (offsets[1:] - offsets[:-1] == length).all():
        return False
    if not length:
        return True
    content = data.slice(offsets[0], offsets[-1] - offsets[0])
    return bool(content.equals(pa.py_buffer(content.slice(0, length).to_pybytes() * len(strings))))
