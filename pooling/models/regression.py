"""From scores to grades by isotonic regression, one for each step of the scale.

For each grade g above the lowest, P(grade >= g) is a function of the score that never falls, fitted to human grades by
least squares (pool adjacent violators; R. E. Barlow et al., Statistical Inference under Order Restrictions, 1972).
Documents with the same score count as their mean. Between two scores of the training, the function is linear; beyond
them, it is constant. All functions have the same scores, and a higher g has smaller values at each, so their fits are
in order too: the differences are the probabilities of the grades.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class GradeRegression:
    """The fitted functions.

    Attributes
    ----------
    grades : tuple of int
        The scale, lowest first.
    scores : ndarray of shape (n_scores,)
        The different scores of the training, ascending.
    steps : ndarray of shape (n_grades - 1, n_scores)
        P(grade >= g) at each score, for each grade above the lowest.
    """

    grades: tuple[int, ...]
    scores: np.ndarray
    steps: np.ndarray

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Return the probabilities of the grades, of shape (n, n_grades), for scores of shape (n,)."""
        above = np.array([np.interp(scores, self.scores, step) for step in self.steps])
        bounds = np.vstack([np.ones((1, len(scores))), above, np.zeros((1, len(scores)))])
        return np.maximum(-np.diff(bounds, axis=0).T, 0.0)


def fit_grades(scores: np.ndarray, relevance: np.ndarray, grades: Sequence[int]) -> GradeRegression:
    """Fit the functions to human grades.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        The scores, finite.
    relevance : ndarray of shape (n,)
        The human grades of the same documents.
    grades : sequence of int
        The scale, lowest first.

    Returns
    -------
    GradeRegression
        The fitted functions.

    Examples
    --------
    >>> fit = fit_grades(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0, 1, 0, 1]), (0, 1))
    >>> fit.steps.tolist()
    [[0.0, 0.5, 0.5, 1.0]]
    >>> fit.probabilities(np.array([0.0, 0.25])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    from scipy.optimize import isotonic_regression  # slow to import

    different, where, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    steps = []
    for grade in grades[1:]:
        means = np.bincount(where, weights=relevance >= grade) / sizes
        steps.append(isotonic_regression(means, weights=sizes).x)
    return GradeRegression(tuple(grades), different, np.array(steps))
