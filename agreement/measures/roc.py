"""Area under the ROC curve: the probability that a relevant document is ranked above a nonrelevant one.

    AUC = (pairs in order + half of the tied pairs) / (R N)

over all pairs of one of the R relevant and one of the N nonrelevant documents. Documents that were not
retrieved are tied after the ranking. The nonrelevant documents depend on the collection:

- With `collection_size`, all of it. Every document that is not relevant is nonrelevant, unjudged ones too, so
  N = collection_size - R. With a large collection N is huge, and AUC is close to 1 for every good ranking.
- Without it, the judged ones (a grade of 0 or more). Unjudged documents, and those with a negative grade, are
  ignored, as if they were not in the ranking.

Source: T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27, 861-874, section 7,
with ties as in the Wilcoxon-Mann-Whitney statistic; Manning, Raghavan and Schuetze
(2008), section 8.4, for ranked retrieval. Range 0 to 1; 1/2 is chance. Relevant is a grade of `rel` and above.
A topic without relevant or without nonrelevant documents has no pair, and an empty ranking has no order: both have 0,
not 1/2.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.hits import count_before, hits


def roc_auc(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute the area under the ROC curve of every ranking, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        The collection is smaller than the retrieved and relevant documents of a topic.
    """
    found = hits(matrix.grades >= rel)
    marked, nonrelevant = nonrelevant_positions(matrix, rel)
    relevant = matrix.relevant(rel)
    below = nonrelevant[found.topic] - count_before(marked, found)
    left_relevant = relevant - found.count()
    left_nonrelevant = nonrelevant - marked.sum(axis=-1)
    concordant = found.summed(below) + left_relevant * left_nonrelevant / 2
    return share(concordant, relevant * nonrelevant) * (matrix.retrieved > 0)


def nonrelevant_positions(matrix: GradeMatrix, rel: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranks of nonrelevant documents, and their number for each topic."""
    if matrix.collection_size is None:
        marked = (matrix.grades >= 0) & (matrix.grades < rel)
        return marked, ((matrix.gold >= 0) & (matrix.gold < rel)).sum(axis=1)
    check_collection(matrix, rel)
    retrieved = np.arange(matrix.grades.shape[-1]) < matrix.retrieved[..., None]
    return retrieved & (matrix.grades < rel), matrix.collection_size - matrix.relevant(rel)


def check_collection(matrix: GradeMatrix, rel: int) -> None:
    """Raise ValueError if the collection is smaller than the retrieved and relevant documents of a topic."""
    nonrelevant = matrix.retrieved - (matrix.grades >= rel).sum(axis=-1)
    least = int((nonrelevant + matrix.relevant(rel)).max(initial=0))
    if matrix.collection_size is not None and matrix.collection_size < least:
        raise ValueError(
            f"collection_size must be at least {least}, the retrieved and relevant documents of a topic, "
            f"not {matrix.collection_size!r}."
        )
