"""The formulas of agreement side by side: kappa with its models of chance, and alpha.

    kappa = (P(A) - P(E)) / (1 - P(E))             alpha = 1 - Do / De

Let w be the weights (`agreement.weights`), T their sum, K the number of grades, p and q how often the first and the
second judge use each grade, and s = (p + q) / 2:

    unpooled   P(E) = sum of w_kl p_k q_l                          J. Cohen (1960, 1968)
    pooled     P(E) = sum of w_kl s_k s_l                          W. A. Scott (1955)
    uniform    P(E) = T / K^2                                      R. L. Brennan and D. J. Prediger (1981)
    gwet       P(E) = T / (K (K - 1)) * sum of s_k (1 - s_k)       K. L. Gwet (2008), AC1 and AC2

Alpha compares disagreements. Items with two or more judgements have n judgements, n_k of them with grade k. o_kl counts
the ordered pairs of judgements of one item with the grades k and l; a pair of an item with m judgements counts
1 / (m - 1). d_kl is the squared distance of the grades:

    Do = sum of o_kl d_kl / n                      De = sum of n_k n_l d_kl / (n (n - 1))

All numbers are integers over a common denominator. Thus a coefficient is the float64 nearest to the exact fraction, and
P(E) = 1 is distinguished from P(E) close to 1. The same code runs on arrays of int64 (many tables at once) and of
Python integers (any size); `fits` decides which.

The functions of `CHANCE` have the same parameters: how often the first and the second judge used each grade, shape
(..., n_grades), the sum n of the uses of one judge, shape (...), and the weights. For any number of judges, the first
two are the same array. They return the numerator and the denominator of P(E), both of shape (...); the denominator is a
multiple of n times the denominator of the weights.

`estimated` makes an estimate of P(A) and P(E), and `band` names the band of a kappa.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.estimate import Estimate, undefined
from agreement.weights import Weights
from pooling.errors import refuse_unless

LARGEST = 2**53  # whole numbers up to here are exact in float64

Whole = npt.NDArray[Any]  # int64, or Python integers as objects
GOOD, FAIR = 0.8, 0.67
# How well judges agree, by band.
AGREE: Mapping[str | None, str] = {"good": "well", "fair": "fairly well", "dubious": "poorly"}
BANDED = ("pooled_kappa", "cohen_kappa", "fleiss_kappa", "conger_kappa")


def kappa(observed: Fraction | float, expected: Fraction | float) -> float:
    """Kappa from P(A) and P(E), which must be below 1."""
    return float((observed - expected) / (1 - expected))


def unpooled(first: Whole, second: Whole, n: Any, weights: Weights) -> tuple[Any, Any]:
    """P(E) as numerator and denominator if each judge has a distribution of grades."""
    return _product(first, second, weights), weights.denominator * n * n


def pooled(first: Whole, second: Whole, n: Any, weights: Weights) -> tuple[Any, Any]:
    """P(E) as numerator and denominator if both judges have the same distribution of grades."""
    # Twice the common distribution, hence the 4 in the denominator.
    both = first + second
    return _product(both, both, weights), 4 * weights.denominator * n * n


def uniform(first: Whole, second: Whole, n: Any, weights: Weights) -> tuple[Any, Any]:  # noqa: ARG001
    """P(E) as numerator and denominator if all grades of the scale are equally likely."""
    return weights.sum * n, weights.denominator * first.shape[-1] ** 2 * n


def gwet(first: Whole, second: Whole, n: Any, weights: Weights) -> tuple[Any, Any]:
    """P(E) of Gwet's AC as numerator and denominator; on a scale of one grade, P(E) = 1."""
    size = first.shape[-1]
    if size == 1:
        return uniform(first, second, n, weights)
    both = first + second
    spread = (both * (both.sum(axis=-1, keepdims=True) - both)).sum(axis=-1)
    return weights.sum * spread, 4 * weights.denominator * size * (size - 1) * n * n


CHANCE: dict[str, Callable[[Whole, Whole, Any, Weights], tuple[Any, Any]]] = {
    "pooled": pooled,
    "unpooled": unpooled,
    "uniform": uniform,
    "gwet": gwet,
}


