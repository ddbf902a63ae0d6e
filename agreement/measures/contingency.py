"""Specificity and accuracy: the quality of a set of retrieved documents, including the documents not retrieved.

    Specificity = (nonrelevant not retrieved) / nonrelevant
    SetAccuracy = (relevant retrieved + nonrelevant not retrieved) / collection

The collection has `collection_size` documents; all but the relevant ones of the gold are nonrelevant, so an
unjudged document is nonrelevant. In a large collection both are close to 1 for every system.

Source: Manning, Raghavan and Schuetze (2008), sections 8.3 (accuracy) and 8.4 (specificity). Range 0 to 1. A
document is relevant at grade `rel` and above. A topic without a ranking has 0, although an empty
set would be right about every nonrelevant document. Specificity is 0 if the whole collection is relevant. `Accuracy` of
ir_measures is another measure: it counts pairs of documents in the right order.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share


def specificity(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute specificity of every set of retrieved documents, shape (n_systems, n_topics)."""
    nonrelevant = matrix.collection_size - matrix.relevant(rel)
    return np.asarray(share(nonrelevant - _false_alarms(matrix, rel), nonrelevant) * (matrix.retrieved > 0))


def set_accuracy(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute accuracy of every set of retrieved documents, shape (n_systems, n_topics)."""
    wrong = _false_alarms(matrix, rel) + matrix.relevant(rel) - matrix.relevant_retrieved(rel)
    return np.asarray((matrix.collection_size - wrong) / matrix.collection_size * (matrix.retrieved > 0))


def _false_alarms(matrix: GradeMatrix, rel: int) -> np.ndarray:
    return np.asarray(matrix.retrieved - matrix.relevant_retrieved(rel))
