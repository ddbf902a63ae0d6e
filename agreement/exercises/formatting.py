"""Figures and numbers of things in the sentences of exercises."""

from fractions import Fraction

MOST_DIGITS = 15  # as many as a float tells apart


def shown(value: Fraction, digits: int = 4) -> str:
    """A number with two to `digits` decimals, zeros at the end left away, and a true minus."""
    whole, _, decimals = f"{float(value):.{digits}f}".partition(".")
    text = f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
    return text.removeprefix("-") if not float(text) else text.replace("-", "−")


def beside(value: Fraction, other: Fraction) -> str:
    """A number with as many decimals as tell it from another, four at least."""
    digits = 4
    while shown(value, digits) == shown(other, digits) and digits < MOST_DIGITS:
        digits += 1
    return shown(value, digits)


def counted(n: int, what: str) -> str:
    """So and so many of something: "1 document", "40 documents"."""
    return f"{n} {what if n == 1 else what + 's'}"
