"""A value and its interval as a line of characters, for a terminal."""

from collections.abc import Iterable
from math import ceil, floor
from typing import NamedTuple

import pandas as pd

CHARACTERS = {"unicode": ("─", "●", "·"), "ascii": ("-", "o", ".")}


class Axis(NamedTuple):
    """The values at the two ends of the line."""

    lowest: float
    highest: float

    def title(self, width: int) -> str:
        """The ends as text, for the head of a column."""
        first, last = f"{self.lowest:g}", f"{self.highest:g}"
        return first + last.rjust(width - len(first))


WHOLE = Axis(0.0, 1.0)


def axis_of(numbers: Iterable[float | None]) -> Axis:
    """Return the axis of values and limits: from 0, or below the lowest, to above the highest, in tenths from -1 to 1.

    Examples
    --------
    >>> from agreement.reports.interval_drawing import axis_of
    >>> axis_of([0.25, None, 0.53]), axis_of([-0.11, 0.2]).title(9)
    (Axis(lowest=0.0, highest=0.6), '-0.2  0.2')
    >>> axis_of([-7, 7]), axis_of([])
    (Axis(lowest=-1.0, highest=1.0), Axis(lowest=0.0, highest=1.0))
    """
    known = [float(number) for number in numbers if not pd.isna(number)]
    lowest, highest = min(known, default=0), max(known, default=1)
    return Axis(max(min(floor(10 * lowest) / 10, 0.0), -1.0), min(max(ceil(10 * highest) / 10, 0.1), 1.0))


def drawn(
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    axis: Axis = WHOLE,
    width: int = 20,
    characters: str = "unicode",
) -> str:
    """Return the line of a value; without a value it is blank.

    Parameters
    ----------
    value, low, high : float or None
        The value and the limits of its interval. What is outside the axis is drawn at its end.
    axis : Axis, optional
        The values at the ends of the line.
    width : int, optional
        The number of characters, 2 or more.
    characters : {"unicode", "ascii"}, optional
        The characters.

    Examples
    --------
    >>> from agreement.reports.interval_drawing import drawn
    >>> drawn(0.5, 0.25, 0.75, width=9, characters="ascii")
    '. --o-- .'
    """
    line, point, end = CHARACTERS[characters]
    if value is None or pd.isna(value):
        return " " * width
    cells = [end, *" " * (width - 2), end]

    def place(at: float) -> int:
        share = (at - axis.lowest) / (axis.highest - axis.lowest)
        return round(min(max(share, 0), 1) * (width - 1))

    if low is not None and high is not None and not (pd.isna(low) or pd.isna(high)):
        first, last = place(low), place(high)
        cells[first : last + 1] = line * (last + 1 - first)
    cells[place(value)] = point
    return "".join(cells)
