"""Normalised discounted cumulative gain.

    DCG@k  = sum over ranks i <= k of gain(i) / log2(i + 1)
    nDCG@k = DCG@k / DCG@k of the ideal ranking

The gain is the grade, or 2^grade - 1 with `dcg="exp-log2"`. A negative grade, and an unjudged document, gain 0.
The ideal ranking has all documents of the gold, highest grade first. Range 0 to 1. A topic without a positive grade,
and an empty ranking, have nDCG 0.

Source: K. Järvelin and J. Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS
20(4), 422-446, with the discount of Manning, Raghavan and Schuetze (2008), equation 8.9, and of trec_eval; the
exponential gain is from C. Burges et al. (2005), Learning to rank using gradient descent, ICML, 89-96.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.dcg import discounted_gain

GAIN = {"log2": "linear", "exp-log2": "exponential"}


def ndcg(matrix: GradeMatrix, cutoff: int | None = None, dcg: str = "log2") -> np.ndarray:
    """Compute nDCG of every ranking, shape (n_systems, n_topics)."""
    ideal = discounted_gain(matrix.gold[None, :, :cutoff], "log2", GAIN[dcg])
    return share(discounted_gain(matrix.grades[..., :cutoff], "log2", GAIN[dcg]), ideal)
