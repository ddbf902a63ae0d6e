"""What people are expected to say about a document, given the grade of a model.

Where people graded documents with this model grade, their shares count. Before anybody graded, every step between the
grade of people and that of the model makes a grade half as likely: with k steps, its prior share is in proportion to
2^-k. The prior counts as much as `prior` grades of people, so the estimate for a model grade with counts n(y) is

    P(y) = (n(y) + prior * share(y)) / (n + prior)

This rule is ours. A grade of the model between two grades counts as the nearer one, and halfway as the higher one.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import plain

PRIOR = 4.0


@dataclass(frozen=True, eq=False)
class GradeChances:
    """The chances of each grade of people.

    Attributes
    ----------
    scale : ndarray of float, shape (n_grades,)
        The grades of people, lowest first.
    shares : ndarray of float, shape (n_grades, n_grades)
        For each grade of the model (rows), the chance of each grade of people (columns).
    n_known : ndarray of int, shape (n_grades,)
        The number of grades of people for each grade of the model.
    """

    scale: np.ndarray
    shares: np.ndarray
    n_known: np.ndarray

    @property
    def spread(self) -> np.ndarray:
        """The standard deviation of the grade of people for each grade of the model; shape (n_grades,)."""
        mean = self.shares @ self.scale
        return np.asarray(np.sqrt(np.maximum(self.shares @ self.scale**2 - mean**2, 0)))


def grade_chances(scale: np.ndarray, model: np.ndarray, people: np.ndarray, prior: float = PRIOR) -> GradeChances:
    """The chances from pairs that people and the model graded, as positions on the scale.

    Shapes: `scale` (n_grades,); `model`, `people` (n_known,).
    """
    n_grades = len(scale)
    steps = np.abs(np.subtract.outer(np.arange(n_grades), np.arange(n_grades)))
    before = 0.5**steps
    before /= before.sum(axis=1, keepdims=True)
    counts = np.zeros((n_grades, n_grades))
    np.add.at(counts, (model, people), 1.0)
    n_known = counts.sum(axis=1)
    shares = (counts + prior * before) / (n_known + prior)[:, None]
    return GradeChances(scale, shares, n_known.astype(np.int64))


def nearest_positions(grades: "pd.Series[float]", scale: np.ndarray, who: str) -> np.ndarray:
    """The position of the nearest grade of the scale; ValueError for a grade outside it.

    Shapes: the result (n,).
    """
    numbers = grades.to_numpy(dtype=np.float64)
    outside = (numbers < scale[0]) | (numbers > scale[-1]) | np.isnan(numbers)
    if outside.any():
        raise ValueError(
            f"{who} has the grade {plain(numbers[outside][0])!r}, but the scale is from {scale[0]:g} to {scale[-1]:g}."
            " Map its grades to the scale first."
        )
    middles = (scale[1:] + scale[:-1]) / 2
    return np.asarray(np.searchsorted(middles, numbers, side="right"))
