"""The share of judged documents among the first k, which shows how reliable a score is.

    Judged@k = (judged among the first k) / min(k, retrieved)

Range 0 to 1. A document with a negative grade (pooled and not judged) is not judged here; ir_measures counts it as
judged. An empty ranking has 0. Without a cutoff, all retrieved documents count.

Source: `Judged` of ir_measures, apart from negative grades.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def judged(matrix: GradeMatrix, cutoff: int | None = None) -> np.ndarray:
    """Compute Judged@cutoff of every ranking, shape (n_systems, n_topics)."""
    seen = matrix.retrieved if cutoff is None else np.minimum(matrix.retrieved, cutoff)
    return share(matrix.judged(cutoff), seen)
