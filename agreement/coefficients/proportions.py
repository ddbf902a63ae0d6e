"""Kappa from proportions, as textbooks state them."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from numbers import Number

import numpy as np

from agreement.coefficients.chance import CHANCE
from agreement.coefficients.values import estimated
from agreement.estimate import Estimate
from agreement.weights import IDENTITY, exact, weights_of

NAMES = {"pooled": "pooled_kappa", "unpooled": "cohen_kappa"}


def kappa_from_proportions(observed, a, b, chance: str = "unpooled") -> Estimate:
    """Kappa from what textbooks state: P(A), and how often each assessor used each grade.

    Parameters
    ----------
    observed : number or str
        P(A). Decimals are taken as written: 0.85 is 17/20. A string may be a fraction, "17/20".
    a, b : number or str, or a sequence of them
        The share of one of two grades, or the shares of all grades (they sum to 1), of each assessor.
    chance : {"unpooled", "pooled"}
        Cohen's form, or Scott's.

    Raises
    ------
    ValueError
        A proportion is none, shares do not sum to 1, or `chance` is unknown.
    """
    if chance not in NAMES:
        raise ValueError(f"chance is one of {', '.join(NAMES)}; got {chance!r}")
    first, second = _shares(a), _shares(b)
    if len(first) != len(second):
        raise ValueError(f"both assessors use one scale; got {len(first)} and {len(second)} grades")
    agreed = exact(observed, "a proportion")
    whole = lcm(*(share.denominator for share in first + second))
    rows, columns = (np.array([int(share * whole) for share in shares], dtype=object) for shares in (first, second))
    expected = Fraction(*CHANCE[chance](rows, columns, whole, weights_of(IDENTITY, len(first))))
    return estimated(NAMES[chance], agreed, expected, chance, {})


def _shares(proportions: str | Number | Sequence) -> list[Fraction]:
    if isinstance(proportions, (str, Number)):
        share = exact(proportions, "a proportion")
        return [share, 1 - share]
    shares = [exact(share, "a proportion") for share in proportions]
    if sum(shares) != 1:
        raise ValueError(f"the shares of all grades sum to 1; got {float(sum(shares))}")
    return shares
