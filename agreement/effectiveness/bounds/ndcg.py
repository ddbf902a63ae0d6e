"""Bounds of nDCG over all ways to judge the unjudged documents of a ranking.

A judgement raises both DCG and the ideal DCG. Let x_t of the u unjudged documents have grade v_t or more, for the
positive grades v_1 < v_2 < ... of the scale, whose gains increase in steps w_t. Let R_t documents of the gold have
grade v_t or more. The gain of a document is the sum of the steps up to its grade, so that

    ideal DCG = sum over t of w_t D(R_t + x_t),   D(m) = sum over i <= min(m, k) of 1 / log2(i + 1)

Largest: for given x_t, DCG is largest if higher grades have higher ranks: DCG as judged + sum over t of w_t C(x_t),
where C(x) is the sum of the discounts of the x highest unjudged ranks. Whether a ratio N / I exceeds y depends on
N - y I, a sum of one term for each t that is largest where C(x) - y D(R_t + x) is largest. R_t decreases with t and D
flattens, so that the best x_t decrease too and are possible together. Setting y to the ratio and repeating (Dinkelbach,
1967, On nonlinear fractional programming, Management Science 13, 492-498) ends after a few rounds at the largest ratio.
Grades that no document of the gold has can be left out, because with the same R_t the best x_t is the same.

Smallest: N - y I is concave in the gains, because I is the maximum of linear sums. Therefore it is smallest at corners,
where each unjudged document has grade 0 or the highest grade; for x of these, the smallest has the x lowest ranks.
"""

from typing import TypeAlias

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix, share
from agreement.measures.dcg import GAINS

Bounds: TypeAlias = tuple[np.ndarray, np.ndarray]


def ndcg_bounds(matrix: GradeMatrix, unjudged: np.ndarray, highest: float, gain: str, cutoff: int | None) -> Bounds:
    """Return the smallest and the largest nDCG, each of shape (n_systems, n_topics)."""
    levels = np.unique(np.append(matrix.gold[matrix.gold > 0].astype(float), highest))
    steps = np.diff(GAINS[gain](levels), prepend=0.0)
    with_level = np.stack([matrix.relevant(level) for level in levels])
    most = matrix.gold.shape[1] + matrix.grades.shape[2]
    ranks = np.arange(1, most + 1)
    discounts = (ranks <= (cutoff or most)) / np.log2(ranks + 1)
    ideal = _Ideal(np.concatenate([[0.0], np.cumsum(discounts)]), with_level, steps)
    gains = np.where(matrix.grades > 0, GAINS[gain](np.maximum(matrix.grades, 0).astype(float)), 0.0)
    pairs = [_one(gained, positions, discounts, ideal) for gained, positions in zip(gains, unjudged, strict=True)]
    return np.stack([low for low, _ in pairs]), np.stack([high for _, high in pairs])


class _Ideal:
    """The ideal DCG of every topic, by the number of unjudged documents of each level."""

    def __init__(self, cumulated: np.ndarray, with_level: np.ndarray, steps: np.ndarray) -> None:
        self.cumulated, self.with_level, self.steps = cumulated, with_level, steps

    def of_level(self, level: int, x: np.ndarray) -> np.ndarray:
        """Return D(R_t + x) in the shape of x, (n_topics, any)."""
        values: np.ndarray = self.cumulated[self.with_level[level][:, None] + x]
        return values


def _one(gains: np.ndarray, unjudged: np.ndarray, discounts: np.ndarray, ideal: _Ideal) -> Bounds:
    """Return the bounds of one system; gains and unjudged ranks have the shape (n_topics, n_ranks)."""
    discounts = discounts[: gains.shape[1]]
    start = (gains * discounts).sum(axis=1)
    total = unjudged.sum(axis=1, keepdims=True)
    x = np.broadcast_to(np.arange(total.max(initial=0) + 1), (len(gains), total.max(initial=0) + 1))
    ranked = _discounts_of(unjudged, discounts, x.shape[1])
    from_top = np.cumsum(ranked, axis=1)
    whole = np.take_along_axis(from_top, total, axis=1)
    from_bottom = whole - np.take_along_axis(from_top, np.maximum(total - x, 0), axis=1)
    return _smallest(start, from_bottom, x, x <= total, ideal), _largest(start, from_top, x, x <= total, ideal)


def _discounts_of(unjudged: np.ndarray, discounts: np.ndarray, width: int) -> np.ndarray:
    """Return 0, the discounts of the unjudged ranks of each topic from the top, then 0; shape (n_topics, width)."""
    topic, position = np.nonzero(unjudged)
    nth = np.cumsum(unjudged, axis=1)[topic, position]
    table = np.zeros((len(unjudged), width))
    table[topic, nth] = discounts[position]
    return table


def _smallest(
    start: np.ndarray, from_bottom: np.ndarray, x: np.ndarray, possible: np.ndarray, ideal: _Ideal
) -> np.ndarray:
    gained = start[:, None] + ideal.steps.sum() * from_bottom
    whole = np.zeros(x.shape)
    for t, step in enumerate(ideal.steps):
        whole = whole + step * ideal.of_level(t, x)
    return np.asarray(np.where(possible, share(gained, whole), 1.0).min(axis=1))


def _largest(start: np.ndarray, from_top: np.ndarray, x: np.ndarray, possible: np.ndarray, ideal: _Ideal) -> np.ndarray:
    best = np.zeros(len(start))
    by_level = [ideal.of_level(t, x) for t in range(len(ideal.steps))]
    while True:
        gained, whole = start.copy(), np.zeros(len(start))
        for step, level in zip(ideal.steps, by_level, strict=True):
            at = np.where(possible, from_top - best[:, None] * level, -np.inf).argmax(axis=1)[:, None]
            gained += step * np.take_along_axis(from_top, at, axis=1)[:, 0]
            whole += step * np.take_along_axis(level, at, axis=1)[:, 0]
        ratio = share(gained, whole)
        if (ratio <= best).all():
            return best
        best = np.maximum(best, ratio)
