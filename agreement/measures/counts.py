"""Counts of documents: retrieved, relevant and retrieved, relevant.

NumRet counts the retrieved documents, or with `rel` the retrieved documents of that grade and above. NumRel counts the
relevant documents of the gold, retrieved or not. An unjudged document is not relevant.

Source: trec_eval's `num_ret`, `num_rel_ret` and `num_rel`. Values are whole numbers of at least 0. Means are means over
topics, while trec_eval and ir_measures print the sum. An empty ranking has NumRet 0, and a topic without relevant
documents NumRel 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix


def number_retrieved(matrix: GradeMatrix, rel: int | None = None) -> np.ndarray:
    """Compute the number of retrieved documents of every ranking, shape (n_systems, n_topics)."""
    counts = matrix.retrieved if rel is None else matrix.relevant_retrieved(rel)
    return counts.astype(np.float64)


def number_relevant(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute the number of relevant documents of every topic, shape (n_systems, n_topics), equal for all systems."""
    return np.broadcast_to(matrix.relevant(rel), matrix.retrieved.shape).astype(np.float64)
