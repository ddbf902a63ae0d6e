"""Format numbers and counts in the sentences of exercises."""

from fractions import Fraction

MAX_DIGITS = 15  # a float64 holds no more


def format_fraction(value: Fraction, digits: int = 4) -> str:
    """Format a number with at least two and at most `digits` decimals and a minus sign (U+2212).

    Examples
    --------
    >>> format_fraction(Fraction(-1, 9)), format_fraction(Fraction(1, 2))
    ('−0.1111', '0.50')
    """
    whole, _, decimals = f"{float(value):.{digits}f}".partition(".")
    text = f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
    return text.removeprefix("-") if not float(text) else text.replace("-", "−")


def format_distinct(value: Fraction, other: Fraction) -> str:
    """Format a number with enough decimals to distinguish it from another, at least four.

    Examples
    --------
    >>> format_distinct(Fraction(600001, 1000000), Fraction(3, 5))
    '0.600001'
    """
    digits = 4
    while format_fraction(value, digits) == format_fraction(other, digits) and digits < MAX_DIGITS:
        digits += 1
    return format_fraction(value, digits)


def format_count(n: int, noun: str) -> str:
    """Format a number with its noun in the singular or plural.

    Examples
    --------
    >>> format_count(1, "document"), format_count(40, "document")
    ('1 document', '40 documents')
    """
    return f"{n} {noun if n == 1 else noun + 's'}"
