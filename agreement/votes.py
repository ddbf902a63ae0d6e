"""Votes: how many assessors gave an item each grade. What does not ask who said what is computed from them.

Votes are an integer array of n_items x n_grades, grades in the order of the scale.
"""

import numpy as np

from agreement.ratings import MISSING, Ratings


def votes(ratings: Ratings) -> np.ndarray:
    """Votes of every item, shape (n_items, n_grades)."""
    n_items, n_grades = ratings.codes.shape[1], len(ratings.scale)
    judged = ratings.codes != MISSING
    cells = np.nonzero(judged)[1] * n_grades + ratings.codes[judged]
    return np.bincount(cells, minlength=n_items * n_grades).reshape(n_items, n_grades)


def vote_pairs(counts: np.ndarray) -> np.ndarray:
    """How often two judgements of one item have two grades, over all pairs of judgements.

    Returns
    -------
    ndarray of int, shape (n_grades, n_grades)
        Symmetric: the pairs with grades k and l are both at [k, l] and at [l, k], those with the same grade
        once, at [k, k].
    """
    pairs = counts.T @ counts
    same = (np.diag(pairs) - counts.sum(axis=0)) // 2
    np.fill_diagonal(pairs, same)
    return pairs
