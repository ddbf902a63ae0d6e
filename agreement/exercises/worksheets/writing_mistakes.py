"""Mistakes in writing the right number: too few digits, digits cut off, a missing or additional percent sign.

They apply to every field that asks for digits after the point.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import trunc

from agreement.exercises.worksheets.mistake import Mistake
from agreement.exercises.worksheets.worksheet import Exact, equals_rounded

TOO_FEW_DIGITS = "This is right so far, but it has too few digits. Give as many digits after the point as requested."
CUT_OFF = "The remaining digits seem to be cut off. Round the last digit instead."
PERCENT_SIGN_MISSING = "This looks like a percentage without a percent sign. Add the sign, or divide by 100."
PERCENT_SIGN_TOO_MANY = "Remove the percent sign: this number is already a share."


@dataclass(frozen=True)
class TypedNumber:
    """A number as it was typed.

    Attributes
    ----------
    value : Fraction
    decimals : int or None
        Number of known digits after the point (3 for 92.5 %); None for a fraction, which is exact.
    percent : bool
        Whether it has a percent sign.
    """

    value: Fraction
    decimals: int | None
    percent: bool = False

    def shifted(self, power: int) -> "TypedNumber":
        """Return the same digits, multiplied by 100 to this power (1 or -1)."""
        decimals = None if self.decimals is None else self.decimals - 2 * power
        return replace(self, value=self.value * Fraction(100) ** power, decimals=decimals)


def writing_mistakes(exact: Exact, digits: int, typed: TypedNumber) -> list[Mistake]:
    """Return the mistakes in writing that lead from the exact value to a typed number.

    Parameters
    ----------
    exact : Fraction or float
        The right number, not rounded.
    digits : int
        Requested digits after the point; with 0 (a count), no mistake is recognised.
    typed : TypedNumber
    """
    if not digits or not typed.value:
        return []
    hints = {
        "too_few_digits": (TOO_FEW_DIGITS, has_too_few_digits(exact, digits, typed)),
        "cut_off": (CUT_OFF, is_cut_off(exact, digits, typed)),
        "percent_sign_missing": (
            PERCENT_SIGN_MISSING,
            not typed.percent and _equals_known_digits(exact, digits, typed.shifted(-1)),
        ),
        "percent_sign_too_many": (
            PERCENT_SIGN_TOO_MANY,
            typed.percent and _equals_known_digits(exact, digits, typed.shifted(1)),
        ),
    }
    return [Mistake(name, (), hint) for name, (hint, applies) in hints.items() if applies]


def has_too_few_digits(exact: Exact, digits: int, typed: TypedNumber) -> bool:
    """Return whether this is the exact value rounded to at least one digit, but fewer than requested."""
    decimals = typed.decimals
    return decimals is not None and 1 <= decimals < digits and equals_rounded(typed.value, exact, decimals)


def is_cut_off(exact: Exact, digits: int, typed: TypedNumber) -> bool:
    """Return whether this is the exact value cut off, and rounding would give another number."""
    if typed.decimals is None or not 1 <= typed.decimals <= digits:
        return False
    cut = Fraction(trunc(Fraction(exact) * 10**typed.decimals), 10**typed.decimals)
    return typed.value == cut and not equals_rounded(typed.value, exact, typed.decimals)


def _equals_known_digits(exact: Exact, digits: int, typed: TypedNumber) -> bool:
    known = digits if typed.decimals is None else min(max(typed.decimals, 1), digits)
    return equals_rounded(typed.value, exact, known)
