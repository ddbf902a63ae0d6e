"""How often each term occurs in each document, in files, with what the whole collection needs in memory."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the words of a text: runs of letters, digits and underscores, with case folded.

    There is no stemming and no list of stop words, so that no language is treated specially. A text in a script without
    spaces between words becomes few long tokens, for which these baselines are of little use.
    """
    return WORD.findall(text.casefold())


COUNT = np.dtype(np.int32)


class TermCounts:
    """The matrix of documents and terms, written once and read in blocks of rows.

    In memory are the terms, the number of documents with each term, its occurrences, and the lengths of the documents.
    """

    def __init__(self, folder: Path) -> None:
        self._indices, self._counts = folder / "terms", folder / "counts"
        self._ids: dict[str, int] = {}
        self._starts = [0]  # of the rows in the files
        self._lengths = np.zeros(0, np.int64)
        self._document_frequencies = np.zeros(0, np.int64)
        self._occurrences = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def term_count(self) -> int:
        return len(self._ids)

    @property
    def lengths(self) -> np.ndarray:
        """The number of words of each document."""
        return self._lengths[: len(self)]

    @property
    def document_frequencies(self) -> np.ndarray:
        """The number of documents that contain each term."""
        return self._document_frequencies[: self.term_count]

    @property
    def occurrences(self) -> np.ndarray:
        """How often each term occurs in all documents."""
        return self._occurrences[: self.term_count]

    def ids_of(self, text: str) -> list[int]:
        """Return the ids of the words of a query that occur in a document, each as often as in the query."""
        return [self._ids[word] for word in words(text) if word in self._ids]

    def add(self, texts: Iterable[str]) -> None:
        """Add documents. Texts are counted by scikit-learn, many at a time."""
        tokens = [words(text) for text in texts]
        rows = self._counted(tokens)
        with self._indices.open("ab") as indices, self._counts.open("ab") as counts:
            rows.indices.astype(COUNT).tofile(indices)
            rows.data.astype(COUNT).tofile(counts)
        self._lengths = _with_room(self._lengths, len(self) + len(tokens))
        self._lengths[len(self) : len(self) + len(tokens)] = [len(each) for each in tokens]
        self._starts += (self._starts[-1] + rows.indptr[1:].astype(np.int64)).tolist()
        self._document_frequencies = _with_room(self._document_frequencies, self.term_count)
        self._occurrences = _with_room(self._occurrences, self.term_count)
        np.add.at(self._document_frequencies, rows.indices, 1)
        np.add.at(self._occurrences, rows.indices, rows.data)

    def _counted(self, tokens: list[list[str]]) -> "csr_matrix":
        """Return the counts with the ids of all documents so far as columns."""
        from scipy.sparse import csr_matrix
        from sklearn.feature_extraction.text import CountVectorizer  # slow to import

        if not any(tokens):  # which scikit-learn refuses
            return csr_matrix(np.zeros((len(tokens), self.term_count), COUNT))
        vectorizer = CountVectorizer(analyzer=list)
        counted = vectorizer.fit_transform(tokens)
        ids = np.array([self._ids.setdefault(term, len(self._ids)) for term in vectorizer.get_feature_names_out()])
        shape = (len(tokens), self.term_count)
        return csr_matrix((counted.data, ids[counted.indices], counted.indptr), shape=shape)

    def blocks(self, size: int) -> Iterator[tuple[int, "csr_matrix"]]:
        """Yield blocks of rows, each with the number of its first document."""
        for start in range(0, len(self), size):
            yield start, self._rows(start, min(start + size, len(self)))

    def _rows(self, start: int, stop: int) -> "csr_matrix":
        from scipy.sparse import csr_matrix  # slow to import

        first, last = self._starts[start], self._starts[stop]
        pointers = np.array(self._starts[start : stop + 1], np.int64) - first
        indices, counts = (
            np.fromfile(path, COUNT, last - first, offset=first * COUNT.itemsize)
            for path in (self._indices, self._counts)
        )
        return csr_matrix((counts, indices, pointers), shape=(stop - start, self.term_count))


def _with_room(values: np.ndarray, size: int) -> np.ndarray:
    """Return the values with zeros behind them, at least twice as many if there was no room."""
    missing = size - len(values)
    return values if missing <= 0 else np.append(values, np.zeros(max(missing, len(values)), np.int64))
