"""Sakai's Q-measure: average precision for graded relevance.

    Q@k   = (1 / min(k, R)) sum over relevant documents at rank r <= k of BR(r)
    BR(r) = (found(r) + beta cg(r)) / (r + beta cgi(r))

BR is the blended ratio: found(r) counts the relevant documents among the first r, cg(r) sums their gains, and
cgi(r) is the same sum in the ideal ranking (all documents of the gold, highest grade first). The gain is the grade;
every positive grade is relevant. R is the number of relevant documents; without a cutoff, the sum is divided by R. With
beta = 0 and no cutoff, Q is AP. The larger beta, the more important the ranks of high grades.

Source: T. Sakai (2007), On the reliability of information retrieval metrics based on graded relevance,
Information Processing and Management 43(2), 531-548, with the normaliser min(k, R) of Sakai and Song (2011),
Evaluating diversified search results using per-intent graded relevance, SIGIR, as in NTCIREVAL; AP@k here is
divided by R. Range 0 to 1. Negative grades and unjudged documents gain 0. A topic without a positive grade, and
an empty ranking, have Q 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.hits import hits


def q_measure(matrix: GradeMatrix, beta: float = 1.0, cutoff: int | None = None) -> np.ndarray:
    """Compute Q of every ranking, shape (n_systems, n_topics).

    Raises
    ------
    ValueError
        beta is negative.
    """
    if not 0 <= beta < np.inf:
        raise ValueError(f"beta must be a number of at least 0, not {beta!r}.")
    top = matrix.grades[..., :cutoff]
    found = hits(top > 0)
    gained = np.cumsum(found.table(found.values_of(top), fill=0.0), axis=1)[found.ranking, found.ordinal - 1]
    blended = (found.ordinal + beta * gained) / (found.rank + beta * _ideal(matrix, found.topic, found.position))
    relevant = (matrix.gold > 0).sum(axis=1)
    return share(found.summed(blended), relevant if cutoff is None else np.minimum(relevant, cutoff))


def _ideal(matrix: GradeMatrix, topic: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Return the cumulated gain of the ideal ranking of a topic down to a position."""
    if not len(topic):
        return np.zeros(0)
    cumulated = np.cumsum(np.where(matrix.gold > 0, matrix.gold, 0).astype(float), axis=1)
    ideal: np.ndarray = cumulated[topic, np.minimum(position, cumulated.shape[1] - 1)]
    return ideal
