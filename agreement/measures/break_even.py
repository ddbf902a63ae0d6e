"""Break-even point: the value at which precision and recall are equal.

With R relevant documents, of which f are among the first k, precision f / k and recall f / R are equal at rank k = R
(and at any rank if f = 0, which is not informative). Therefore the break-even point is the precision at rank R, the
same as R-precision.

A ranking shorter than R does not reach that rank. It is treated as if nonrelevant documents followed, as in P@k. Both
precision and recall are then f / R, the recall at its end.

Source: Manning, Raghavan and Schuetze (2008), section 8.4. Range 0 to 1. Relevant is a grade of `rel` and
above; an unjudged document is not. A topic without relevant documents, and an empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def break_even(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute the break-even point of every ranking, shape (n_systems, n_topics)."""
    relevant = matrix.relevant(rel)
    early = np.arange(matrix.grades.shape[-1]) < relevant[:, None]
    return share(((matrix.grades >= rel) & early).sum(axis=-1).astype(float), relevant)
