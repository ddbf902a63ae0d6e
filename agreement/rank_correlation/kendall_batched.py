"""Kendall's tau of one or several references with many rankings of the same systems.

`tau_batch`, `tau_a_batch` and `tau_b_batch` return the same values as `tau`, `tau_a` and `tau_b`, to the last bit, and
are undefined in the same cases. Rankings are a matrix of scores, or the `Levels` that
`agreement.rank_correlation.levels` computes once for any number of references.

Method: the systems are sorted by the reference. Every system is compared with all systems that are worse in the
reference, in all rankings of a block at once, as bytes. This counts C, the concordant pairs, and, if the reference has
ties, T_xy, the pairs that are tied in both. With N pairs, T_x tied in the reference and T_y tied in the ranking, the
number of discordant pairs is N - T_x - C - (T_y - T_xy).

References
----------
M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.
M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

import numpy as np
from numpy.typing import ArrayLike

from agreement.rank_correlation.batch import Batch, Reference, Values, blocks_in_order, correlate, count_systems
from agreement.rank_correlation.kendall import tau, tau_a, tau_b
from agreement.rank_correlation.rank_levels import Levels


def tau_batch(reference: ArrayLike, rankings: ArrayLike | Levels) -> Batch:
    """Compute Kendall's tau of every ranking with every reference, all without ties.

    Parameters
    ----------
    reference : array-like of float, shape (n_systems,) or (n_references, n_systems)
        Scores of the systems in each reference; higher is better.
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order; higher is better.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,), or (n_references, n_rankings) for several references.
        Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        A reference or a ranking has ties (scores closer than 1e-12), the number of systems differs, or a score is
        not finite.

    References
    ----------
    M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_batch
    >>> tau_batch([9, 8, 7], [[3, 2, 1], [2, 3, 1], [1, 2, 3]]).values.round(3).tolist()
    [1.0, 0.333, -1.0]
    """
    return correlate("tau", reference, rankings, _over_all_pairs, tau, instead="tau_a_batch or tau_b_batch")


def tau_a_batch(reference: ArrayLike, rankings: ArrayLike | Levels) -> Batch:
    """Compute Kendall's tau_a of every ranking with every reference; a pair tied in either counts 0.

    Parameters
    ----------
    reference : array-like of float, shape (n_systems,) or (n_references, n_systems)
        Scores of the systems in each reference; higher is better. Scores closer than 1e-12 are tied.
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order; higher is better.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,), or (n_references, n_rankings) for several references.
        Undefined with fewer than two systems (reason "one_system").

    Raises
    ------
    ValueError
        The number of systems differs, or a score is not finite.

    References
    ----------
    M. G. Kendall (1938). A new measure of rank correlation. Biometrika 30(1-2), 81-93.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_a_batch
    >>> tau_a_batch([9, 8, 7], [[3, 2, 1], [2, 2, 1]]).values.round(3).tolist()
    [1.0, 0.667]
    """
    return correlate("tau_a", reference, rankings, _over_all_pairs, tau_a)


def tau_b_batch(reference: ArrayLike, rankings: ArrayLike | Levels) -> Batch:
    """Compute Kendall's tau_b, which corrects for ties, of every ranking with every reference.

    Parameters
    ----------
    reference : array-like of float, shape (n_systems,) or (n_references, n_systems)
        Scores of the systems in each reference; higher is better. Scores closer than 1e-12 are tied.
    rankings : array-like of float, shape (n_rankings, n_systems), or Levels
        Scores of the same systems in the same order; higher is better.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,), or (n_references, n_rankings) for several references.
        Undefined with fewer than two systems (reason "one_system"), and if all systems are tied in the reference
        or in the ranking (reason "all_tied").

    Raises
    ------
    ValueError
        The number of systems differs, or a score is not finite.

    References
    ----------
    M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_b_batch
    >>> tau_b_batch([9, 8, 7], [[3, 2, 1], [2, 2, 1]]).values.round(3).tolist()
    [1.0, 0.816]
    """
    return correlate("tau_b", reference, rankings, _over_untied_pairs, tau_b)


def _over_all_pairs(reference: Reference, compact: Levels) -> Values:
    pairs = _n_pairs(compact)
    return _excess(reference, compact) / max(pairs, 1), np.full(compact.n_rankings, pairs > 0)


def _over_untied_pairs(reference: Reference, compact: Levels) -> Values:
    pairs = _n_pairs(compact)
    untied = (pairs - reference.tied) * (pairs - compact.tied)
    return _excess(reference, compact) / np.sqrt(np.maximum(untied, 1)), untied > 0


def _n_pairs(compact: Levels) -> int:
    return compact.n_systems * (compact.n_systems - 1) // 2


def _excess(reference: Reference, compact: Levels) -> np.ndarray:
    """Concordant minus discordant pairs, shape (n_rankings,)."""
    concordant = np.zeros(compact.n_rankings, dtype=np.int64)
    tied_in_both = np.zeros(compact.n_rankings, dtype=np.int64)
    for block, rows in blocks_in_order(reference, compact):
        for position, end in enumerate(reference.ends):
            concordant[block] += count_systems(rows[end:] > rows[position])
            if end > position + 1:
                tied_in_both[block] += count_systems(rows[position + 1 : end] == rows[position])
    excess: np.ndarray = 2 * concordant - (_n_pairs(compact) - reference.tied) + (compact.tied - tied_in_both)
    return excess
