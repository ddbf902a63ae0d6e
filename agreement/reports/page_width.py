"""The width of a terminal: tables are drawn and shortened to fit, and text is wrapped. A file and a pipe have no width,
so their content never varies.

A value and its interval are drawn as a line of characters. Nothing is drawn if `NO_COLOR` is set or `TERM` is `dumb`:
such terminals, and the programs that read them aloud, want text.
"""

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple, TextIO

import pandas as pd

GAP = 2  # blanks between two columns
NARROWEST = 80  # characters of a terminal
MIN_DRAWING, MAX_DRAWING = 9, 31
READABLE_NAME = 24
NEEDED = ("n", "topics", "P(A)", "pooled", "value", "95%", "overlap")  # columns that stay
CHARACTERS = {"unicode": ("─", "●", "·"), "ascii": ("-", "o", ".")}


@dataclass(frozen=True)
class PageWidth:
    """How wide a report may be, and whether intervals are drawn.

    Attributes
    ----------
    columns : int or None
        The largest number of characters of a line; None for a file, which has no limit.
    drawing : {None, "unicode", "ascii"}
        The characters that draw intervals; None draws none.
    """

    columns: int | None = None
    drawing: str | None = None

    def wrapped(self, text: str) -> str:
        """Return text with lines that fit."""
        if self.columns is None:
            return text
        return "\n".join(textwrap.fill(line, self.columns, break_on_hyphens=False) for line in text.split("\n"))

    def fitted(self, cells: pd.DataFrame, limits: pd.DataFrame, after: str) -> tuple[pd.DataFrame, str]:
        """Return the cells of a table so that it fits, and the sentence about columns for which there is no room.

        Intervals are drawn if there is room. `limits` has the columns value, low and high, and a row for each row of
        the table; the drawing follows the column `after`. A table that is too wide loses columns first, and then the
        middle of the names in the first column.
        """
        if self.columns is None or cells.empty:
            return cells, ""
        fewer = self._with_drawing(cells, limits, after)
        if fewer is None:
            fewer = self._with_shorter_names(self._with_fewer_columns(cells))
        dropped = [str(name) for name in cells if name not in fewer]
        return fewer, f"No room in {self.columns} columns for: {', '.join(dropped)}." if dropped else ""

    def _with_drawing(self, cells: pd.DataFrame, limits: pd.DataFrame, after: str) -> pd.DataFrame | None:
        """The cells with drawn intervals, if need be in place of the band, which says less; None without room."""
        if self.drawing is None or after not in cells:
            return None
        for kept in (cells, cells.drop(columns="band", errors="ignore")):
            left = (self.columns or 0) - _width(kept) - GAP
            if left >= MIN_DRAWING:
                title, lines = _drawings(limits, min(left, MAX_DRAWING), self.drawing)
                kept = kept.copy()
                kept.insert(list(kept).index(after) + 1, title, lines)
                return kept
        return None

    def _with_fewer_columns(self, cells: pd.DataFrame) -> pd.DataFrame:
        """The cells without the last columns for which there is no room next to names of a readable length."""
        for name in [name for name in reversed(list(cells)) if name not in NEEDED][:-1]:
            longest = _widths(cells)[0]
            if _width(cells) - longest + min(longest, READABLE_NAME) <= (self.columns or 0):
                break
            cells = cells.drop(columns=name)
        return cells

    def _with_shorter_names(self, cells: pd.DataFrame) -> pd.DataFrame:
        excess = _width(cells) - (self.columns or 0)
        if excess <= 0:
            return cells
        first = str(cells.columns[0])
        longest = max(_widths(cells)[0] - excess, 1)
        dots = "..." if self.drawing != "unicode" else "…"
        return cells.assign(**{first: [_names_within(name, longest, dots) for name in cells[first]]})


def page_of(stream: TextIO, environment: Mapping[str, str]) -> PageWidth:
    """Return the width of the stream, and the characters that draw intervals in it."""
    if not stream.isatty():
        return PageWidth()
    columns = max(shutil.get_terminal_size((100, 24)).columns, NARROWEST)
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return PageWidth(columns)
    return PageWidth(columns, "unicode" if _can_write("".join(CHARACTERS["unicode"]), stream) else "ascii")


def _can_write(text: str, stream: TextIO) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _names_within(text: str, longest: int, dots: str) -> str:
    """A name, or two names joined by "and", each shortened in the middle."""
    if len(text) <= longest:
        return text
    first, word, second = text.partition(" and ")
    if not word:
        return _shortened_name(text, longest, dots)
    room = longest - len(word)
    half = room // 2
    of_first = max(half, room - len(second))
    of_second = room - min(of_first, len(first))
    return _shortened_name(first, of_first, dots) + word + _shortened_name(second, of_second, dots)


def _shortened_name(name: str, longest: int, dots: str) -> str:
    """The beginning and the end of a name: names of models often differ only at the end."""
    if len(name) <= longest:
        return name
    kept = max(longest - len(dots), 1)
    head = kept // 2
    return name[:head] + dots + name[len(name) - (kept - head) :]


def _drawings(limits: pd.DataFrame, width: int, characters: str) -> tuple[str, list[str]]:
    axis = axis_of([*limits["value"], *limits["low"], *limits["high"]])
    rows: Iterable[Sequence[float | None]] = zip(limits["value"], limits["low"], limits["high"], strict=True)
    return axis.title(width), [drawn(*row, axis=axis, width=width, characters=characters) for row in rows]


def _widths(cells: pd.DataFrame) -> list[int]:
    return [max(len(str(name)), *(len(str(cell)) for cell in cells[name])) for name in cells]


def _width(cells: pd.DataFrame) -> int:
    widths = _widths(cells)
    return sum(widths) + GAP * (len(widths) - 1)


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
    >>> from agreement.reports.page_width import axis_of
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
    >>> from agreement.reports.page_width import drawn
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
