"""Discounted cumulative gain, with both textbook discounts.

    DCG@k = sum over ranks i <= k of gain(i) * discount(i)

    discount "log2"   1 / log2(i + 1)         Manning, Raghavan and Schuetze (2008), equation 8.9; trec_eval
    discount "max2"   1 / log2(max(i, 2))     Järvelin and Kekäläinen (2002), with base 2: rank 1 and 2 in full

    gain "linear"       the grade
    gain "exponential"  2^grade - 1

Source: K. Järvelin and J. Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4),
422-446; the exponential gain is that of C. Burges et al. (2005), Learning to rank using gradient descent, ICML,
89-96. Range 0 and up. A negative grade and an unjudged document gain 0. A topic without a positive grade, and an
empty ranking, have DCG 0.
"""

import numpy as np

from agreement.effectiveness.hits import hits
from agreement.effectiveness.ranked_runs import GradeMatrix

DISCOUNTS = {"log2": lambda rank: np.log2(rank + 1), "max2": lambda rank: np.log2(np.maximum(rank, 2))}
GREATEST_EXPONENT = 1000


def exponential(grade: np.ndarray) -> np.ndarray:
    """2^grade - 1; ValueError for a grade that no number is large enough for."""
    if grade.size and grade.max() > GREATEST_EXPONENT:
        raise ValueError(
            f"the exponential gain of grade {grade.max():g} is too large; grades go to {GREATEST_EXPONENT}"
        )
    return np.exp2(grade) - 1


GAINS = {"linear": lambda grade: grade, "exponential": exponential}


def dcg(matrix: GradeMatrix, cutoff: int | None = None, discount: str = "log2", gain: str = "linear") -> np.ndarray:
    """DCG of every ranking, shape (n_systems, n_topics)."""
    return discounted_gain(matrix.grades[..., :cutoff], discount, gain)


def discounted_gain(grades: np.ndarray, discount: str, gain: str) -> np.ndarray:
    """Sum of the discounted gains of each ranking; grades have the shape (n_systems, n_topics, n_ranks)."""
    found = hits(grades > 0)
    gained = GAINS[gain](found.of(grades).astype(np.float64))
    return found.summed(gained / DISCOUNTS[discount](found.rank))
