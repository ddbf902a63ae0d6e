"""Discounted cumulative gain, with both textbook discounts.

    DCG@k = sum over ranks i <= k of gain(i) * discount(i)

    discount "log2"   1 / log2(i + 1)         Manning, Raghavan and Schuetze (2008), equation 8.9; trec_eval
    discount "max2"   1 / log2(max(i, 2))     Järvelin and Kekäläinen (2002), base 2: no discount at ranks 1, 2

    gain "linear"       the grade
    gain "exponential"  2^grade - 1

Source: K. Järvelin and J. Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4),
422-446; the exponential gain is from C. Burges et al. (2005), Learning to rank using gradient descent, ICML,
89-96. Range: at least 0. A negative grade and an unjudged document gain 0. A topic without a positive grade, and an
empty ranking, have DCG 0.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.measures.hits import hits

Transform: TypeAlias = Callable[[np.ndarray], np.ndarray]

DISCOUNTS: dict[str, Transform] = {
    "log2": lambda rank: np.log2(rank + 1),
    "max2": lambda rank: np.log2(np.maximum(rank, 2)),
}
GREATEST_EXPONENT = 1000


def exponential(grade: np.ndarray) -> np.ndarray:
    """Return 2^grade - 1; raise ValueError for a grade whose gain would overflow."""
    if grade.size and grade.max() > GREATEST_EXPONENT:
        raise ValueError(
            f"The exponential gain of grade {grade.max():g} is too large. Grades must be at most {GREATEST_EXPONENT}."
        )
    gain: np.ndarray = np.exp2(grade) - 1
    return gain


GAINS: dict[str, Transform] = {"linear": lambda grade: grade, "exponential": exponential}


def dcg(matrix: GradeMatrix, cutoff: int | None = None, discount: str = "log2", gain: str = "linear") -> np.ndarray:
    """Compute DCG of every ranking, shape (n_systems, n_topics)."""
    return discounted_gain(matrix.grades[..., :cutoff], discount, gain)


def discounted_gain(grades: np.ndarray, discount: str, gain: str) -> np.ndarray:
    """Sum the discounted gains of each ranking; grades have the shape (n_systems, n_topics, n_ranks)."""
    found = hits(grades > 0)
    gained = GAINS[gain](found.values_of(grades).astype(np.float64))
    return found.summed(gained / DISCOUNTS[discount](found.rank))
