"""Break-even point: the value at which precision and recall are equal.

With R relevant documents, precision f / k and recall f / R are equal at rank k = R, where k documents were
looked at and f relevant ones found (and wherever f = 0, which says nothing). So the break-even point is the
precision at rank R, R-precision.

A ranking shorter than R never reaches that rank. It is taken as going on without relevant documents, as P@k
takes a ranking shorter than k; both are then f / R, the recall at its end.

Source: Manning, Raghavan and Schuetze (2008), section 8.4. Range 0 to 1. Relevant is a grade of `rel` and
above; an unjudged document is not. A topic without relevant documents, and an empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def break_even(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Break-even point of every ranking, shape (n_systems, n_topics)."""
    relevant = matrix.relevant(rel)
    early = np.arange(matrix.grades.shape[-1]) < relevant[:, None]
    return share(((matrix.grades >= rel) & early).sum(axis=-1).astype(float), relevant)
