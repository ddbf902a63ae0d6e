"""A typical mistake in a worksheet, and the rounding that students do by hand."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


@dataclass(frozen=True)
class Mistake:
    """A typical mistake.

    Attributes
    ----------
    name : str
        Unique among the mistakes of a field.
    values : tuple of Fraction or float
        The wrong numbers that the mistake leads to.
    hint : str
        One or two sentences that name the mistake, and never contain the right number.
    """

    name: str
    values: tuple[Fraction | float, ...]
    hint: str


def round_half_up(value: Fraction, digits: int) -> Fraction:
    """Round a number as it is done by hand: half a unit is rounded away from zero.

    Examples
    --------
    >>> round_half_up(Fraction(5, 1000), 2)
    Fraction(1, 100)
    """
    unit = Decimal(1).scaleb(-digits)
    number = Decimal(value.numerator) / Decimal(value.denominator)
    return Fraction(number.quantize(unit, ROUND_HALF_UP))
