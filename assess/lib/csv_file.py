"""CSV files in which no cell is a formula: the cells of all downloads are written here."""

import re
from collections.abc import Iterable

from pooling.formula_cells import harmless

NEEDS_QUOTES = re.compile(r'[",\r\n]')


def csv_line(cells: Iterable[object]) -> str:
    """Return one line of a file, with its line end. Texts are harmless; None is an empty cell."""
    texts = [harmless(cell) if isinstance(cell, str) else "" if cell is None else str(cell) for cell in cells]
    return ",".join(map(quoted, texts)) + "\n" if texts != [""] else '""\n'  # an empty line would be no row


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the text of a file; the first row has the names of the columns."""
    return "".join(map(csv_line, rows))


def quoted(text: str) -> str:
    """Return a cell in quotes if it needs them.

    Not csv.writer: on Python 3.11 it does not quote a lone carriage return, which no reader accepts.
    """
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) else text
