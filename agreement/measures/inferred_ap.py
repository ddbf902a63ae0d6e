"""Inferred average precision, for a pool of which a random sample was judged.

At a relevant document d of rank k, with r relevant, n judged nonrelevant and u pooled but unjudged documents
above it, the expected precision is

    E(d) = 1 / k + ((r + n + u) / k) (r + e) / (r + n + 2 e)

and infAP = (1 / R) sum of E(d) over the retrieved relevant documents, with R relevant ones in the gold.

Source: E. Yilmaz and J. A. Aslam (2006), Estimating average precision with incomplete and imperfect judgments,
CIKM, 102-111, with the smoothing e = 0.00001 of trec_eval. Range 0 to 1.
Relevant is a grade of `rel` and above; judged nonrelevant is a grade from 0 to below `rel`. A negative grade means
"pooled and not judged". A document that is not in the gold was not pooled and counts as nonrelevant. With a fully
judged pool, infAP equals AP except for the smoothing. A topic without relevant documents, and an empty
ranking, have infAP 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.hits import count_before, hits

SMOOTHING = 0.00001


def inferred_ap(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute infAP of every ranking, shape (n_systems, n_topics)."""
    found = hits(matrix.grades >= rel)
    relevant = found.ordinal - 1
    pooled = count_before(matrix.grades != matrix.unjudged, found)
    nonrelevant = count_before((matrix.grades >= 0) & (matrix.grades < rel), found)
    expected = (relevant + SMOOTHING) / (relevant + nonrelevant + 2 * SMOOTHING)
    return share(found.summed((1 + pooled * expected) / found.rank), matrix.relevant(rel))
