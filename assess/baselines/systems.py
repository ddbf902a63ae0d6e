"""The three systems. Each yields the scores of all documents, block by block.

tf is the number of occurrences of a term in a document, df the number of documents that contain it, n the number of
documents, |d| the number of words of a document. A query term that occurs twice counts twice.

bm25
    BM25 as Lucene computes it, by bm25s with k1 = 0.9 and b = 0.4:
    sum of ln(1 + (n - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * (1 - b + b * |d| / mean of |d|)).
ql
    Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2004, section 3.2), mu = 1000: sum of
    ln(1 + tf / (mu * p)) + ln(mu / (mu + |d|)), where p is the share of the term among all words of all documents. No
    maintained library computes it for texts in memory, so these lines are ours.
tfidf
    The cosine of the vectors of query and document, with weights (1 + ln tf) * (1 + ln((1 + n) / (1 + df))), by
    scikit-learn.

The first documents of each query are in the order of `pooling.ranking`: by score, ties by doc_id, both descending.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from assess.baselines.term_counts import TermCounts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assess.baselines.term_counts import TermCounts

K1, B, MU = 0.9, 0.4, 1000.0
BLOCK = 5_000  # documents
Scores = Iterator[tuple[int, np.ndarray]]  # the first document, and an array of documents and queries; -inf is no match


@dataclass(frozen=True)
class Queries:
    """Queries as rows of `counts`. Its columns are `terms`: the ids of the terms of all queries, ascending."""

    terms: np.ndarray
    counts: "csr_matrix"

    @classmethod
    def of(cls, texts: Sequence[str], term_counts: "TermCounts") -> "Queries":
        """Return the queries with these texts. Words that no document contains are left out."""
        from scipy.sparse import csr_matrix  # slow to import

        ids = [Counter(term_counts.ids_of(text)) for text in texts]
        terms = np.array(sorted({term for each in ids for term in each}), np.int64)
        rows = [row for row, each in enumerate(ids) for _ in each]
        columns = np.searchsorted(terms, [term for each in ids for term in each])
        counts = [count for each in ids for count in each.values()]
        return cls(terms, csr_matrix((counts, (rows, columns)), shape=(len(texts), len(terms)), dtype=np.float64))

    @property
    def ids(self) -> list[np.ndarray]:
        """Return the columns of each query, each as often as the term occurs in it."""
        return [np.repeat(row.indices, row.data.astype(int)) for row in self.counts]


def tie_order(doc_ids: Sequence[str]) -> np.ndarray:
    """Return the place of each document among those with the same score: doc_ids descending in UTF-8 bytes."""
    by_id = sorted(range(len(doc_ids)), key=lambda at: doc_ids[at].encode(), reverse=True)
    places = np.empty(len(doc_ids), np.int64)
    places[by_id] = np.arange(len(doc_ids))
    return places


class TopDocuments:
    """The best `depth` documents of each query so far."""

    def __init__(self, queries: int, depth: int, ties: np.ndarray) -> None:
        self._depth, self._ties = depth, ties
        self._best = [(np.zeros(0, np.int64), np.zeros(0)) for _ in range(queries)]

    def add(self, start: int, scores: np.ndarray) -> None:
        """Add a block of scores whose first row is document `start`. Scores of -inf are left out."""
        for query, (documents, best) in enumerate(self._best):
            column = scores[:, query]
            new = np.flatnonzero(column > -np.inf)
            documents = np.concatenate([documents, new + start])
            values = np.concatenate([best, column[new]])
            order = np.lexsort((self._ties[documents], -values))[: self._depth]
            self._best[query] = documents[order], values[order]

    def of(self, query: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of the documents and their scores, best first."""
        return self._best[query]


