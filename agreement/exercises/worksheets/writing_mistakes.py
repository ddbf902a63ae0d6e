"""Slips of writing: the right number, written so that it says another one.

They hold for every field that asks for digits after the point, whatever it is that is asked.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import trunc

from agreement.exercises.worksheets.kappa_mistakes import Slip
from agreement.exercises.worksheets.worksheet import Exact, near

TOO_FEW = "As far as it goes this is right, but it has too few digits: give as many after the point as are asked."
CUT_OFF = "The digits behind seem to have been cut off: the last digit is to be rounded."
NO_SIGN = "This looks like a percentage without its sign: write the sign, or divide by a hundred."
SIGN_TOO_MANY = "The percent sign is one too many: this number is a share already."


@dataclass(frozen=True)
class Typed:
    """A number as it was written.

    Attributes
    ----------
    value : Fraction
    decimals : int or None
        How many digits after the point it tells of its value (92.5 % tells three); None for a fraction, which tells
        all of them.
    percent : bool
        Whether it has a percent sign.
    """

    value: Fraction
    decimals: int | None
    percent: bool = False

    def times(self, power: int) -> "Typed":
        """The same digits with the point moved by two places, to the right (1) or to the left (-1)."""
        decimals = None if self.decimals is None else self.decimals - 2 * power
        return replace(self, value=self.value * Fraction(100) ** power, decimals=decimals)


def slips_of_writing(exact: Exact, digits: int, given: Typed) -> list[Slip]:
    """Those that lead from the exact value to what was written; none for a number of documents."""
    if not digits or not given.value:
        return []
    found = {
        TOO_FEW: too_few(exact, digits, given),
        CUT_OFF: cut_off(exact, digits, given),
        NO_SIGN: not given.percent and _same(exact, digits, given.times(-1)),
        SIGN_TOO_MANY: given.percent and _same(exact, digits, given.times(1)),
    }
    names = ("too_few_digits", "cut_off", "percent_sign_lacks", "percent_sign_too_many")
    return [Slip(name, (), hint) for name, (hint, fits) in zip(names, found.items(), strict=True) if fits]


def too_few(exact: Exact, digits: int, given: Typed) -> bool:
    """Whether it is the exact value rounded to one digit or more, but fewer than asked."""
    return given.decimals is not None and 1 <= given.decimals < digits and near(given.value, exact, given.decimals)


def cut_off(exact: Exact, digits: int, given: Typed) -> bool:
    """Whether it is the exact value cut off, where rounding gives another number."""
    if given.decimals is None or not 1 <= given.decimals <= digits:
        return False
    cut = Fraction(trunc(Fraction(exact) * 10**given.decimals), 10**given.decimals)
    return given.value == cut and not near(given.value, exact, given.decimals)


def _same(exact: Exact, digits: int, given: Typed) -> bool:
    told = digits if given.decimals is None else min(max(given.decimals, 1), digits)
    return near(given.value, exact, told)
