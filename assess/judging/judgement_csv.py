"""Raw judgements as CSV: one line for each (assessor, topic, document, repeat).

Columns: assessor (the pseudonym), query_id, doc_id, relevance (empty unless judged), state (judged, cannot_judge,
later, undone), repeat (0, or 1 for a hidden repeat), judged_at (ISO 8601 in UTC, with microseconds), reason
(why the document cannot be judged), comment, guidelines_version (empty if there were no guidelines), active_ms,
away_ms, confidence (1 unsure, 2 fairly sure, 3 sure, or empty), passages (the passages that decided the judgement, as
[start,end) offsets in characters of the displayed text: [[0,12],[40,61]], or empty), highlights (whether the words of
the query were highlighted: true, false, or empty if unknown), input (key, pointer, form, group for a judgement by
group, or empty), label_confidence (the confidence of an imported label, such as a model's probability: a decimal number
from 0, or empty), adjudicated (true for the decision of an adjudicator, which is not a vote; empty otherwise), marginal
(whether a relevant document adds something new: new, partly, nothing, or empty without an answer), repeats (the doc_ids
of the documents that it repeats: ["d1","d2"], or empty).

If a judgement was made with the suggestion of a model, two columns follow: assisted (the name of the model) and
suggested (the grade that it suggested), which are empty for the other judgements.

If an owner allowed somebody to judge who could see the runs before, the last column is saw_runs: the role in which the
judge could see them (owner, researcher or instructor), or empty.

Judgements of norming rounds have the repeat 3 before the discussion and 4 after it, practice 5 and hidden checks 6.

The file is UTF-8 with commas, double quotes where needed, and LF, sorted by query_id, doc_id, assessor and repeat in
code point order. A cell that a spreadsheet would run as a formula (it begins with = + - @, the full-width form of one
of these, a tab, a carriage return or a line feed), or that begins with an apostrophe, gets an apostrophe in front;
reading removes it. When a file is read, its header must contain the first four columns, in any order; the other
columns are optional.
"""

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, TextIO

from assess.lib.csv_file import csv_line
from pooling.formats.fields import LARGEST_CELL
from pooling.formula_cells import plain

JUDGED = "judged"  # the only state with a grade; the models are not loaded here
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
    "label_confidence",
    "adjudicated",
    "marginal",
    "repeats",
)
OF_JUDGEMENT = COLUMNS[3:-3]  # fields of the model; the key comes before them
WITHOUT_MARGINAL = COLUMNS[:-2]
ASSISTED = ("assisted", "suggested")  # only if a judgement was assisted
SAW_RUNS = "saw_runs"  # the last column, only if a judge has one
KNOWN = (*COLUMNS, *ASSISTED, SAW_RUNS)
NUMBERS = ("relevance", "repeat", "guidelines_version", "active_ms", "away_ms", "confidence", "suggested")
OFFSET = r" *(?:0|[1-9][0-9]{0,9}) *"
SPAN = rf" *\[{OFFSET},{OFFSET}\] *"
PASSAGES = re.compile(rf"\[{SPAN}(?:,{SPAN})*\]")
DECIMAL = re.compile(r"[0-9]{1,20}(?:\.[0-9]{0,20})?(?:[eE][+-]?[0-9]{1,3})?")
TRUTHS = {"true": True, "false": False}


class Line(NamedTuple):
    """One row of the file; `number` is its first line in the file."""

    number: int
    assessor: str
    query_id: str
    doc_id: str
    relevance: int | None
    state: str = JUDGED
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
    label_confidence: float | None = None
    adjudicated: bool | None = None
    marginal: str = ""
    repeats: Sequence[str] = ()
    saw_runs: str = ""
    assisted: str = ""
    suggested: int | None = None


class CsvError(ValueError):
    """An invalid file; the message is one sentence that names the line."""


def write(rows: Iterable[Iterable[object]], stream: TextIO, columns: Sequence[str] = COLUMNS) -> None:
    """Write rows whose cells are in the order of the columns."""
    stream.write(",".join(columns) + "\n")
    stream.writelines(map(line, rows))


def line(cells: Iterable[object]) -> str:
    """Return one line of the file."""
    return csv_line(map(format_value, cells))


def format_value(value: object) -> object:
    """Return the value in the format of the file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, list | tuple):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False) if value else ""
    return value


def instant(at: datetime) -> str:
    """Format a time as `2026-11-21T10:20:30.123456Z`: in UTC with six digits, so that equal times are equal bytes."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read(stream: TextIO) -> Iterator[Line]:
    """Yield the rows of a file. Raises CsvError at the first invalid line."""
    for number, texts in _texts(stream):
        yield _line(number, texts)


