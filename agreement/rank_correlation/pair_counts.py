"""How often each system is ahead of each other one in many rankings."""

import numpy as np
from numpy.typing import ArrayLike

from agreement.rank_correlation.orders import order_signs
from agreement.rank_correlation.rank_levels import Levels, levels


def order_counts(rankings: ArrayLike | Levels) -> tuple[np.ndarray, np.ndarray]:
    """Count how often each system is ahead of each other one, and how often the two are tied.

    Parameters
    ----------
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the systems in each ranking, higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    wins, ties : ndarray of int, shape (n_systems, n_systems)
        `wins[i, j]` is the number of rankings in which i is better than j. `ties` is symmetric with a diagonal of 0.
        For every pair, wins[i, j] + wins[j, i] + ties[i, j] is the number of rankings.

    Raises
    ------
    ValueError
        The rankings are not a matrix, or a score is not finite.

    Examples
    --------
    >>> from agreement.rank_correlation import order_counts
    >>> wins, ties = order_counts([[3, 2], [3, 2], [1, 1]])
    >>> wins.tolist(), ties.tolist()
    ([[0, 2], [0, 0]], [[0, 1], [1, 0]])
    """
    compact = levels(rankings)
    transitive = np.delete(compact.better, compact.chained, axis=1) if len(compact.chained) else compact.better
    wins = np.zeros((compact.n_systems, compact.n_systems), dtype=np.int64)
    ties = np.zeros_like(wins)
    for i in range(compact.n_systems):
        for j in range(i + 1, compact.n_systems):
            wins[i, j] = np.count_nonzero(transitive[i] < transitive[j])
            if compact.tied.any():
                ties[i, j] = ties[j, i] = np.count_nonzero(transitive[i] == transitive[j])
            wins[j, i] = transitive.shape[1] - wins[i, j] - ties[i, j]
    for scores in compact.chained_scores:
        signs = order_signs(scores)
        wins += signs > 0
        ties += (signs == 0) & ~np.eye(len(signs), dtype=bool)
    return wins, ties
