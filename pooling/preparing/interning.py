"""Convert columns of strings to integers, for `pooling.ranking.prepare`.

Arrow encodes the strings of each frame. The documents of all frames are encoded together, topic by topic if the rows of
a topic are adjacent: the dictionary of one topic fits into the cache of the processor, and that of all topics does not.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from pooling.preparing.chunk import Chunk, constant

MAX_TABLE_KEYS = 50_000_000  # a table of all keys takes 250 MB at most
MIN_STRETCH = 100  # mean number of adjacent rows of a topic from which encoding topic by topic is faster


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
    items = number_items([chunk.documents for chunk in chunks], topic, len(query_ids))
    columns = zip(system, topic, items.codes, chunks, strict=True)
    rows = [CodedRows(s, t, i, chunk.rank, chunk.score) for s, t, i, chunk in columns]
    return rows, systems, query_ids, items


def _merged(columns: list[tuple[np.ndarray, pd.Index]]) -> tuple[list[np.ndarray], pd.Index]:
    """Common codes for the names of all frames, each of which has codes of its own; and the names, ascending."""
    names = [part for _, part in columns]
    code, together = pd.factorize(names[0].append(names[1:]), sort=True)
    parts = np.split(code.astype(np.int32), np.cumsum([len(part) for part in names])[:-1])
    return [_renumbered(part, local) for part, (local, _) in zip(parts, columns, strict=True)], together


def _renumbered(number: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The number of each code, without new memory if all are the same code or each code is its number."""
    if len(number) == 1:
        return constant(int(number[0]), len(codes))
    return codes if (number == np.arange(len(number))).all() else number[codes]


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
            # numpy buffers `out` if the mode is "raise".
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


def _starts(changes: np.ndarray, n_rows: int) -> np.ndarray:
    """The first row of each stretch of equal values; `changes` says of each row but the first whether it differs."""
    return np.flatnonzero(np.concatenate(([True], changes)))[:n_rows]


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
