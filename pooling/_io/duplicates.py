"""Detect whether a document occurs twice in a topic, from whole columns.

Each row gets a 64-bit hash of its query_id and doc_id. If all hashes differ, so do the pairs. This is nearly always the
case, and several times faster than comparing the ids. If two hashes are equal, the ids themselves decide.
"""

import numpy as np
import pyarrow as pa

WORD_BYTES = 8
KEPT = np.array([(1 << 8 * kept) - 1 for kept in range(WORD_BYTES + 1)], dtype="<u8")
FACTOR = np.uint64(
    0x9E3779B97F4A7C15
)  # 2**64 divided by the golden ratio, odd, so that every bit affects the high bits
HALF = np.uint64(32)


def has_duplicate_pairs(query_ids: pa.Array, doc_ids: pa.Array) -> bool:
    """Whether two rows have the same query_id and doc_id; the arrays are of type large_string, without nulls."""
    hashes = np.zeros(len(doc_ids), np.uint64)
    _add_to_hashes(hashes, query_ids)
    _add_to_hashes(hashes, doc_ids)
    hashes.sort()
    return bool((hashes[1:] == hashes[:-1]).any()) and _has_same_ids(query_ids, doc_ids)


def _has_same_ids(query_ids: pa.Array, doc_ids: pa.Array) -> bool:
    topics, documents = query_ids.dictionary_encode(), doc_ids.dictionary_encode()
    pairs = topics.indices.to_numpy().astype(np.int64) * len(documents.dictionary) + documents.indices.to_numpy()
    return len(np.unique(pairs)) < len(pairs)


def _add_to_hashes(hashes: np.ndarray, strings: pa.Array) -> None:
    """Update the hashes with the lengths and the bytes of the strings, eight bytes at a time."""
    offsets, words = _offsets_and_words(strings)
    lengths = np.diff(offsets)
    _mix(hashes, lengths.astype(np.uint64))
    for begin in range(0, int(lengths.max(initial=0)), WORD_BYTES):
        at = np.minimum(offsets[:-1] + begin, offsets[-1])
        kept = KEPT[np.clip(lengths - begin, 0, WORD_BYTES)]
        _mix(hashes, words[at] & kept)


def _mix(hashes: np.ndarray, words: np.ndarray) -> None:
    hashes ^= words
    hashes *= FACTOR
    hashes ^= hashes >> HALF


def _offsets_and_words(strings: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """The offsets of the strings (n + 1), and for each byte the word of that byte and the next seven."""
    _, offsets, text = strings.buffers()
    offsets = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    padded = np.zeros(offsets[-1] + WORD_BYTES, np.uint8)
    padded[: offsets[-1]] = np.frombuffer(text, np.uint8)[: offsets[-1]]
    return offsets, np.ndarray(offsets[-1] + 1, "<u8", padded, strides=(1,))
