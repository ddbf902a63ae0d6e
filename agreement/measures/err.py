"""Expected reciprocal rank: the expected value of 1 / rank of the document at which a reader stops, satisfied.

    ERR  = sum over ranks r <= cutoff of (1 / r) R(r) product over i < r of (1 - R(i))
    R(r) = (2^g - 1) / 2^highest,   with g the grade at rank r

`highest` is the highest grade of the declared scale, not of the gold, so that values are comparable across topics and
collections.

Source: O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan (2009), Expected reciprocal rank for graded relevance,
CIKM, 621-630. Range 0 to below 1, because the highest grade satisfies with probability
(2^highest - 1) / 2^highest. Negative grades and unjudged documents have R = 0. A topic without a positive grade, and an
empty ranking, have ERR 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.measures.hits import hits
from agreement.measures.rbp import highest


def err(matrix: GradeMatrix, cutoff: int | None = None) -> np.ndarray:
    """Compute ERR of every ranking, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        There is no declared scale.
    """
    perfect = 2.0 ** float(highest(matrix, "ERR"))
    top = matrix.grades[..., :cutoff]
    satisfying = hits(top > 0)
    stop = (2.0 ** satisfying.values_of(top).astype(float) - 1) / perfect
    continuing = np.cumprod(satisfying.table(1 - stop, fill=1.0), axis=1)
    reaching = np.where(satisfying.ordinal > 1, continuing[satisfying.ranking, satisfying.ordinal - 2], 1.0)
    return satisfying.summed(stop * reaching / satisfying.rank)
