"""Formats numbers, shares and lists for sentences and tables.

All screens of a class round in this way: figures to two decimals and shares to whole percent, a half to the even digit.
The numbers within the formulas of the step-by-step calculation have four, so that students can check the values.
Worksheets and their answer keys have four as well, as a calculation by hand needs them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import agreement


def number(value: float | None, digits: int = 2) -> str:
    """Format a number with a minus sign; None is a dash."""
    return "–" if value is None else f"{value:z.{digits}f}".replace("-", "−")


def figure(estimate: "agreement.Estimate") -> str:
    """Format an estimate, or say why it is undefined."""
    return number(estimate.value) if estimate.defined else estimate.shown()


def share(part: int, whole: int) -> str:
    """Format a share in percent; a share of nothing is a dash."""
    return f"{part / whole:.0%}" if whole else "–"


def joined_names(names: Iterable[str]) -> str:
    """Format a list of names, such as `Ada, Ben and Cem`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def ordinal(n: int) -> str:
    """Format an ordinal number, such as `2nd`."""
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"
