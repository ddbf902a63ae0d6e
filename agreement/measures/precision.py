"""Precision at a cutoff: the share of relevant documents among the first k.

    P@k = (relevant among the first k) / k

Source: Manning, Raghavan and Schuetze (2008), section 8.4. Range 0 to 1. A document is relevant at grade
`rel` and above; an unjudged document is not. A ranking shorter than k is still divided by k; an empty one has 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix


def precision(matrix: GradeMatrix, cutoff: int, rel: int = 1) -> np.ndarray:
    """Compute P@cutoff of every ranking, shape (n_systems, n_topics)."""
    return matrix.relevant_retrieved(rel, cutoff) / cutoff
