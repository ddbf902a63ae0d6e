"""Area under the ROC curve: the chance that a relevant document stands above a nonrelevant one.

    AUC = (pairs in order + half of the tied pairs) / (R N)

over all pairs of one of the R relevant and one of the N nonrelevant documents. Documents that were not
retrieved stand behind the ranking, all tied. Which documents there are depends on the collection:

- With `collection_size`, all of it. Every document that is not relevant is nonrelevant, unjudged ones too, so
  N = collection_size - R. With a large collection N is huge, and AUC is close to 1 for every good ranking.
- Without it, the judged ones (a grade of 0 or more). Unjudged documents, and those with a negative grade, are
  passed over as if they were not in the ranking.

Source: T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27, 861-874, section 7,
with ties as in the statistic of Wilcoxon and Mann and Whitney that it names; Manning, Raghavan and Schuetze
(2008), section 8.4, for ranked retrieval. Range 0 to 1; 1/2 is chance. Relevant is a grade of `rel` and above.
A topic without relevant or without nonrelevant documents has no pair, and an empty ranking says nothing: both
have 0, not 1/2.
"""

import numpy as np

from agreement.effectiveness.hits import count_before, hits
from agreement.effectiveness.ranked_runs import GradeMatrix, share


def roc_auc(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Area under the ROC curve of every ranking, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        The collection is smaller than a topic's retrieved and relevant documents.
    """
    found = hits(matrix.grades >= rel)
    marked, nonrelevant = nonrelevant_places(matrix, rel)
    relevant = matrix.relevant(rel)
    behind = nonrelevant[found.topic] - count_before(marked, found)
    left_relevant = relevant - found.count()
    left_nonrelevant = nonrelevant - marked.sum(axis=-1)
    in_order = found.summed(behind) + left_relevant * left_nonrelevant / 2
    return share(in_order, relevant * nonrelevant) * (matrix.retrieved > 0)


def nonrelevant_places(matrix: GradeMatrix, rel: int) -> tuple[np.ndarray, np.ndarray]:
    """Where nonrelevant documents stand, and how many each topic has.

    Returns
    -------
    tuple of ndarray
        Of bool, shape of the grades; and of int, shape (n_topics,).
    """
    if matrix.collection_size is None:
        marked = (matrix.grades >= 0) & (matrix.grades < rel)
        return marked, ((matrix.gold >= 0) & (matrix.gold < rel)).sum(axis=1)
    check_collection(matrix, rel)
    retrieved = np.arange(matrix.grades.shape[-1]) < matrix.retrieved[..., None]
    return retrieved & (matrix.grades < rel), matrix.collection_size - matrix.relevant(rel)


def check_collection(matrix: GradeMatrix, rel: int) -> None:
    """Refuse a collection that has no room for the retrieved and the relevant documents of a topic."""
    nonrelevant = matrix.retrieved - (matrix.grades >= rel).sum(axis=-1)
    least = int((nonrelevant + matrix.relevant(rel)).max(initial=0))
    if matrix.collection_size < least:
        raise ValueError(
            f"the collection has all retrieved and relevant documents of a topic, {least} or more; "
            f"got collection_size={matrix.collection_size}"
        )
