"""Bounds of measures if a ranking continues, in an unknown order, over the whole collection.

With n documents ranked, m relevant documents not among them, and N documents in the collection, the other documents
have the ranks n + 1 to N. Moving a relevant document up, or a higher grade above a lower one, never lowers a measure
that is supported here. Therefore the largest value has the m documents at n + 1, ..., n + m, highest grade first, and
the smallest value has them at N - m + 1, ..., N, highest grade last: the i-th highest (i = 0, 1, ...) at rank N - i.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.dcg import DISCOUNTS, GAINS, discounted_gain
from agreement.measures.ndcg import GAIN
from agreement.measures.rbp import highest

BoundsFunction: TypeAlias = Callable[[GradeMatrix, Measure], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Late:
    """The relevant documents not retrieved, at the end of the collection; arrays (n_systems, n_topics, n_late).

    Attributes
    ----------
    grades : ndarray
        Grades, highest first; for a binary measure all are the lowest relevant grade.
    counts : ndarray of bool
        Whether there is a document at a rank within the cutoff.
    ranks : ndarray of int
        Rank of each document.
    found : ndarray of int
        Number of relevant documents down to this rank.
    """

    grades: np.ndarray
    counts: np.ndarray
    ranks: np.ndarray
    found: np.ndarray


def _bounds(rest: Callable[[GradeMatrix, Measure, Late], np.ndarray], graded: bool = False) -> BoundsFunction:
    """Return the function of the bounds of a measure; `rest` computes what the late documents add to the smallest."""

    def bounds(matrix: GradeMatrix, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
        rel = measure.parameters.get("rel", None if graded else 1)
        unretrieved = _unretrieved(matrix, rel)
        late = _late(matrix, unretrieved, rel, measure.parameters.get("cutoff"))
        return measure(matrix) + rest(matrix, measure, late), measure(_followed_by(matrix, unretrieved))

    return bounds


def _unretrieved(matrix: GradeMatrix, rel: float | None) -> np.ndarray:
    """Return the grades of the relevant documents not retrieved, highest first, padded with `unjudged`.

    For a binary measure, `rel` represents all relevant grades. For a graded measure (None), all positive grades count.
    """
    size = _collection_size(matrix)
    if rel is None:
        levels = np.unique(matrix.gold[matrix.gold > 0])[::-1]
        left = [(matrix.gold == level).sum(axis=1) - (matrix.grades == level).sum(axis=-1) for level in levels]
    else:
        levels = np.array([rel])
        left = [matrix.relevant(rel) - (matrix.grades >= rel).sum(axis=-1)]
    ends = np.cumsum(np.stack(left, axis=-1), axis=-1) if left else np.zeros((*matrix.retrieved.shape, 1), int)
    if (matrix.retrieved + ends[..., -1]).max(initial=0) > size:
        least = int((matrix.retrieved + ends[..., -1]).max())
        raise ValueError(
            f"collection_size must be at least {least}, the retrieved and relevant documents of a topic, not {size!r}."
        )
    position = np.arange(ends[..., -1].max(initial=0))
    level = np.sum([(position >= ends[..., [i]]).astype(int) for i in range(ends.shape[-1])], axis=0)
    grades: np.ndarray = np.append(levels.astype(float), float(matrix.unjudged))[level]
    return grades


def _collection_size(matrix: GradeMatrix) -> int:
    if matrix.collection_size is None:
        raise ValueError("Bounds with unknown ranks need collection_size.")
    return matrix.collection_size


def _late(matrix: GradeMatrix, unretrieved: np.ndarray, rel: float | None, cutoff: int | None) -> Late:
    exists = unretrieved != matrix.unjudged
    position = np.arange(unretrieved.shape[-1])
    ranks = np.broadcast_to(_collection_size(matrix) - position, unretrieved.shape)
    found = (matrix.grades >= rel if rel is not None else matrix.grades > 0).sum(axis=-1)
    return Late(
        grades=unretrieved,
        counts=exists if cutoff is None else exists & (ranks <= cutoff),
        ranks=ranks,
        found=(found + exists.sum(axis=-1))[..., None] - position,
    )


def _followed_by(matrix: GradeMatrix, unretrieved: np.ndarray) -> GradeMatrix:
    """Return the rankings followed directly by these documents."""
    n_ranks, n_more = matrix.grades.shape[-1], unretrieved.shape[-1]
    grades = np.full((*matrix.retrieved.shape, n_ranks + n_more), float(matrix.unjudged))
    grades[..., :n_ranks] = matrix.grades
    np.put_along_axis(grades, matrix.retrieved[..., None] + np.arange(n_more), unretrieved, axis=-1)
    return replace(matrix, grades=grades, retrieved=matrix.retrieved + (unretrieved != matrix.unjudged).sum(axis=-1))


def _ap(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:
    sums = (late.counts * late.found / late.ranks).sum(axis=-1)
    return share(sums, matrix.relevant(measure.parameters.get("rel", 1)))


def _precision(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:  # noqa: ARG001
    return np.asarray(late.counts.sum(axis=-1) / measure.parameters["cutoff"])


def _recall(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:
    return share(late.counts.sum(axis=-1), matrix.relevant(measure.parameters.get("rel", 1)))


def _f(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:
    weight = measure.parameters.get("beta", 1.0) ** 2
    whole = weight * matrix.relevant(measure.parameters.get("rel", 1)) + measure.parameters["cutoff"]
    return share((1 + weight) * late.counts.sum(axis=-1), whole)


def _r_precision(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:
    relevant = matrix.relevant(measure.parameters.get("rel", 1))
    return share((late.counts & (late.ranks <= relevant[:, None])).sum(axis=-1), relevant)


def _success(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:  # noqa: ARG001
    return np.asarray((late.counts & (late.found == 1)).any(axis=-1).astype(float))


def _reciprocal_rank(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:  # noqa: ARG001
    return np.asarray(np.where(late.counts & (late.found == 1), 1 / late.ranks, 0.0).sum(axis=-1))


def _rbp(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:
    p = measure.parameters.get("p", 0.8)
    gain = late.grades / highest(matrix, "graded RBP") if measure.parameters.get("rel") is None else 1.0
    return np.asarray((np.where(late.counts, gain, 0.0) * (1 - p) * p ** (late.ranks - 1.0)).sum(axis=-1))


def _dcg(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:  # noqa: ARG001
    return _discounted(late, measure.parameters.get("discount", "log2"), measure.parameters.get("gain", "linear"))


def _ndcg(matrix: GradeMatrix, measure: Measure, late: Late) -> np.ndarray:
    gain = GAIN[measure.parameters.get("dcg", "log2")]
    ideal = discounted_gain(matrix.gold[None, :, : measure.parameters.get("cutoff")], "log2", gain)
    return share(_discounted(late, "log2", gain), ideal)


def _discounted(late: Late, discount: str, gain: str) -> np.ndarray:
    gains = GAINS[gain](np.where(late.counts, late.grades, 0.0))
    return np.asarray((gains / DISCOUNTS[discount](late.ranks)).sum(axis=-1))


BOUNDS: dict[str, BoundsFunction] = {
    "AP": _bounds(_ap),
    "P": _bounds(_precision),
    "R": _bounds(_recall),
    "F": _bounds(_f),
    "Rprec": _bounds(_r_precision),
    "BreakEven": _bounds(_r_precision),
    "RR": _bounds(_reciprocal_rank),
    "Success": _bounds(_success),
    "RBP": _bounds(_rbp, graded=True),
    "DCG": _bounds(_dcg, graded=True),
    "nDCG": _bounds(_ndcg, graded=True),
}
