"""Who is ahead of whom, and how often, in many rankings of the same systems."""

import numpy as np

from agreement.rank_correlation.orders import order_signs
from agreement.rank_correlation.rank_levels import Levels, levels


def order_counts(rankings: np.ndarray | Levels) -> tuple[np.ndarray, np.ndarray]:
    """How often each system is ahead of each other one, and how often the two are tied.

    Parameters
    ----------
    rankings : ndarray of float, shape (n_rankings, n_systems), or Levels

    Returns
    -------
    wins, ties : ndarray of int, shape (n_systems, n_systems)
        `wins[i, j]`: number of rankings in which i is better than j. `ties` is symmetric, with a diagonal of
        0. For every pair wins[i, j] + wins[j, i] + ties[i, j] is the number of rankings.
    """
    compact = levels(rankings)
    plain = np.delete(compact.better, compact.chained, axis=1) if len(compact.chained) else compact.better
    wins = np.zeros((compact.n_systems, compact.n_systems), dtype=np.int64)
    ties = np.zeros_like(wins)
    for i in range(compact.n_systems):
        for j in range(i + 1, compact.n_systems):
            wins[i, j] = np.count_nonzero(plain[i] < plain[j])
            if compact.tied.any():
                ties[i, j] = ties[j, i] = np.count_nonzero(plain[i] == plain[j])
            wins[j, i] = plain.shape[1] - wins[i, j] - ties[i, j]
    for scores in compact.chained_scores:
        signs = order_signs(scores)
        wins += signs > 0
        ties += (signs == 0) & ~np.eye(len(signs), dtype=bool)
    return wins, ties
