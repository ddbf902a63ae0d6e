"""Recall at a cutoff: the share of the relevant documents that are among the first k.

    R@k = (relevant among the first k) / (relevant documents of the gold)

Source: Manning, Raghavan and Schuetze (2008), equation 8.2. Range 0 to 1. A document is relevant at grade `rel`
and above; an unjudged document is not. A topic without relevant documents, and an empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def recall(matrix: GradeMatrix, cutoff: int, rel: int = 1) -> np.ndarray:
    """Compute R@cutoff of every ranking, shape (n_systems, n_topics)."""
    return share(matrix.relevant_retrieved(rel, cutoff), matrix.relevant(rel))
