"""The width of the terminal that the output goes to. A pipe and a file have none, so their content never varies.

Nothing is drawn if `NO_COLOR` is set or `TERM` is `dumb`: such terminals, and the programs that read them aloud, want
text.
"""

import shutil
from collections.abc import Mapping
from typing import TextIO

from agreement.reports.interval_drawing import CHARACTERS
from agreement.reports.page_width import PageWidth

NARROWEST = 80


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
