"""Binary preference: how rarely judged nonrelevant documents are ranked above relevant ones.

With R relevant and N judged nonrelevant documents in the gold, and n(d) judged nonrelevant ones ranked above d:

    bpref = (1 / R) sum over retrieved relevant documents d of 1 - min(n(d), R) / min(N, R)

Source: C. Buckley and E. M. Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, 25-32,
with the denominator min(N, R) of trec_eval since version 8, instead of the article's R. Range 0 to 1. Relevant
is a grade of `rel` and above; judged nonrelevant is a grade from 0 to below `rel`. Unjudged documents, and those
with a negative grade (pooled and not judged), are ignored, as if they were not in the ranking. If no judged
nonrelevant document is above d, the term is 1. A topic without relevant documents, and an empty ranking,
have bpref 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.hits import count_before, hits


def bpref(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute bpref of every ranking, shape (n_systems, n_topics)."""
    relevant = matrix.relevant(rel)
    most = np.minimum(relevant, ((matrix.gold >= 0) & (matrix.gold < rel)).sum(axis=1))
    found = hits(matrix.grades >= rel)
    above = count_before((matrix.grades >= 0) & (matrix.grades < rel), found)
    lost = share(np.minimum(above, relevant[found.topic]).astype(float), most[found.topic])
    return share(found.summed(1 - lost), relevant)
