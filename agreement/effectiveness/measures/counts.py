"""How many documents there are: retrieved, relevant and retrieved, relevant.

NumRet counts the retrieved documents, with `rel` those of that grade and above (trec_eval's `num_rel_ret`). NumRel
counts the relevant documents of the gold, whatever was retrieved. Whole numbers from 0; means are means over
topics, where trec_eval and ir_measures print the sum. An unjudged document is not relevant.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix


def number_retrieved(matrix: GradeMatrix, rel: int | None = None) -> np.ndarray:
    """Number of retrieved documents of every ranking, shape (n_systems, n_topics)."""
    counts = matrix.retrieved if rel is None else matrix.relevant_retrieved(rel)
    return counts.astype(np.float64)


def number_relevant(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Number of relevant documents of every topic, shape (n_systems, n_topics): the same for all systems."""
    return np.broadcast_to(matrix.relevant(rel), matrix.retrieved.shape).astype(np.float64)
