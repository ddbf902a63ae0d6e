"""Average precision.

The sum of the precision at the rank of every retrieved relevant document, divided by the number of relevant documents:

    AP = (1 / R) sum over relevant documents at rank k <= cutoff of (relevant among the first k) / k

Source: Manning, Raghavan and Schuetze (2008), section 8.4; the mean over topics is their equation 8.8. Range 0 to 1. A
document is relevant at grade `rel` and above; an unjudged document is not. R counts all relevant documents of the gold,
also with a cutoff. A topic without relevant documents, and an empty ranking, have AP 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.hits import hits


def average_precision(matrix: GradeMatrix, rel: int = 1, cutoff: int | None = None) -> np.ndarray:
    """Compute AP of every ranking, shape (n_systems, n_topics)."""
    found = hits(matrix.grades[..., :cutoff] >= rel)
    return share(found.summed(found.ordinal / found.rank), matrix.relevant(rel))
