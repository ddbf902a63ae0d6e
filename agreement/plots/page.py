"""The page of a figure, measured in inches: title at the top, note at the bottom, axes between them.

Names of systems, golds and topics are displayed literally, on one line, and never interpreted as formulas or markup.
Control characters, characters that change the direction of writing, and characters that files cannot contain are
replaced. A name of more than 60 characters loses its middle.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from pooling.palette import QUIET

SIZE, TITLE, SMALL, LEGEND = 9, 11, 8, 8.5  # points
HANDLE = 0.35  # inches, the line in a legend entry
LINE = 0.19  # inches, from one line of text to the next
EDGE = 0.15  # inches, the margin
NARROW = 4.0  # inches of a figure below which it is for a phone
MAX_NAME_LENGTH = 60
REPLACED_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")  # controls, surrogates, line and paragraph separators
REPLACED_CHARACTERS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff"
REPLACEMENT = "\ufffd"
WIDE = "—"  # as wide as high


class Page:
    """A figure with axes of a given size, enlarged by the lines of title and note.

    Parameters
    ----------
    width : float
        Inches of the page.
    height : float
        Inches between note and title.
    title, note : str
        Wrapped to the width of the page.

    Attributes
    ----------
    figure : Figure
    width, height : float
        Inches of the page.
    bottom, top : float
        Inches from the lower edge of the page to the upper edge of the note, and to the lower edge of the title.
    """

    def __init__(self, width: float, height: float, title: str, note: str = ""):
        title = display_text(title)
        head = wrap(title, width - 2 * EDGE, TITLE)
        foot = wrap(display_text(note), width - 2 * EDGE, SMALL)
        self.width, self.bottom = width, EDGE + LINE * len(foot)
        self.top = self.bottom + height
        self.height = self.top + EDGE + 1.25 * LINE * len(head)
        self.figure = Figure(figsize=(self.width, self.height))
        self.figure.set_label(title)
        for number, line in enumerate(head):
            self.add_text(EDGE, self.height - EDGE - 1.25 * LINE * number, line, fontsize=TITLE, va="top")
        for number, line in enumerate(foot):
            self.add_text(EDGE, self.bottom - LINE * number, line, fontsize=SMALL, color=QUIET, va="top")

    def add_text(self, left: float, bottom: float, text: str, **style: Any) -> Text:
        """Add text at a position in inches from the lower left corner of the page; `style` is for matplotlib."""
        return self.figure.text(left / self.width, bottom / self.height, text, **style)

    def add_axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Add axes at a position in inches, `bottom` counted from the note."""
        return self.figure.add_axes(
            (left / self.width, (self.bottom + bottom) / self.height, width / self.width, height / self.height)
        )

    def add_legend(self, handles: Sequence[Artist], columns: int) -> None:
        """Add a legend at the lower left, above the note."""
        corner = (EDGE / self.width, (self.bottom + 0.07) / self.height)
        self.figure.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=corner,
            ncols=columns,
            borderpad=0,
            borderaxespad=0,
            handlelength=HANDLE * 72 / LEGEND,
        )


def axes_size(axes: Axes) -> tuple[float, float]:
    """Return the inches of axes, width and height."""
    return axes.bbox.width / axes.figure.dpi, axes.bbox.height / axes.figure.dpi


def legend_columns(handles: Sequence[Artist], inches: float) -> int:
    """Return the number of columns of a legend with this width."""
    width = max_text_width((str(handle.get_label()) for handle in handles), LEGEND) + HANDLE + 0.35
    return min(max(int((inches - 2 * EDGE) // width), 1), len(handles))


def legend_width(handles: Sequence[Artist]) -> float:
    """Return the inches of a legend with one column beside the axes."""
    return max_text_width((str(handle.get_label()) for handle in handles), LEGEND) + HANDLE + 4 * EDGE


def display_name(name: object) -> str:
    """Return a name as it can be displayed: on one line, with at most 60 characters (see the module)."""
    text = _replace_unsafe(str(name))
    half = (MAX_NAME_LENGTH - 1) // 2
    if len(text) <= MAX_NAME_LENGTH:
        return text
    return f"{text[: MAX_NAME_LENGTH - half - 1]}…{text[-half:]}"


def shorten(name: str, inches: float | None) -> str:
    """Return a name that fits, without its middle if it is too long: its end often tells similar names apart."""
    short, middle = name, MAX_NAME_LENGTH // 2
    if inches is not None and name[middle : middle + 1] == "…":  # of `display_name`: one mark is enough
        name = name[:middle] + name[middle + 1 :]
    kept = len(name) - 1
    while inches is not None and kept > 1 and text_width(short) > inches:
        short = f"{name[: kept - kept // 2]}…{name[-(kept // 2) :]}"
        kept -= 1
    return short


def display_text(text: str) -> str:
    """Return a title or note as it can be displayed, of any length."""
    return " ".join(_replace_unsafe(word) for word in str(text).split())


def _replace_unsafe(text: str) -> str:
    return "".join(
        REPLACEMENT if letter in REPLACED_CHARACTERS or unicodedata.category(letter) in REPLACED_CATEGORIES else letter
        for letter in text
    )


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 topic" or "2 topics"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def text_width(text: str, size: float = SIZE) -> float:
    """Return the inches of a line of text plus 5 %, because the viewer's font may be wider than ours."""
    known = "".join(letter if ord(letter) in _known_letters() else WIDE for letter in text)
    width, _, _ = text_to_path.get_text_width_height_descent(known, FontProperties(size=size), ismath=False)
    return float(1.05 * width / 72)


@cache
def _known_letters() -> frozenset[int]:
    """Return the letters of our font. For others, such as Chinese ones, the viewer's font may have wide letters."""
    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


def max_text_width(texts: Iterable[str], size: float = SIZE) -> float:
    """Return the inches of the widest text; 0 if there is none."""
    return max((text_width(text, size) for text in texts), default=0.0)


def wrap(text: str, inches: float, size: float = SIZE) -> list[str]:
    """Return the text in lines that fit, broken between words, or within a word that is too long for a line."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size) <= inches:
            lines[-1] = longer
        else:
            lines += _break_word(word, inches, size)
    return [line for line in lines if line]


def _break_word(word: str, inches: float, size: float) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width(pieces[-1] + letter, size) > inches:
            pieces.append("")
        pieces[-1] += letter
    return pieces
