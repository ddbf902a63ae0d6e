"""Precision, recall and F of the set of retrieved documents, without their order.

    SetP = (relevant retrieved) / retrieved;  relative: / min(retrieved, R), the largest SetP of this many documents
    SetR = (relevant retrieved) / R
    SetF = (1 + beta) SetP SetR / (beta SetP + SetR)

R is the number of relevant documents of the gold. SetF is weighted as in trec_eval (`set_F`) and ir_measures:
its `beta` is what textbooks call beta squared. `F` and `E` (`agreement.measures.f_measure`) follow the
textbooks. With beta = 1 all are the same.

Source: Manning, Raghavan and Schuetze (2008), equations 8.1, 8.2 and 8.6. Range 0 to 1. A document is relevant at
grade `rel` and above; an unjudged document is not. A topic without relevant documents, and an empty ranking, have 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def set_precision(matrix: GradeMatrix, rel: int = 1, relative: bool = False) -> np.ndarray:
    """Compute precision of every set of retrieved documents, shape (n_systems, n_topics)."""
    possible = np.minimum(matrix.retrieved, matrix.relevant(rel)) if relative else matrix.retrieved
    return share(matrix.relevant_retrieved(rel), possible)


def set_recall(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute recall of every set of retrieved documents, shape (n_systems, n_topics)."""
    return share(matrix.relevant_retrieved(rel), matrix.relevant(rel))


def set_f(matrix: GradeMatrix, rel: int = 1, beta: float = 1.0) -> np.ndarray:
    """Compute F of every set of retrieved documents, shape (n_systems, n_topics)."""
    precision, recall = set_precision(matrix, rel), set_recall(matrix, rel)
    return share((1 + beta) * precision * recall, beta * precision + recall)
