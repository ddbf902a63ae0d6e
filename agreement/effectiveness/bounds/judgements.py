"""Bounds of measures over all ways to judge the unjudged documents of a ranking.

There are three kinds of measures, each with the argument that its bounds are exact:

Measures that do not count the relevant documents of the topic (P, SetP, RR, Success, RBP, DCG, ERR)
    A higher grade of a document never lowers the score. Smallest: all unjudged documents have no gain, as in the score
    itself. Largest: all have the highest grade, or are relevant.
Measures that count them, R + x if x of u unjudged documents are relevant (AP, Rprec, R, SetR, F, SetF, E)
    For each x, the score is largest if these are the x highest unjudged documents, and smallest if they are the x
    lowest, because moving a relevant document up never lowers the score while R + x is constant. Therefore the bounds
    are those of 2 (u + 1) ways to judge. For recall and F down to rank k, two ways are enough: largest if exactly the
    unjudged documents down to k are relevant, smallest if exactly those below k are. For E = 1 - F it is the reverse.
nDCG
    See `agreement.effectiveness.bounds.ndcg`.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from agreement.effectiveness.bounds.ndcg import ndcg_bounds
from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.ndcg import GAIN
from agreement.measures.rbp import highest

Bounds = tuple[np.ndarray, np.ndarray]


def unjudged_ranks(matrix: GradeMatrix) -> np.ndarray:
    """Return whether there is an unjudged document at each rank, shape of the grades."""
    retrieved = np.arange(matrix.grades.shape[-1]) < matrix.retrieved[..., None]
    return np.asarray(retrieved & (matrix.grades < 0))


def _raised(graded: bool) -> Callable[[GradeMatrix, Measure], Bounds]:
    def bounds(matrix: GradeMatrix, measure: Measure) -> Bounds:
        rel = measure.parameters.get("rel", None if graded else 1)
        best = highest(matrix, measure.name) if rel is None else rel
        grades = np.where(unjudged_ranks(matrix), float(best), matrix.grades)
        return measure(matrix), measure(replace(matrix, grades=grades))

    return bounds


def _of_set(
    score: Callable[[GradeMatrix, Measure, np.ndarray, np.ndarray], np.ndarray],
) -> Callable[[GradeMatrix, Measure], Bounds]:
    """Return bounds of a score of the relevant documents down to the cutoff and the relevant documents of the topic."""

    def bounds(matrix: GradeMatrix, measure: Measure) -> Bounds:
        rel, cutoff = measure.parameters.get("rel", 1), measure.parameters.get("cutoff")
        found, relevant = matrix.relevant_retrieved(rel, cutoff), matrix.relevant(rel)
        unjudged = unjudged_ranks(matrix)
        early = unjudged[..., :cutoff].sum(axis=-1)
        late = unjudged.sum(axis=-1) - early
        ends = score(matrix, measure, found, relevant + late), score(matrix, measure, found + early, relevant + early)
        return np.minimum(*ends), np.maximum(*ends)

    return bounds


def _recall(matrix: GradeMatrix, measure: Measure, found: np.ndarray, relevant: np.ndarray) -> np.ndarray:  # noqa: ARG001
    return share(found, relevant)


def _set_f(matrix: GradeMatrix, measure: Measure, found: np.ndarray, relevant: np.ndarray) -> np.ndarray:
    weight = measure.parameters.get("beta", 1.0)
    return share((1 + weight) * found, weight * relevant + matrix.retrieved)


def _f(matrix: GradeMatrix, measure: Measure, found: np.ndarray, relevant: np.ndarray) -> np.ndarray:
    weight = measure.parameters.get("beta", 1.0) ** 2
    seen = measure.parameters.get("cutoff") or matrix.retrieved
    return share((1 + weight) * found, weight * relevant + seen)


def _e(matrix: GradeMatrix, measure: Measure, found: np.ndarray, relevant: np.ndarray) -> np.ndarray:
    return 1 - _f(matrix, measure, found, relevant)


def _by_system(one: Callable[..., Bounds]) -> Callable[[GradeMatrix, Measure], Bounds]:
    """Return bounds that are computed system by system, so that intermediate arrays are small."""

    def bounds(matrix: GradeMatrix, measure: Measure) -> Bounds:
        rel, cutoff = measure.parameters.get("rel", 1), measure.parameters.get("cutoff")
        hit, unjudged, relevant = matrix.grades >= rel, unjudged_ranks(matrix), matrix.relevant(rel)
        pairs = [one(*rows, relevant, cutoff) for rows in zip(hit, unjudged, strict=True)]
        return np.stack([low for low, _ in pairs]), np.stack([high for _, high in pairs])

    return bounds


def _ap(hit: np.ndarray, unjudged: np.ndarray, relevant: np.ndarray, cutoff: int | None) -> Bounds:
    """Return bounds of one system's AP.

    One more relevant document adds the precision at its rank, and 1 / rank for each relevant document below it. These
    gains are summed down the unjudged documents, or up for the smallest value.
    """
    ranks = np.arange(1, hit.shape[1] + 1)
    weight = (ranks <= (cutoff or len(ranks))) / ranks
    above, most = np.cumsum(hit, axis=1), np.cumsum(unjudged, axis=1)
    below = _after(hit * weight)
    start = (hit * above * weight).sum(axis=1, keepdims=True)
    down = np.cumsum(unjudged * ((above + most) * weight + below), axis=1)
    up = _after(unjudged * ((above + 1) * weight + below + _after(unjudged * weight)), inclusive=True)
    fewest = _after(unjudged, inclusive=True)
    relevant = relevant[:, None]
    as_judged = share(start, relevant)[:, 0]
    high = share(start + down, relevant + most).max(axis=1, initial=0)
    low = share(start + up, relevant + fewest).min(axis=1, initial=1)
    return np.minimum(low, as_judged), np.maximum(high, as_judged)


def _r_precision(hit: np.ndarray, unjudged: np.ndarray, relevant: np.ndarray, cutoff: None) -> Bounds:  # noqa: ARG001
    """Return bounds of one system's R-precision over the number x of unjudged documents that are relevant."""
    n_topics, n_ranks = hit.shape
    found, unjudged_count = (np.cumsum(np.pad(marked, ((0, 0), (1, 0))), axis=1) for marked in (hit, unjudged))
    total = unjudged_count[:, -1:]
    x = np.broadcast_to(np.arange(total.max(initial=0) + 1), (n_topics, total.max(initial=0) + 1))
    depth = np.minimum(relevant[:, None] + x, n_ranks)
    found = np.take_along_axis(found, depth, axis=1)
    unjudged_count = np.take_along_axis(unjudged_count, depth, axis=1)
    high = share(found + np.minimum(x, unjudged_count), relevant[:, None] + x)
    low = share(found + np.maximum(x - (total - unjudged_count), 0), relevant[:, None] + x)
    possible = x <= total
    return np.where(possible, low, 1).min(axis=1), np.where(possible, high, 0).max(axis=1)


def _after(values: np.ndarray, inclusive: bool = False) -> np.ndarray:
    """Return the sum of the later values in each row."""
    sums: np.ndarray = np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
    return sums if inclusive else np.asarray(sums - values)


def _ndcg(matrix: GradeMatrix, measure: Measure) -> Bounds:
    gain = GAIN[measure.parameters.get("dcg", "log2")]
    cutoff = measure.parameters.get("cutoff")
    return ndcg_bounds(matrix, unjudged_ranks(matrix), highest(matrix, measure.name), gain, cutoff)


BOUNDS: dict[str, Callable[[GradeMatrix, Measure], Bounds]] = {
    "AP": _by_system(_ap),
    "P": _raised(graded=False),
    "SetP": _raised(graded=False),
    "R": _of_set(_recall),
    "SetR": _of_set(_recall),
    "F": _of_set(_f),
    "SetF": _of_set(_set_f),
    "E": _of_set(_e),
    "Rprec": _by_system(_r_precision),
    "BreakEven": _by_system(_r_precision),
    "RR": _raised(graded=False),
    "Success": _raised(graded=False),
    "RBP": _raised(graded=True),
    "DCG": _raised(graded=True),
    "nDCG": _ndcg,
    "ERR": _raised(graded=True),
}
