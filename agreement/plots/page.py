"""The page that a figure is drawn on, in inches: the title above, a note below, axes between them.

Names of systems, golds and topics are shown as they are: never read as formulas or markup, on one line, without
characters that steer the direction of writing or that no file may hold. Those, and what a name has beyond 60
characters, are replaced.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from agreement.plots.style import QUIET

SIZE, TITLE, SMALL, LEGEND = 9, 11, 8, 8.5  # points
HANDLE = 0.35  # inches of the line that a legend shows
LINE = 0.19  # inches, from one line of text to the next
EDGE = 0.15  # inches, kept free all around
LONGEST = 60  # letters of a name
UNFIT = ("Cc", "Cs", "Zl", "Zp")  # controls, halves of characters, breaks of lines and paragraphs
STEERING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff"
REPLACED = "\ufffd"
BROAD = "—"  # as broad as high


class Page:
    """A figure of a given inner size, to which title and note add their lines.

    Attributes
    ----------
    figure : Figure
    width, height : float
        Inches of the whole.
    floor, ceiling : float
        Inches from below, where the note ends and where the title begins.
    """

    def __init__(self, width: float, height: float, title: str, note: str = ""):
        title = sentence(title)
        head = wrapped(title, width - 2 * EDGE, TITLE)
        foot = wrapped(sentence(note), width - 2 * EDGE, SMALL)
        self.width, self.floor = width, EDGE + LINE * len(foot)
        self.ceiling = self.floor + height
        self.height = self.ceiling + EDGE + 1.25 * LINE * len(head)
        self.figure = Figure(figsize=(self.width, self.height))
        self.figure.set_label(title)
        for number, line in enumerate(head):
            self.write(EDGE, self.height - EDGE - 1.25 * LINE * number, line, fontsize=TITLE, va="top")
        for number, line in enumerate(foot):
            self.write(EDGE, self.floor - LINE * number, line, fontsize=SMALL, color=QUIET, va="top")

    def write(self, left: float, up: float, text: str, **style) -> Text:
        """Text at a place in inches."""
        return self.figure.text(left / self.width, up / self.height, text, **style)

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes at a place in inches, `bottom` above the note."""
        return self.figure.add_axes(
            (left / self.width, (self.floor + bottom) / self.height, width / self.width, height / self.height)
        )

    def legend(self, handles: list[Artist], columns: int) -> None:
        """A legend at the left, on the floor."""
        corner = (EDGE / self.width, (self.floor + 0.07) / self.height)
        self.figure.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=corner,
            ncols=columns,
            borderpad=0,
            borderaxespad=0,
            handlelength=HANDLE * 72 / LEGEND,
        )


def legend_columns(handles: list[Artist], inches: float) -> int:
    """How many stand beside each other where a legend has this width."""
    one = widest((handle.get_label() for handle in handles), LEGEND) + HANDLE + 0.35
    return min(max(int((inches - 2 * EDGE) // one), 1), len(handles))


def plain(name) -> str:
    """A name that can be drawn; see the module."""
    text = _fit(str(name))
    half = (LONGEST - 1) // 2
    return text if len(text) <= LONGEST else f"{text[: LONGEST - half - 1]}…{text[-half:]}"


def sentence(text: str) -> str:
    """A title or note that can be drawn, of any length."""
    return " ".join(_fit(word) for word in str(text).split())


def _fit(text: str) -> str:
    return "".join(
        REPLACED if letter in STEERING or unicodedata.category(letter) in UNFIT else letter for letter in text
    )


def counted(number: int, noun: str) -> str:
    """1 topic, 2 topics."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def width_of(text: str, size: float = SIZE) -> float:
    """Inches that a line of text takes, and a little more: the viewer's font may be wider than the one here."""
    known = "".join(letter if ord(letter) in _letters() else BROAD for letter in text)
    width, _, _ = text_to_path.get_text_width_height_descent(known, FontProperties(size=size), ismath=False)
    return 1.05 * width / 72


@cache
def _letters() -> frozenset[int]:
    """What the font here has; for what it has not, such as Chinese, a viewer's may have a broad letter."""
    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


def widest(texts: Iterable[str], size: float = SIZE) -> float:
    """Inches of the widest text; 0 where there is none."""
    return max((width_of(text, size) for text in texts), default=0.0)


def wrapped(text: str, inches: float, size: float = SIZE) -> list[str]:
    """The text in lines that fit, broken between words, and within a word only where it is too long for a line."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(longer, size) <= inches:
            lines[-1] = longer
        else:
            lines += _broken(word, inches, size)
    return [line for line in lines if line]


def _broken(word: str, inches: float, size: float) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and width_of(pieces[-1] + letter, size) > inches:
            pieces.append("")
        pieces[-1] += letter
    return pieces
