"""Sums over runs for each document of a topic."""

import numpy as np

from pooling.adaptive.rankings import Rankings


def summed_by_document(rankings: Rankings, values: np.ndarray) -> np.ndarray:
    """For each document the sum over runs of a value for its rank.

    Parameters
    ----------
    rankings : Rankings
    values : ndarray of float, shape (n_runs, n_ranks)

    Returns
    -------
    ndarray of float, shape (n_documents + 1,)
        The last entry belongs to no document.
    """
    return np.bincount(rankings.positions.ravel(), values.ravel(), minlength=rankings.n_documents + 1)
