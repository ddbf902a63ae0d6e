"""F at a cutoff, and van Rijsbergen's E.

    F = (1 + beta^2) P R / (beta^2 P + R)        E = 1 - F

with precision P and recall R of the first k documents (P is divided by k, also if fewer were retrieved), or of all
retrieved documents. With beta = 2, recall is twice as important as precision. Some lectures call F itself "E"; here E
is the original measure, for which lower is better.

Source: C. J. van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7; Manning, Raghavan and Schuetze
(2008), equation 8.5. Range 0 to 1. A document is relevant at grade `rel` and above; an unjudged document is not. A
topic without relevant documents, and an empty ranking, have F 0 and E 1. A topic without a ranking counts as 1 in the
mean of E.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def f_measure(matrix: GradeMatrix, cutoff: int | None = None, rel: int = 1, beta: float = 1.0) -> np.ndarray:
    """Compute F of every ranking, shape (n_systems, n_topics)."""
    # P = found / seen and R = found / relevant; therefore F = (1 + beta^2) found / (beta^2 relevant + seen).
    seen = matrix.retrieved if cutoff is None else cutoff
    found = matrix.relevant_retrieved(rel, cutoff)
    return share((1 + beta**2) * found, beta**2 * matrix.relevant(rel) + seen)


def e_measure(matrix: GradeMatrix, cutoff: int | None = None, rel: int = 1, beta: float = 1.0) -> np.ndarray:
    """Compute E of every ranking, shape (n_systems, n_topics); lower is better."""
    return 1 - f_measure(matrix, cutoff, rel, beta)
