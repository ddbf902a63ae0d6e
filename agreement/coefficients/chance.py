"""The one formula, kappa = (P(A) - P(E)) / (1 - P(E)), and the models of chance behind P(E).

With w the weights (`agreement.weights`), T their sum, K the number of grades, p and q how often the first and the
second judge use each grade, and s = (p + q) / 2:

    unpooled   P(E) = sum of w_kl p_k q_l                          J. Cohen (1960, 1968)
    pooled     P(E) = sum of w_kl s_k s_l                          W. A. Scott (1955)
    uniform    P(E) = T / K^2                                      R. L. Brennan and D. J. Prediger (1981)
    gwet       P(E) = T / (K (K - 1)) * sum of s_k (1 - s_k)       K. L. Gwet (2008), AC1 and AC2

Everything is integers over one denominator, so that a coefficient is the float64 nearest to the true fraction and
P(E) = 1 is told apart from P(E) nearly 1. The same code runs on arrays of int64 (many tables at once) and of
Python integers (any size): `fits` tells which.
"""

import numpy as np

from agreement.weights import Weights

LARGEST = 2**53  # the whole numbers up to here are float64s


def unpooled(first: np.ndarray, second: np.ndarray, n, weights: Weights) -> tuple:
    """P(E) as numerator and denominator.

    Parameters
    ----------
    first, second : ndarray of integers, shape (..., n_grades)
        How often each judge used each grade; for any number of judges, twice the same.
    n : int or ndarray of shape (...)
        Their sum.
    weights : Weights

    Returns
    -------
    numerator, denominator : integers or arrays of shape (...)
        The denominator is a multiple of n times the denominator of the weights.
    """
    return _product(first, second, weights), weights.denominator * n * n


def pooled(first: np.ndarray, second: np.ndarray, n, weights: Weights) -> tuple:
    """P(E) as numerator and denominator; as `unpooled`."""
    both = first + second
    return _product(both, both, weights), 4 * weights.denominator * n * n


def uniform(first: np.ndarray, second: np.ndarray, n, weights: Weights) -> tuple:  # noqa: ARG001
    """P(E) as numerator and denominator; as `unpooled`."""
    return weights.sum * n, weights.denominator * first.shape[-1] ** 2 * n


def gwet(first: np.ndarray, second: np.ndarray, n, weights: Weights) -> tuple:
    """P(E) as numerator and denominator; as `unpooled`. A scale of one grade leaves nothing to chance: P(E) = 1."""
    size = first.shape[-1]
    if size == 1:
        return uniform(first, second, n, weights)
    both = first + second
    spread = (both * (both.sum(axis=-1, keepdims=True) - both)).sum(axis=-1)
    return weights.sum * spread, 4 * weights.denominator * size * (size - 1) * n * n


CHANCE = {"pooled": pooled, "unpooled": unpooled, "uniform": uniform, "gwet": gwet}


def said(chance: str | None, size: int) -> str:
    """How a convention names a model of chance."""
    return {"uniform": f"uniform chance 1/{size}", "gwet": "Gwet's chance", None: ""}.get(chance, chance)


def terms(tables: np.ndarray, weights: Weights, chance: str | None) -> tuple:
    """P(A) and P(E) of tables of two judges, over one denominator.

    Parameters
    ----------
    tables : ndarray of integers, shape (..., n_grades, n_grades)
        Those that are all zeros have the denominator 0.
    weights : Weights
    chance : str or None
        A key of `CHANCE`; None for agreement not corrected for chance, P(E) = 0.

    Returns
    -------
    observed, expected, whole : integers or arrays of shape (...)
        P(A) = observed / whole, P(E) = expected / whole, kappa = (observed - expected) / (whole - expected).
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    n = rows.sum(axis=-1)
    agreed = (tables * weights.integers(tables.dtype)).sum(axis=(-2, -1))
    if chance is None:
        return agreed, 0 * agreed, weights.denominator * n
    expected, whole = CHANCE[chance](rows, columns, n, weights)
    return agreed * _over(whole, weights.denominator * n), expected, whole


def fits(n: int, size: int, weights: Weights) -> bool:
    """Whether the terms of tables with up to `n` items are whole numbers that int64 and float64 hold exactly."""
    return 4 * weights.denominator * max(size * (size - 1), 1) * n * n < LARGEST


def _over(whole, part):
    """Whole / part, which has no rest; anything where a table is all zeros."""
    return whole // np.where(part == 0, 1, part) if isinstance(part, np.ndarray) else whole // part


def _product(first: np.ndarray, second: np.ndarray, weights: Weights):
    """The sum of w_kl first_k second_l over all k and l."""
    return (first @ weights.integers(first.dtype) * second).sum(axis=-1)
