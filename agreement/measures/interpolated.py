"""Interpolated precision at a recall, and its averages over 11 and 3 recall points.

    interpolated precision at recall x = highest precision at any rank whose recall is x or more

Source: Manning, Raghavan and Schuetze (2008), equation 8.7; its section 8.4 for the average over the recalls
0, 0.1, ..., 1. The average over 0.2, 0.5 and 0.8 is that of trec_eval before version 9. Range 0 to 1. Relevant
is a grade of `rel` and above; an unjudged document is not relevant. The value is 0 for a
recall that the ranking never reaches, for a topic without relevant documents, and for an empty ranking.

With R relevant documents, recall x is reached at the c-th of them, where c is the smallest whole number of at
least x R and at least 1. trec_eval computes c differently, and so differs in some topics:

- Until version 9 (and in pytrec_eval) c = int(x R + 0.9) in floating point. For the multiples of 0.1 this
  is the same except if the product is too small: for x = 0.7 with R = 3, 23, 33, 43, 53, 63, 73, 83, 373, ... and
  for x = 0.3 with R = 57, 67, 77, 87, 97, 197, 207, 857, ... it uses c - 1, a recall below x (2 / 3 < 0.7).
  For R up to 2000 it therefore differs at these two points only, and the 11-point average by one 11th of that. For
  other x, c is also too small if the fraction of x R is below 0.1, as for x = 0.35 and R = 3.
- Since version 10 c = x R rounded to the nearest, which is too small if the fraction of x R is below one half.

This module follows the definition. A difference of less than 1e-9 between x R and a whole number is ignored.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.measures.hits import hits

ELEVEN = tuple(tenths / 10 for tenths in range(11))
THREE = (0.2, 0.5, 0.8)
CLOSE = 1e-9


def interpolated_precision(matrix: GradeMatrix, recall: float, rel: int = 1) -> np.ndarray:
    """Compute interpolated precision of every ranking at one recall, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        The recall is not between 0 and 1.
    """
    return np.asarray(precision_at_recalls(matrix, (recall,), rel)[..., 0])


def iprec11(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute the mean interpolated precision at the recalls 0, 0.1, ..., 1; shape (n_systems, n_topics)."""
    return np.asarray(precision_at_recalls(matrix, ELEVEN, rel).mean(axis=-1))


def iprec3(matrix: GradeMatrix, rel: int = 1) -> np.ndarray:
    """Compute the mean interpolated precision at the recalls 0.2, 0.5 and 0.8; shape (n_systems, n_topics)."""
    return np.asarray(precision_at_recalls(matrix, THREE, rel).mean(axis=-1))


def precision_at_recalls(matrix: GradeMatrix, recalls: tuple[float, ...], rel: int = 1) -> np.ndarray:
    """Compute interpolated precision of every ranking at several recalls, shape (n_systems, n_topics, n_recalls)."""
    points = np.asarray(recalls, dtype=float)
    if not ((points >= 0) & (points <= 1)).all():
        raise ValueError(f"A recall must be between 0 and 1, not {', '.join(map(repr, points.tolist()))}.")
    found = hits(matrix.grades >= rel)
    precision = found.table(found.ordinal / found.rank, fill=0.0)
    highest = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    needed = np.maximum(np.ceil(np.outer(matrix.relevant(rel), points) - CLOSE), 1).astype(int)
    needed = np.broadcast_to(needed, (*matrix.retrieved.shape, len(points))).reshape(len(highest), len(points))
    reached = needed <= highest.shape[1]
    at = np.take_along_axis(highest, np.minimum(needed, highest.shape[1]) - 1, axis=1)
    return np.where(reached, at, 0.0).reshape(*matrix.retrieved.shape, len(points))