def read_labels(
    stream: TextIO,
    on_error: Callable[[CsvError], object],
    on_assessor: Callable[[str], object] = lambda _: None,
    on_empty: Callable[[int], object] = lambda _: None,
) -> Iterator[tuple[Line, str]]:
    """Yield the rows of a file and the text of their relevance, which may be any; the rows' relevance is None.

    `on_error` is called with the error of an invalid row, which is then left out, `on_assessor` with the assessor of
    every row, valid or not, and `on_empty` with the line of a row without any text. Raises CsvError if the file is not
    CSV.
    """
    for number, texts in _texts(stream, on_error, on_assessor, on_empty):
        label, texts["relevance"] = texts["relevance"], ""
        try:
            yield _line(number, texts), label
        except CsvError as error:
            on_error(error)


def _texts(
    stream: TextIO,
    on_error: Callable[[CsvError], object] | None = None,
    on_assessor: Callable[[str], object] = lambda _: None,
    on_empty: Callable[[int], object] = lambda _: None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the first line of each row, and its cells by column."""
    csv.field_size_limit(LARGEST_CELL)
    reader = csv.reader(stream, strict=True)
    try:
        header = [cell.lower() for cell in next(reader, [])]
        _check_header(header)
        position = header.index("assessor")
        number = reader.line_num + 1  # a quoted cell may contain line ends: this is the number of its first line
        for cells in reader:
            if not any(cells):
                on_empty(number)
            elif len(cells) == len(header):
                on_assessor(plain(cells[position]))
                yield number, {name: plain(cell) for name, cell in zip(header, cells, strict=True)}
            else:
                on_assessor(plain(cells[position]) if position < len(cells) else "")
                error = CsvError(f"line {number}: {len(cells)} columns, but the header has {len(header)}")
                if on_error is None:
                    raise error
                on_error(error)
            number = reader.line_num + 1
    except csv.Error as error:
        raise CsvError(f'line {reader.line_num}: {error}; cells are separated by commas, quoted by "') from None


def _check_header(header: list[str]) -> None:
    missing = [name for name in NEEDED if name not in header]
    unknown = [name for name in header if name not in KNOWN]
    if missing or unknown or len(set(header)) < len(header):
        raise CsvError(
            f"line 1: the header must contain {','.join(NEEDED)} and may contain {','.join(KNOWN[len(NEEDED) :])}, "
            f"each once; it is {','.join(header)[:200]!r}"
        )


def _line(number: int, texts: Mapping[str, str]) -> Line:
    values = {name: _value(number, name, text) for name, text in texts.items() if text or name in NEEDED}
    return Line(number, **values)


def _value(number: int, name: str, text: str) -> Any:
    if name in NUMBERS:
        return _integer(number, name, text)
    if name in READERS:
        return READERS[name](number, text)
    if not text or "\0" in text:
        problem = "contains a NUL character" if text else "is empty"
        raise CsvError(f"line {number}: {name} {problem}; it must be text without NUL characters")
    return text


def _integer(number: int, name: str, text: str) -> int | None:
    if not text:
        return None
    # Nine digits fit into the integers of both databases.
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise CsvError(f"line {number}: {name} must be a whole number of at most nine digits, not {text[:40]!r}")
    return int(text)


def _instant(number: int, text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise CsvError(
        f"line {number}: judged_at must be a time with a zone such as 2026-11-21T10:20:30Z, not {text[:40]!r}"
    )


def _passages(number: int, text: str) -> list[list[int]]:
    # The pattern comes first: the JSON parser would recurse as deep as a hostile file has brackets.
    if not PASSAGES.fullmatch(text):
        raise CsvError(
            f"line {number}: passages must be a list of [start,end] pairs such as [[0,12]], not {text[:40]!r}"
        )
    passages: list[list[int]] = json.loads(text)
    return passages


def _doc_ids(number: int, text: str) -> list[str]:
    try:
        doc_ids = json.loads(text)
    except (ValueError, RecursionError):
        doc_ids = None
    if isinstance(doc_ids, list) and doc_ids and all(isinstance(each, str) for each in doc_ids):
        return doc_ids
    raise CsvError(f'line {number}: repeats must be a list of doc_ids such as ["d1","d2"], not {text[:40]!r}')


def _truth(name: str, number: int, text: str) -> bool:
    # Case-insensitive: a spreadsheet turns true into TRUE.
    if text.lower() not in TRUTHS:
        raise CsvError(f"line {number}: {name} must be {' or '.join(TRUTHS)}, not {text[:40]!r}")
    return TRUTHS[text.lower()]


def _decimal(number: int, text: str) -> float:
    if not DECIMAL.fullmatch(text) or math.isinf(float(text)):
        raise CsvError(f"line {number}: label_confidence must be a decimal number from 0, not {text[:40]!r}")
    return float(text)


READERS: dict[str, Callable[[int, str], Any]] = {
    "judged_at": _instant,
    "passages": _passages,
    "repeats": _doc_ids,
    "highlights": partial(_truth, "highlights"),
    "adjudicated": partial(_truth, "adjudicated"),
    "label_confidence": _decimal,
}
