"""Raw judgements as CSV: one line for each (assessor, topic, document, repeat), with what the ledger knows of it.

Columns: assessor (the pseudonym), query_id, doc_id, relevance (empty unless judged), state (judged, cannot_judge,
later, undone), repeat (0, or 1 for a hidden repeat), judged_at (ISO 8601 in UTC, with microseconds), reason
(why it cannot be judged), comment, guidelines_version (empty where none was shown), active_ms, away_ms, confidence
(1 unsure, 2 fairly sure, 3 sure, or empty), passages (what decided it, as [start,end) offsets in characters of the
text as it was shown: [[0,12],[40,61]], or empty), highlights (whether the query's words were highlighted: true, false,
or empty where nobody could know), input (key, pointer, form or empty).

UTF-8, comma, double quotes where needed, LF, sorted by query_id, doc_id, assessor, repeat (by code points). A cell
that a spreadsheet would take for a formula (it begins with = + - @, the full-width form of one of them, a tab, a
carriage return or a line feed) or that begins with an apostrophe gets an apostrophe in front, which reading takes off
again. Reading needs the first four columns in the header, in any order; the others may lack.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TextIO

from assess.models import State

NEEDED = ("assessor", "query_id", "doc_id", "relevance")
COLUMNS = (
    *NEEDED,
    "state",
    "repeat",
    "judged_at",
    "reason",
    "comment",
    "guidelines_version",
    "active_ms",
    "away_ms",
    "confidence",
    "passages",
    "highlights",
    "input",
)
NUMBERS = ("relevance", "repeat", "guidelines_version", "active_ms", "away_ms", "confidence")
FULL_WIDTH = ("\uff1d", "\uff0b", "\uff0d", "\uff20")  # = + - @ as some spreadsheets take them too
FORMULA_STARTS = ("=", "+", "-", "@", *FULL_WIDTH, "\t", "\r", "\n", "'")
NEEDS_QUOTES = re.compile(r'[",\r\n]')
OFFSET = r" *(?:0|[1-9][0-9]{0,9}) *"
SPAN = rf" *\[{OFFSET},{OFFSET}\] *"
PASSAGES = re.compile(rf"\[{SPAN}(?:,{SPAN})*\]")
TRUTHS = {"true": True, "false": False}
LARGEST_FIELD = 1_000_000


class Line(NamedTuple):
    """One line of the file; `number` is its line in the file."""

    number: int
    assessor: str
    query_id: str
    doc_id: str
    relevance: int | None
    state: str = State.JUDGED
    repeat: int = 0
    judged_at: datetime | None = None
    reason: str = ""
    comment: str = ""
    guidelines_version: int | None = None
    active_ms: int = 0
    away_ms: int = 0
    confidence: int | None = None
    passages: Sequence[list[int]] = ()
    highlights: bool | None = None
    input: str = ""


class CsvError(ValueError):
    """What is wrong, in one sentence that names the line."""


def harmless(cell: object) -> str:
    """The cell as text that no spreadsheet runs as a formula."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def plain(cell: str) -> str:
    """The text as it was before `harmless`."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA_STARTS) else cell


def write(rows: Iterable[Iterable], stream: TextIO) -> None:
    """Write rows that hold COLUMNS in their order."""
    stream.write(",".join(COLUMNS) + "\n")
    stream.writelines(map(line, rows))


def line(cells: Iterable[object]) -> str:
    """One line of a file, its cells harmless and quoted."""
    return ",".join(_quoted(harmless(written(value))) for value in cells) + "\n"


def written(value: object) -> object:
    """The value as the module says it is written."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, list | tuple):
        return json.dumps(value, separators=(",", ":")) if value else ""
    return value


def _quoted(text: str) -> str:
    # Not csv.writer: on Python 3.11 it leaves a lone carriage return bare, which no reader takes back.
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) else text


def instant(at: datetime) -> str:
    """`2026-11-21T10:20:30.123456Z`: always UTC, always six digits, so that equal times are equal bytes."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read(stream: TextIO) -> Iterator[Line]:
    """The lines of a file; raises CsvError at the first that is not as the module says."""
    csv.field_size_limit(LARGEST_FIELD)
    reader = csv.reader(stream, strict=True)
    try:
        header = next(reader, [])
        _check_header(header)
        number = reader.line_num + 1  # a quoted cell may hold lines: the number is that of the first
        for cells in reader:
            if cells:
                yield _line(number, header, cells)
            number = reader.line_num + 1
    except csv.Error as error:
        raise CsvError(f'line {reader.line_num}: {error}; cells are separated by commas, quoted by "') from None


def _check_header(header: list[str]) -> None:
    lacking = [name for name in NEEDED if name not in header]
    unknown = [name for name in header if name not in COLUMNS]
    if lacking or unknown or len(set(header)) < len(header):
        came = repr(",".join(header)[:200])
        allowed = f"it has {','.join(NEEDED)} and may have {','.join(COLUMNS[len(NEEDED) :])}, each once"
        raise CsvError(f"line 1: the header is {came}; {allowed}")


def _line(number: int, header: list[str], cells: list[str]) -> Line:
    if len(cells) != len(header):
        raise CsvError(f"line {number}: {len(cells)} columns came where the header has {len(header)}")
    texts = {name: plain(cell) for name, cell in zip(header, cells, strict=True)}
    values = {name: _value(number, name, text) for name, text in texts.items() if text or name in NEEDED}
    return Line(number, **values)


def _value(number: int, name: str, text: str):
    if name in NUMBERS:
        return _integer(number, name, text)
    if name in READERS:
        return READERS[name](number, text)
    if not text or "\0" in text:
        what = "holds a NUL character" if text else "is empty"
        raise CsvError(f"line {number}: {name} {what}; a text without NUL characters is allowed")
    return text


def _integer(number: int, name: str, text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise CsvError(f"line {number}: {name} {text[:40]!r} is not a whole number of at most nine digits")
    return int(text)


def _instant(number: int, text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise CsvError(f"line {number}: judged_at {text[:40]!r} is not a time with a zone such as 2026-11-21T10:20:30Z")


def _passages(number: int, text: str) -> list[list[int]]:
    # Held against its shape first: the parser of JSON would go as deep as a hostile file has brackets.
    if not PASSAGES.fullmatch(text):
        raise CsvError(f"line {number}: passages {text[:40]!r} is no list of spans [start, end) such as [[0,12]]")
    return json.loads(text)


def _truth(number: int, text: str) -> bool:
    # In any case of letters: a spreadsheet makes TRUE of true.
    if text.lower() not in TRUTHS:
        raise CsvError(f"line {number}: highlights {text[:40]!r} is not one of {', '.join(TRUTHS)}")
    return TRUTHS[text.lower()]


READERS = {"judged_at": _instant, "passages": _passages, "highlights": _truth}
