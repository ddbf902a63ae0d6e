"""From prevalence and bias to the marginals of two judges.

*Prevalence* is the mean share of the judgements of both judges that lies above the lowest grade; on more than two
grades it is spread evenly over them, or the share of every grade is given. *Bias* is the share above the lowest grade
of judge 1 less that of judge 2; the grades above the lowest keep their proportions.

Each judge's number above the lowest grade is rounded by itself, halves up, so that without bias both judges have the
same marginals, and with a bias that is a whole number of documents they differ by exactly that. Within the grades above
the lowest the largest remainders are rounded up, the lower grade first among equal ones.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from numbers import Number


def number(value, what: str, least: int = 0, most: int = 1) -> Fraction:
    """A number as it is written, as a fraction within bounds; `what` names it in the ValueError."""
    text = str(value)
    try:
        # By way of a float, a large exponent costs nothing; as a fraction it would fill the memory.
        given = Fraction(repr(float(text)) if "e" in text.lower() else text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{what} is a number or a fraction such as 1/3; got {value!r}") from None
    if not least <= given <= most:
        raise ValueError(f"{what} lies between {least} and {most}; got {value}")
    return given


def mean_shares(prevalence, grades: int) -> tuple[Fraction, ...]:
    """The share of each grade in the judgements of both, lowest first.

    Parameters
    ----------
    prevalence : None, number or str, or sequence of them
        Nothing for all grades alike, the share above the lowest, or one share for each grade.
    grades : int

    Raises
    ------
    ValueError
        A share is no number from 0 to 1, or they are not as many as grades, or do not sum to 1.
    """
    if prevalence is None:
        return (Fraction(1, grades),) * grades
    if isinstance(prevalence, (str, Number)):
        high = number(prevalence, "prevalence")
        return (1 - high, *[high / (grades - 1)] * (grades - 1))
    shares = tuple(number(share, "a share of prevalence") for share in prevalence)
    if len(shares) != grades:
        raise ValueError(f"prevalence is one number, or one share for each of {grades} grades; got {len(shares)}")
    if sum(shares) != 1:
        raise ValueError(f"the shares of prevalence sum to 1; got {_decimal(sum(shares))}")
    return shares


def marginals_from(n: int, shares: Sequence[Fraction], bias: Fraction) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of judge 1 and judge 2 for each grade, each summing to n.

    Parameters
    ----------
    n : int
        Number of documents.
    shares : sequence of Fraction, shape (grades,)
        As `mean_shares` gives them.
    bias : Fraction

    Raises
    ------
    ValueError
        The bias takes the share of a judge out of 0 to 1.
    """
    high = 1 - shares[0]
    room = 2 * min(high, 1 - high)
    if abs(bias) > room:
        allowed = f"from -{_decimal(room)} to {_decimal(room)}" if room else "of 0 only"
        raise ValueError(f"a prevalence of {_decimal(high)} allows a bias {allowed}; got {_decimal(bias)}")
    return tuple(_numbers(n, share, shares) for share in (high + bias / 2, high - bias / 2))


def _numbers(n: int, high: Fraction, shares: Sequence[Fraction]) -> tuple[int, ...]:
    """n documents over the grades, the share `high` of them above the lowest."""
    above = floor(n * high + Fraction(1, 2))
    if not above:
        return (n, *[0] * (len(shares) - 1))
    exact = [above * share / sum(shares[1:]) for share in shares[1:]]
    numbers = [floor(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda grade: numbers[grade] - exact[grade])
    for grade in by_remainder[: above - sum(numbers)]:
        numbers[grade] += 1
    return (n - above, *numbers)


def _decimal(value: Fraction) -> str:
    return f"{float(value):g}"
