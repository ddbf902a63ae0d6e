"""Success at a cutoff: 1 if a relevant document is among the first k, else 0.

Source: trec_eval's `success`; its mean over topics is the share of topics with a relevant document. Values 0 and 1. A
document is relevant at grade `rel` and above; an unjudged document is not. A topic without relevant documents, and an
empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix


def success(matrix: GradeMatrix, cutoff: int, rel: int = 1) -> np.ndarray:
    """Compute Success@cutoff of every ranking, shape (n_systems, n_topics)."""
    return (matrix.relevant_retrieved(rel, cutoff) > 0).astype(np.float64)
