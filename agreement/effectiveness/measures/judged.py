"""The share of judged documents among the first k: how much a score rests on.

    Judged@k = (judged among the first k) / min(k, retrieved)

Range 0 to 1. A grade of -1 says "pooled and not judged" and is not judged here; ir_measures counts it as judged.
Other negative grades are judgements. An empty ranking has 0. Without a cutoff all that was retrieved counts.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def judged(matrix: GradeMatrix, cutoff: int | None = None) -> np.ndarray:
    """Judged@cutoff of every ranking, shape (n_systems, n_topics)."""
    seen = matrix.retrieved if cutoff is None else np.minimum(matrix.retrieved, cutoff)
    return share(matrix.judged(cutoff), seen)
