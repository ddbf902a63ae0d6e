"""Coverage and novelty of a ranking for a reader who already knew some of the relevant documents.

    Coverage = (relevant, known and retrieved) / (relevant and known)
    Novelty  = (relevant, not known and retrieved) / (relevant and retrieved)

Source: R. R. Korfhage (1997), Information Storage and Retrieval, as in R. Baeza-Yates and B. Ribeiro-Neto (1999),
Modern Information Retrieval, section 3.2.2. Range 0 to 1. With a cutoff, only the first k documents count as
retrieved. A document is relevant at grade `rel` and above; an unjudged one is not, known or not. Coverage is 0 if
the reader knew no relevant document, and novelty is 0 if no relevant document was retrieved.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def coverage(matrix: GradeMatrix, rel: int = 1, cutoff: int | None = None) -> np.ndarray:
    """Compute the coverage ratio of every ranking, shape (n_systems, n_topics)."""
    known = ((matrix.gold >= rel) & _checked(matrix.known_gold)).sum(axis=1)
    return share(_relevant_and_known(matrix, rel, cutoff), known)


def novelty(matrix: GradeMatrix, rel: int = 1, cutoff: int | None = None) -> np.ndarray:
    """Compute the novelty ratio of every ranking, shape (n_systems, n_topics)."""
    relevant = matrix.relevant_retrieved(rel, cutoff)
    return share(relevant - _relevant_and_known(matrix, rel, cutoff), relevant)


def _relevant_and_known(matrix: GradeMatrix, rel: int, cutoff: int | None) -> np.ndarray:
    known = _checked(matrix.known)[..., :cutoff]
    return np.asarray(((matrix.grades[..., :cutoff] >= rel) & known).sum(axis=-1))


def _checked(known: np.ndarray | None) -> np.ndarray:
    """Return which documents the reader knew; raise ValueError if this is unknown."""
    if known is None:
        raise ValueError("Coverage and Novelty need the documents that the reader knew.")
    return known
