"""The queries of some topics as a matrix."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assess.baselines.term_counts import TermCounts


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
