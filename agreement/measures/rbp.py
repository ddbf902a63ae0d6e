"""Rank-biased precision, and its residual.

    RBP      = (1 - p) sum over ranks i <= k of g(i) p^(i-1)
    residual = (1 - p) sum over unjudged documents at ranks i <= k of p^(i-1)  +  p^min(k, length of the ranking)

A reader continues from each document to the next with persistence p. The gain g is 1 for a grade of `rel` and above,
and 0 below. Without `rel`, it is the grade divided by the highest grade of the declared scale, and 0 for negative
grades. k is the cutoff, or the end of the ranking.

The residual is the largest possible increase of RBP: if all unjudged documents, and all documents after the last rank,
had the highest gain. All weights sum to 1, so the residual is 1 minus the weight of the judged documents. The true
value is between RBP and RBP + residual, which is at most 1.

Source: A. Moffat and J. Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM
TOIS 27(1), article 2, for the measure, the graded gains and the residual. Range 0 to 1. An unjudged document
gains 0; so does one with a negative grade (pooled and not judged), which also counts as unjudged. A topic without
relevant documents, and an empty ranking, have RBP 0; an empty ranking has the residual 1.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.measures.hits import hits


def rbp(matrix: GradeMatrix, p: float = 0.8, rel: float | None = None, cutoff: int | None = None) -> np.ndarray:
    """Compute RBP of every ranking, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        p is not between 0 and 1, or there is neither `rel` nor a declared scale.
    """
    _check(p)
    top = matrix.grades[..., :cutoff]
    gaining = hits(top > 0 if rel is None else top >= rel)
    gain = gaining.values_of(top) / highest(matrix, "graded RBP") if rel is None else 1
    return gaining.summed((1 - p) * gain * p**gaining.position)


def rbp_residual(
    matrix: GradeMatrix,
    p: float = 0.8,
    rel: float | None = None,  # noqa: ARG001
    cutoff: int | None = None,
) -> np.ndarray:
    """Compute the residual of RBP of every ranking, shape (n_systems, n_topics).

    `rel` has no effect; it exists so that `rbp` and `rbp_residual` have the same parameters.

    Raises
    ------
    ValueError
        p is not between 0 and 1.
    """
    _check(p)
    top = matrix.grades[..., :cutoff]
    judged = hits(top >= 0)
    return np.asarray(1 - judged.summed((1 - p) * p**judged.position))


def highest(matrix: GradeMatrix, measure: str) -> float:
    """Return the highest grade of the declared scale."""
    if matrix.highest is None or matrix.highest <= 0:
        raise ValueError(
            f"{measure} needs a declared scale with a grade above 0, but its highest grade is {matrix.highest}."
        )
    return matrix.highest


def _check(p: float) -> None:
    if not 0 < p < 1:
        raise ValueError(f"The persistence p must be between 0 and 1, not {p!r}.")
