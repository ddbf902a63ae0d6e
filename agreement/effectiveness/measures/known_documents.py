"""Coverage and novelty: what a ranking holds for a reader who knew some of the relevant documents before.

    Coverage = (relevant, known and retrieved) / (relevant and known)
    Novelty  = (relevant, not known and retrieved) / (relevant and retrieved)

Source: R. R. Korfhage (1997), Information Storage and Retrieval, as in R. Baeza-Yates and B. Ribeiro-Neto (1999),
Modern Information Retrieval, section 3.2.2. Range 0 to 1. With a cutoff, the first k documents are those that were
retrieved. A document is relevant at grade `rel` and above; an unjudged one is not, known or not. Coverage is 0
where the reader knew no relevant document, novelty where no relevant one was retrieved.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def coverage(matrix: GradeMatrix, rel: int = 1, cutoff: int | None = None) -> np.ndarray:
    """Coverage ratio of every ranking, shape (n_systems, n_topics)."""
    known = ((matrix.gold >= rel) & matrix.known_gold).sum(axis=1)
    return share(_relevant_and_known(matrix, rel, cutoff), known)


def novelty(matrix: GradeMatrix, rel: int = 1, cutoff: int | None = None) -> np.ndarray:
    """Novelty ratio of every ranking, shape (n_systems, n_topics)."""
    relevant = matrix.relevant_retrieved(rel, cutoff)
    return share(relevant - _relevant_and_known(matrix, rel, cutoff), relevant)


def _relevant_and_known(matrix: GradeMatrix, rel: int, cutoff: int | None) -> np.ndarray:
    return ((matrix.grades[..., :cutoff] >= rel) & matrix.known[..., :cutoff]).sum(axis=-1)