def observed_disagreement(pairs: Whole, sizes: Sequence[int], distances: Whole) -> Fraction:
    """Do: `pairs[j]` counts the ordered pairs of grades in items of `sizes[j]` judgements."""
    # One common denominator is faster than a fraction for each pair of grades.
    common = lcm(*(size - 1 for size in sizes))
    factors = np.array([common // (size - 1) for size in sizes], dtype=object)
    counted = (pairs * factors[:, None, None]).sum(axis=0)
    return Fraction((counted * distances).sum()) / int(counted.sum())


def expected_disagreement(uses: Whole, distances: Whole) -> Fraction:
    """De from how often each grade was used."""
    n = int(uses.sum())
    return Fraction((uses @ distances * uses).sum()) / (n * (n - 1))


def alpha(observed: Fraction, expected: Fraction) -> float:
    """Alpha from Do and De, which must not be 0."""
    return float(1 - observed / expected)


def describe_chance(chance: str | None, size: int) -> str:
    """A model of chance in the words of an estimate's convention; `size` is the number of grades."""
    if chance is None:
        return ""
    return {"uniform": f"uniform chance 1/{size}", "gwet": "Gwet's chance"}.get(chance, chance)


def terms(tables: Whole, weights: Weights, chance: str | None) -> tuple[Any, Any, Any]:
    """P(A) and P(E) of tables of two judges, over a common denominator.

    Shapes: `tables` (..., n_grades, n_grades); `observed, expected, denominator` (...).
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    n = rows.sum(axis=-1)
    agreed = (tables * weights.integers(tables.dtype)).sum(axis=(-2, -1))
    if chance is None:
        return agreed, 0 * agreed, weights.denominator * n
    expected, denominator = CHANCE[chance](rows, columns, n, weights)
    return agreed * _ratio(denominator, weights.denominator * n), expected, denominator


def fits(n: int, size: int, weights: Weights) -> bool:
    """Whether int64 and float64 hold the terms of tables of `size` grades with up to `n` items exactly."""
    return 4 * weights.denominator * max(size * (size - 1), 1) * n * n < LARGEST


def _ratio(multiple: Any, number: Any) -> Any:
    """multiple / number, a whole number; any number for tables of zeros."""
    return multiple // np.where(number == 0, 1, number) if isinstance(number, np.ndarray) else multiple // number


def _product(first: Whole, second: Whole, weights: Weights) -> Any:
    """The sum of w_kl first_k second_l over all k and l."""
    return (first @ weights.integers(first.dtype) * second).sum(axis=-1)


def band(value: float | None) -> str | None:
    """The band of a kappa: how good the agreement of relevance judges is by convention.

    Parameters
    ----------
    value : float or None
        A kappa, at most 1; None if it is undefined.

    Returns
    -------
    {"good", "fair", "dubious"} or None
        "good" above 0.8, "fair" from 0.67 to 0.8, "dubious" below 0.67; None for None.

    Notes
    -----
    The bands apply to kappas only, not to percent agreement, Gwet's AC or Krippendorff's alpha.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.5. Cambridge
    University Press.

    Examples
    --------
    >>> from agreement import band
    >>> band(0.81), band(0.8), band(0.5)
    ('good', 'fair', 'dubious')
    """
    if value is None:
        return None
    refuse_unless(value, Real, "value", "a number or None")
    if value > GOOD:
        return "good"
    return "fair" if value >= FAIR else "dubious"


def estimated(
    name: str, observed: Fraction | float, expected: Fraction | float, convention: str, fields: dict[str, Any]
) -> Estimate:
    """(P(A) - P(E)) / (1 - P(E)) as an estimate; undefined if P(E) = 1."""
    shown_expected = None if name == "percent_agreement" else float(expected)
    fields = fields | {"observed": float(observed), "expected": shown_expected, "convention": convention}
    if expected == 1:
        return undefined(name, "one_category", **fields)
    value = kappa(observed, expected)
    return Estimate(value, name, band=band(value) if name in BANDED else None, **fields)