def bm25(counts: TermCounts, queries: Queries) -> Scores:
    """Yield the scores of BM25."""
    import bm25s  # slow to import

    if not len(queries.terms):
        yield _no_matches(counts, queries)
        return
    index = bm25s.BM25(k1=K1, b=B, method="lucene", dtype="float64")
    other = len(queries.terms)  # stands for all words that no query contains, so that the lengths are right
    tokens = _QueryTokens(counts, queries, other)
    index.scores = index.build_index_from_ids(list(range(other + 1)), tokens, show_progress=False)
    scores = [index.get_scores_from_ids(ids.tolist()) for ids in queries.ids]
    for start, rows in counts.blocks(BLOCK):
        block = np.array([each[start : start + rows.shape[0]] for each in scores]).T
        yield start, _only_matches(block, rows[:, queries.terms], queries)


class _QueryTokens:
    """The tokens of each document, as bm25s reads them several times: ids of the queries' terms, or `other`.

    They are in the order of their ids, since the order has no effect on BM25.
    """

    def __init__(self, counts: TermCounts, queries: Queries, other: int) -> None:
        self._counts, self._queries, self._other = counts, queries, other

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[list[int]]:
        return chain.from_iterable(self._tokens(start, rows) for start, rows in self._counts.blocks(BLOCK))

    def _tokens(self, start: int, rows: "csr_matrix") -> Iterator[list[int]]:
        known = rows[:, self._queries.terms]
        for number, (first, last) in enumerate(zip(known.indptr[:-1], known.indptr[1:], strict=True)):
            ids = np.repeat(known.indices[first:last], known.data[first:last]).tolist()
            yield ids + [self._other] * int(self._counts.lengths[start + number] - len(ids))


def query_likelihood(counts: TermCounts, queries: Queries) -> Scores:
    """Yield the logarithm of the query likelihood, without the part that is the same for all documents."""
    shares = counts.occurrences[queries.terms] / max(counts.occurrences.sum(), 1)
    sizes = np.asarray(queries.counts.sum(axis=1)).ravel()
    for start, rows in counts.blocks(BLOCK):
        known = rows[:, queries.terms]
        seen = known.astype(np.float64)
        seen.data = np.log1p(seen.data / (MU * shares[seen.indices]))
        lengths = counts.lengths[start : start + rows.shape[0]]
        scores = (seen @ queries.counts.T).toarray() + np.outer(np.log(MU / (MU + lengths)), sizes)
        yield start, _only_matches(scores, known, queries)


def tfidf_cosine(counts: TermCounts, queries: Queries) -> Scores:
    """Yield the cosines of the tf-idf vectors."""
    from scipy.sparse import csr_matrix  # slow to import

    if not len(queries.terms):
        yield _no_matches(counts, queries)
        return
    transformer = _tfidf(counts)
    shape = (queries.counts.shape[0], counts.term_count)
    columns = queries.terms[queries.counts.indices]
    vectors = transformer.transform(csr_matrix((queries.counts.data, columns, queries.counts.indptr), shape=shape))
    for start, rows in counts.blocks(BLOCK):
        scores = (transformer.transform(rows.astype(np.float64)) @ vectors.T).toarray()
        yield start, _only_matches(scores, rows[:, queries.terms], queries)


def _tfidf(counts: TermCounts) -> Any:
    """Return scikit-learn's transformer as if it was fitted to all documents, which do not fit into memory."""
    from sklearn.feature_extraction.text import TfidfTransformer  # slow to import

    transformer = TfidfTransformer(sublinear_tf=True)
    transformer.idf_ = 1 + np.log((1 + len(counts)) / (1 + counts.document_frequencies))
    return transformer


def _no_matches(counts: TermCounts, queries: Queries) -> tuple[int, np.ndarray]:
    """Return the scores if no document has a word of a query, which the libraries refuse or divide by zero for."""
    return 0, np.full((len(counts), queries.counts.shape[0]), -np.inf)


def _only_matches(scores: np.ndarray, known: "csr_matrix", queries: Queries) -> np.ndarray:
    """Return the scores, with -inf for documents that contain no word of the query."""
    matches = ((known > 0).astype(np.int32) @ (queries.counts > 0).astype(np.int32).T).toarray()
    return np.where(matches > 0, scores, -np.inf)


SYSTEMS: dict[str, Callable[[TermCounts, Queries], Scores]] = {
    "bm25": bm25,
    "ql": query_likelihood,
    "tfidf": tfidf_cosine,
}
