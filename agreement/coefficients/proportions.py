"""Kappa from proportions, as textbooks state them."""

from __future__ import annotations  # help() shows the names of type aliases

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from agreement.coefficients.formulas import CHANCE, estimated
from agreement.estimate import Estimate
from agreement.weights import IDENTITY, Number, exact, weights_of

NAMES = {"pooled": "pooled_kappa", "unpooled": "cohen_kappa"}


def kappa_from_proportions(
    observed: Number, a: Number | Sequence[Number], b: Number | Sequence[Number], chance: str = "unpooled"
) -> Estimate:
    """Kappa of two judges from P(A) and the share of each grade.

    kappa = (P(A) - P(E)) / (1 - P(E)). The range is -1 to 1 for proportions that occur
    together in judgements, which is not checked; 0 is chance, 1 perfect agreement.

    Parameters
    ----------
    observed : int, float, str or Fraction
        P(A), the observed agreement, between 0 and 1. A decimal is read as written: 0.85 is 17/20. A string may be a
        fraction: "17/20".
    a, b : int, float, str or Fraction, or a sequence of these
        For each judge the share of one of two grades, or the shares of all grades in the order of the scale, which sum
        to 1.
    chance : {"unpooled", "pooled"}, optional
        "unpooled" computes P(E) from a distribution for each judge (Cohen), "pooled" from their mean (Scott).

    Returns
    -------
    Estimate
        `n` is None, because proportions do not tell the number of items. Undefined with the reason "one_category" if
        P(E) = 1, that is if both judges gave only the same grade.

    Raises
    ------
    ValueError
        A proportion is not a number between 0 and 1, shares do not sum to 1, the judges have different numbers of
        grades, or `chance` is unknown.

    References
    ----------
    W. A. Scott (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly
    19(3), 321-325.
    J. Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1),
    37-46.

    Examples
    --------
    >>> from agreement import kappa_from_proportions
    >>> kappa_from_proportions(0.925, 0.8, 0.775).shown()
    '0.776'
    >>> kappa_from_proportions("3/4", ["1/2", "1/4", "1/4"], ["1/2", "1/4", "1/4"], chance="pooled").shown()
    '0.600'
    """
    if chance not in NAMES:
        raise ValueError(f"chance must be one of {', '.join(NAMES)}, not {chance!r}.")
    first, second = _shares(a), _shares(b)
    if len(first) != len(second):
        raise ValueError(f"Both judges must use the same scale, not {len(first)} and {len(second)} grades.")
    agreed = exact(observed, "A proportion")
    common = lcm(*(share.denominator for share in first + second))
    rows, columns = (np.array([int(share * common) for share in shares], dtype=object) for shares in (first, second))
    expected = Fraction(*CHANCE[chance](rows, columns, common, weights_of(IDENTITY, len(first))))
    return estimated(NAMES[chance], agreed, expected, chance, {})


def _shares(proportions: Number | Iterable[Number]) -> list[Fraction]:
    if isinstance(proportions, str) or not isinstance(proportions, Iterable):
        share = exact(proportions, "A proportion")
        return [share, 1 - share]
    shares = [exact(share, "A proportion") for share in proportions]
    if sum(shares) != 1:
        raise ValueError(f"The shares of all grades must sum to 1, not {float(sum(shares))}.")
    return shares
