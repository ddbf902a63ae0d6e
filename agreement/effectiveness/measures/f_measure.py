"""F at a cutoff, and van Rijsbergen's E.

    F = (1 + beta^2) P R / (beta^2 P + R)        E = 1 - F

with precision P and recall R of the first k documents (P divided by k, also where fewer were retrieved), or of all
that was retrieved. A reader with beta = 2 minds recall twice as much as precision. Some lectures call F itself
"E": here E is the measure of which less is better, as its author has it.

Source: C. J. van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7; Manning, Raghavan and Schuetze
(2008), equation 8.5. Range 0 to 1. A document is relevant at grade `rel` and above; an unjudged one is not. A topic
without relevant documents, and an empty ranking, have F 0 and so E 1: a topic that a run lacks counts as 1 in the
mean of E.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def f_measure(matrix: GradeMatrix, cutoff: int | None = None, rel: int = 1, beta: float = 1.0) -> np.ndarray:
    """F of every ranking, shape (n_systems, n_topics)."""
    # P = found / seen and R = found / relevant, so that F = (1 + beta^2) found / (beta^2 relevant + seen).
    seen = matrix.retrieved if cutoff is None else cutoff
    found = matrix.relevant_retrieved(rel, cutoff)
    return share((1 + beta**2) * found, beta**2 * matrix.relevant(rel) + seen)


def e_measure(matrix: GradeMatrix, cutoff: int | None = None, rel: int = 1, beta: float = 1.0) -> np.ndarray:
    """E of every ranking, shape (n_systems, n_topics); less is better."""
    return 1 - f_measure(matrix, cutoff, rel, beta)
