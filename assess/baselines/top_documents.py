"""The first documents of each query, in the order of `pooling.ranking`: by score, ties by doc_id, both descending."""

from collections.abc import Sequence

import numpy as np


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
