"""Reciprocal rank: 1 / rank of the first relevant document, 0 if none is among the first k.

Source: P. B. Kantor and E. M. Voorhees (2000), The TREC-5 confusion track, Information Retrieval 2, 165-176.
Range 0 to 1. A document is relevant at grade `rel` and above; an unjudged document is not. A topic without relevant
documents, and an empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.measures.hits import hits


def reciprocal_rank(matrix: GradeMatrix, rel: int = 1, cutoff: int | None = None) -> np.ndarray:
    """Compute RR of every ranking, shape (n_systems, n_topics)."""
    found = hits(matrix.grades[..., :cutoff] >= rel)
    return found.summed((found.ordinal == 1) / found.rank)
