"""tau_b, tau_ap_b and rbo of many pairs of rankings: the first with the first, the second with the second, and so on.

Row i of `x` and row i of `y` are two rankings of the same systems. The functions return the same values as `tau_b`,
`tau_ap_b` and `rbo` (extrapolated, ties="a") for each row, up to rounding (1e-12), and are undefined in the same cases.
The functions whose names end with `_batch` compare every ranking with one reference instead.

Scores closer than 1e-12 are tied, system by system. A chain of near ties whose ends are in order is a single group for
`rbo`, but not here; such chains exist only if scores differ by rounding.

References
----------
M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.
W. Webber, A. Moffat and J. Zobel (2010). A similarity measure for indefinite rankings. ACM TOIS 28(4), article 20.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from agreement.checks import number
from agreement.rank_correlation.batch import Batch
from agreement.rank_correlation.orders import TIE
from agreement.rank_correlation.rank_levels import score_array

BLOCK = 2_000_000  # pairs of systems in memory at once
Values = tuple[np.ndarray, np.ndarray]
Compute = Callable[[np.ndarray, np.ndarray], Values]


def tau_b_paired(x: ArrayLike, y: ArrayLike) -> Batch:
    """Compute Kendall's tau_b of each ranking in `x` with the ranking in the same row of `y`.

    Parameters
    ----------
    x, y : array-like of float, shape (n_rankings, n_systems)
        Scores of the same systems in the same order; higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,). Undefined with fewer than two systems (reason "one_system"), and if
        all systems are tied in one of the two rankings (reason "all_tied").

    Raises
    ------
    ValueError
        `x` and `y` have different shapes, or a score is not finite.

    References
    ----------
    M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_b_paired
    >>> tau_b_paired([[3, 2, 1], [3, 2, 1]], [[3, 2, 1], [2, 2, 1]]).values.round(3).tolist()
    [1.0, 0.816]
    """
    return paired("tau_b", x, y, _by_signs(_tau_b))


def tau_ap_b_paired(x: ArrayLike, y: ArrayLike) -> Batch:
    """Compute tau_ap_b, the symmetric AP correlation, of each ranking in `x` with that in the same row of `y`.

    Parameters
    ----------
    x, y : array-like of float, shape (n_rankings, n_systems)
        Scores of the same systems in the same order; higher is better. Scores closer than 1e-12 are tied.

    Returns
    -------
    Batch
        Values from -1 to 1, of shape (n_rankings,). Undefined with fewer than two systems (reason "one_system"), and if
        all systems are tied in one of the two rankings (reason "all_tied").

    Raises
    ------
    ValueError
        `x` and `y` have different shapes, or a score is not finite.

    References
    ----------
    J. Urbano and M. Marrero (2017). The treatment of ties in AP correlation. ICTIR.

    Examples
    --------
    >>> from agreement.rank_correlation import tau_ap_b_paired
    >>> tau_ap_b_paired([[3, 2, 1], [3, 2, 1]], [[3, 2, 1], [2, 2, 1]]).values.round(3).tolist()
    [1.0, 0.5]
    """
    return paired("tau_ap_b", x, y, _by_signs(_tau_ap_b))


def rbo_paired(x: ArrayLike, y: ArrayLike, p: float) -> Batch:
    """Compute the rank-biased overlap of each ranking in `x` with the ranking in the same row of `y`.

    Parameters
    ----------
    x, y : array-like of float, shape (n_rankings, n_systems)
        Scores of the same systems in the same order; higher is better. Scores closer than 1e-12 are tied, and the value
        is the mean over all ways to break the ties.
    p : float
        Persistence, between 0 and 1.

    Returns
    -------
    Batch
        Extrapolated values from 0 to 1, of shape (n_rankings,). Undefined without systems.

    Raises
    ------
    ValueError
        `x` and `y` have different shapes, a score is not finite, or p is not between 0 and 1.

    References
    ----------
    W. Webber, A. Moffat and J. Zobel (2010). A similarity measure for indefinite rankings. ACM TOIS 28(4), article 20.

    Examples
    --------
    >>> from agreement.rank_correlation import rbo_paired
    >>> rbo_paired([[3, 2, 1], [3, 2, 1]], [[3, 2, 1], [2, 3, 1]], p=0.9).values.round(3).tolist()
    [1.0, 0.9]
    """
    persistence = number("p", p, "a number between 0 and 1, both excluded", lambda value: 0 < value < 1)
    return paired("rbo", x, y, _by_signs(lambda first, second: _rbo(first, second, persistence)))


def paired(name: str, x: ArrayLike, y: ArrayLike, compute: Compute) -> Batch:
    """Apply a coefficient to the scores of each row of `x` with the same row of `y`, in blocks."""
    first, second = score_array(x, "Rankings"), score_array(y, "Rankings")
    if first.ndim != 2 or first.shape != second.shape:
        raise ValueError(
            f"x and y must have the same shape, one row for each ranking, not {first.shape} and {second.shape}."
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("Every score of a ranking must be a finite number.")
    n_rankings, n_systems = first.shape
    step = max(BLOCK // max(n_systems**2, 1), 1)
    blocks = [slice(start, start + step) for start in range(0, n_rankings, step)]
    parts = [compute(first[block], second[block]) for block in blocks]
    values = np.concatenate([np.zeros(0), *(values for values, _ in parts)])
    defined = np.concatenate([np.zeros(0, bool), *(defined for _, defined in parts)])
    return Batch(name, np.where(defined, values, 0.0), defined, n_systems)


def _by_signs(compute: Compute) -> Compute:
    return lambda first, second: compute(_signs(first), _signs(second))


def _signs(scores: np.ndarray) -> np.ndarray:
    """1 if the system of the row is better than that of the column, -1 if worse, 0 if tied.

    Shapes: `scores` (n, n_systems); the result (n, n_systems, n_systems).
    """
    gaps = scores[:, :, None] - scores[:, None, :]
    return np.asarray((gaps >= TIE).astype(np.int8) - (gaps <= -TIE).astype(np.int8))


def _tau_b(first: np.ndarray, second: np.ndarray) -> Values:
    # Every pair is counted twice here, above and below.
    excess = (first * second).sum(axis=(1, 2), dtype=np.int64)
    counts = (np.asarray(np.count_nonzero(signs, axis=(1, 2)), np.int64) for signs in (first, second))
    untied = np.multiply(*counts)
    return excess / np.sqrt(np.maximum(untied, 1)), untied > 0


def _tau_ap_b(first: np.ndarray, second: np.ndarray) -> Values:
    defined = np.asarray(first.any(axis=(1, 2)) & second.any(axis=(1, 2)))
    return (_one_direction(first, second) + _one_direction(second, first)) / 2, defined


def _one_direction(truth: np.ndarray, estimate: np.ndarray) -> np.ndarray:
    ahead = (estimate < 0).sum(axis=2)
    concordant = ((estimate < 0) & (truth < 0)).sum(axis=2)
    shares = np.where(ahead > 0, 2 * concordant / np.maximum(ahead, 1) - 1, 0)
    means: np.ndarray = shares.sum(axis=1) / np.maximum((ahead > 0).sum(axis=1), 1)
    return means


def _rbo(first: np.ndarray, second: np.ndarray, p: float) -> Values:
    n_rankings, n_systems = first.shape[:2]
    if not n_systems:
        return np.zeros(n_rankings), np.zeros(n_rankings, bool)
    depth = np.arange(1, n_systems + 1)
    overlap = np.einsum("ikd,ikd->id", _contributions(first, depth), _contributions(second, depth))
    seen = (overlap / depth) @ p**depth
    value = (1 - p) / p * (seen + overlap[:, -1] / n_systems * p ** (n_systems + 1) / (1 - p))
    return np.clip(value, 0, 1), np.ones(n_rankings, bool)


def _contributions(signs: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """The probability that a system is among the first d if ties are broken at random; shape (n, n_systems, depths)."""
    better, tied = (signs < 0).sum(axis=2)[:, :, None], (signs == 0).sum(axis=2)[:, :, None]
    return np.asarray(np.clip((depth - better) / tied, 0, 1))
