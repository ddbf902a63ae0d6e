"""Normalised discounted cumulative gain.

    DCG@k  = sum over ranks i <= k of gain(i) / log2(i + 1)
    nDCG@k = DCG@k / DCG@k of the ideal ranking

The gain is the grade; a negative grade, and an unjudged document, gain 0. The ideal ranking has all documents
of the gold, highest grade first. Range 0 to 1; 0 for a topic without a positive grade and an empty ranking.

Source: K. Järvelin and J. Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS
20(4), 422-446, with the discount of Manning, Raghavan and Schuetze (2008), equation 8.9, and of trec_eval.
"""

import numpy as np

from agreement.effectiveness.matrix import GradeMatrix, share


def ndcg(matrix: GradeMatrix, cutoff: int | None = None) -> np.ndarray:
    """nDCG of every ranking, shape (n_systems, n_topics)."""
    return share(_dcg(matrix.grades[..., :cutoff]), _dcg(matrix.gold[:, :cutoff]))


def _dcg(grades: np.ndarray) -> np.ndarray:
    """DCG along the last axis."""
    shape, n_ranks = grades.shape[:-1], grades.shape[-1]
    rows = grades.reshape(-1, n_ranks)
    row, rank = np.nonzero(rows > 0)
    gains = rows[row, rank] / np.log2(rank + 2)
    return np.bincount(row, gains, minlength=len(rows)).reshape(shape)
