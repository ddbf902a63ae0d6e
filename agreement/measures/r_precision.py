"""R-precision: precision at rank R, where R is the number of relevant documents of the topic.

    Rprec = (relevant among the first R) / R

Source: Manning, Raghavan and Schuetze (2008), section 8.4. Range 0 to 1. A document is relevant at grade `rel`
and above; an unjudged document is not. A ranking shorter than R is still divided by R. A topic without relevant
documents, and an empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.hits import hits


def r_precision(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute R-precision of every ranking, shape (n_systems, n_topics)."""
    relevant = matrix.relevant(rel)
    found = hits(matrix.grades[..., : relevant.max(initial=0)] >= rel)
    return share(found.summed(found.rank <= relevant[found.topic]), relevant)
