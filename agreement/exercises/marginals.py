"""The marginals of two judges, computed from prevalence and bias.

*Prevalence* is the mean share of both judges' judgements above the lowest grade. With more than two grades, this share
is spread evenly over the grades above the lowest, or the share of every grade is given. *Bias* is judge 1's share above
the lowest grade minus judge 2's; the grades above the lowest keep their proportions.

Each judge's number above the lowest grade is rounded separately, halves up. So without bias both judges have the same
marginals, and with a bias that is a whole number of documents they differ by exactly that number. Among the grades
above the lowest, the largest remainders are rounded up; of equal remainders, the lower grade comes first.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from numbers import Number
from typing import TypeAlias

Decimal: TypeAlias = int | float | Fraction | str


def parse_fraction(value: Decimal, name: str, lowest: int = 0, highest: int = 1) -> Fraction:
    """Return a number within bounds as an exact fraction.

    Examples
    --------
    >>> parse_fraction(0.6, "kappa")
    Fraction(3, 5)
    """
    text = str(value)
    try:
        # Through a float a large exponent costs nothing; as a fraction it would fill the memory.
        result = Fraction(repr(float(text)) if "e" in text.lower() else text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a number or a fraction such as 1/3, not {value!r}.") from None
    if not lowest <= result <= highest:
        raise ValueError(f"{name} must be between {lowest} and {highest}, not {value!r}.")
    return result


def mean_shares(prevalence: Decimal | Sequence[Decimal] | None, n_grades: int) -> tuple[Fraction, ...]:
    """Return the share of each grade in the judgements of both judges, lowest grade first.

    Examples
    --------
    >>> mean_shares(0.5, 3)
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    if prevalence is None:
        return (Fraction(1, n_grades),) * n_grades
    if isinstance(prevalence, (str, int, float, Fraction, Number)):
        high = parse_fraction(prevalence, "prevalence")
        return (1 - high, *[high / (n_grades - 1)] * (n_grades - 1))
    shares = tuple(parse_fraction(share, "a share of prevalence") for share in prevalence)
    if len(shares) != n_grades:
        raise ValueError(
            f"prevalence must be one number, or one share for each of the {n_grades} grades, not {len(shares)} shares."
        )
    if sum(shares) != 1:
        raise ValueError(f"The shares of prevalence must sum to 1, not {_decimal(sum(shares, Fraction()))}.")
    return shares


def marginals_from_shares(
    n: int, shares: Sequence[Fraction], bias: Fraction
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how often judge 1 and judge 2 use each grade.

    Shapes: `shares` (n_grades,).

    Examples
    --------
    >>> marginals_from_shares(10, [Fraction(1, 2), Fraction(1, 2)], Fraction(1, 5))
    ((4, 6), (6, 4))
    """
    high = 1 - shares[0]
    largest = 2 * min(high, 1 - high)
    if abs(bias) > largest:
        allowed = f"from -{_decimal(largest)} to {_decimal(largest)}" if largest else "of 0 only"
        raise ValueError(f"A prevalence of {_decimal(high)} allows a bias {allowed}, not {_decimal(bias)}.")
    return _counts(n, high + bias / 2, shares), _counts(n, high - bias / 2, shares)


def _counts(n: int, high: Fraction, shares: Sequence[Fraction]) -> tuple[int, ...]:
    """Distribute n documents over the grades, the share `high` of them above the lowest."""
    above = floor(n * high + Fraction(1, 2))
    if not above:
        return (n, *[0] * (len(shares) - 1))
    exact = [above * share / sum(shares[1:]) for share in shares[1:]]
    counts = [floor(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda grade: counts[grade] - exact[grade])
    for grade in by_remainder[: above - sum(counts)]:
        counts[grade] += 1
    return (n - above, *counts)


def _decimal(value: Fraction) -> str:
    return f"{float(value):g}"
