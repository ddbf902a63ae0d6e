"""Read tables of judgements: CSV text, and the rows of a sheet or of a DataFrame.

`pooling.formats.fields` says which column is which. A table of text is separated by commas, semicolons or
tabs, whichever makes its first line a header, and its cells are quoted with double quotes. An apostrophe that protects
a cell from a spreadsheet, as `export_judgements` writes it, is removed.

Each reader gives rows of texts. A row for each document gives one judgement for each column of a judge. The columns
query_id, doc_id and relevance are required, in any order and also under other names, or a column for each judge instead
of relevance. Optional are:

assessor     the judge; without it, the file is of one judge
repeat       0, or 1 for a hidden repeat; 3 or 4 in a norming round, 5 in practice and 6 for a hidden check
adjudicated  true for the decision of an adjudicator; false, or empty
confidence   a number from 0, or empty
state        judged, or empty; a row whose state is cannot_judge, later or undone has no grade, is left out and counted;
             another state is refused

Other columns are ignored. Decisions, and rows of norming rounds, practice and checks, are no votes on a document: they
are marked, so that the caller leaves them out and counts them.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from pooling.changed_ids import changed_id_error, changed_rows
from pooling.errors import TrecFormatError, shown
from pooling.formats.fields import (
    LARGEST_CELL,
    NEEDED,
    SEPARATORS,
    Columns,
    Given,
    find_columns,
    missing_columns,
    separator_of,
)
from pooling.formats.recognise import SAMPLE_BYTES, SAMPLE_LINES
from pooling.trec import ALLOWED_ID, Problems, id_problem, parse_score, raise_or_keep
from pooling.words import count

PROTECTED = tuple("=+-@\t\r\n'＝＋－＠")
LARGEST_HEADER = 1_000_000  # bytes
LINE_END = re.compile(rb"[\r\n]")  # an old Excel for macOS ends lines with CR alone
NUMBER_IDS = "number_ids"
NO_JUDGEMENT = frozenset(("", "na", "none", "-"))  # a cell of a grade, in lower case
TYPES = {
    "line": "int64",
    "assessor": "str",
    "query_id": "str",
    "doc_id": "str",
    "label": "str",
    "is_vote": "bool",
    NUMBER_IDS: "bool",
}
OPTIONAL_TYPES = {"repeat": "int64", "confidence": "float64"}
IDS = ("query_id", "doc_id")
STATES = ("", "judged", "cannot_judge", "later", "undone")
GRADED = STATES[:2]
VOTES, OTHER_KINDS = ("", "0", "1"), ("3", "4", "5", "6")  # values of repeat
DECISION, NO_DECISION = ("true", "1"), ("", "false", "0")  # values of adjudicated


class TableRow(NamedTuple):
    """The first line of a row, its texts, and a problem if it could not be read."""

    line: int
    cells: Sequence[str]
    problem: TrecFormatError | None = None
    has_number_ids: bool = False  # of a sheet, which may have lost zeros


class Table(NamedTuple):
    """A table of judgements: its header, its columns, and the rows below the header."""

    header: Sequence[str]
    columns: Columns
    rows: Iterator[TableRow]
    line: int
    empty_rows: list[int]  # the lines of rows without any text, which a spreadsheet may write; filled by reading

    def judgements(self, file: str, judge: str, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
        """The line and the values of each judgement by the names of Assay; `judge` is used if the table names none."""
        if self.columns.missing:
            raise missing_columns(self.columns, self.header, file, self.line)
        for row in self.rows:
            if not any(cell.strip() for cell in row.cells):
                self.empty_rows.append(row.line)
                continue
            error = row.problem or _wrong_length(row, self.header, file)
            if error:
                raise_or_keep(error, problems)
                continue
            texts = {name: row.cells[at] for name, at in self.columns.positions.items()}
            if row.has_number_ids:
                texts[NUMBER_IDS] = "true"
            for name, at in self.columns.judges.items():
                yield row.line, texts | {"assessor": name, "relevance": row.cells[at]}
            if not self.columns.judges:
                yield row.line, {"assessor": judge} | texts


def _wrong_length(row: TableRow, header: Sequence[str], file: str) -> TrecFormatError | None:
    if len(row.cells) != len(header):
        return TrecFormatError(f"{len(row.cells)} cells", f"the header has {len(header)}", file, row.line)
    extra = [cell for cell, name in zip(row.cells, header, strict=True) if cell.strip() and not name.strip()]
    return TrecFormatError("a column without a name", "each column has a name", file, row.line) if extra else None


def text_table(content: bytes, file: str, given: Given) -> Table | None:
    """The table of a CSV text; None if its first line is no header."""
    line = LINE_END.split(content[:LARGEST_HEADER], maxsplit=1)[0].decode(errors="replace")
    separator = separator_of(line, given, file)
    if separator is None:
        return None
    rows = _text_rows(content, file, separator)
    header = [*next(rows).cells]
    return Table(header, find_columns(header, given, file), rows, 1, [])


def _text_rows(content: bytes, file: str, separator: str) -> Iterator[TableRow]:
    csv.field_size_limit(LARGEST_CELL)
    number = 1
    try:
        reader = csv.reader(io.StringIO(content.decode(), newline=""), delimiter=separator, strict=True)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TrecFormatError(
            f"byte 0x{content[error.start]:02X} is not UTF-8", "the file must be UTF-8 text", file, line
        ) from None
    try:
        for cells in reader:
            if cells:
                yield TableRow(number, [_plain(cell) for cell in cells])
            number = reader.line_num + 1  # a quoted cell may contain line ends
    except csv.Error as error:
        raise TrecFormatError(str(error), 'cells are quoted by "', file, reader.line_num) from None


def _plain(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(PROTECTED) else cell


def unknown_file(content: bytes, file: str) -> TrecFormatError | None:
    """The error that says what a file looks like if its first lines are neither a table nor qrels of four columns."""
    sample = content[:SAMPLE_BYTES].splitlines()
    found = [line for line in sample if line.strip() and line.split(None, 1)[0].strip(b"#")][:SAMPLE_LINES]
    # Bytes are split at blanks of ASCII only: an id of qrels may contain a no-break space.
    if not found or b"\0" in found[0] or any(len(line.split()) == 4 for line in found):
        return None
    lines = [line.decode(errors="replace") for line in found]
    separators = {name: len(lines[0].split(sign)) for sign, name in SEPARATORS.items() if sign in lines[0]}
    name = max(separators, key=lambda each: separators[each], default="blanks")
    looks = f"text with {count(separators.get(name, len(found[0].split())), 'column')} separated by {name}"
    what = f"the file looks like {looks}; it begins with {shown(lines[0])}"
    allowed = f"a header with {', '.join(NEEDED)} is missing, or lines of qrels: query_id iteration doc_id relevance"
    if separators:
        allowed += f"; columns with other names are named with the option columns, such as {NEEDED[0]}=NAME"
    return TrecFormatError(what, allowed, file, 1)


def table_labels(
    table: Table, name: str, judge: str, problems: Problems = None, left_out: Counter[str] | None = None
) -> pd.DataFrame:
    """The labels of a table of judgements; `judge` is the judge if the table names none.

    `left_out` counts the rows of each judge whose state says that they have no grade.
    """
    rows, is_empty = [], True
    for number, texts in table.judgements(name, judge, problems):
        is_empty = False
        try:
            if row := _row(texts, number, name):
                rows.append(row)
            elif left_out is not None:
                left_out[texts["assessor"]] += 1
        except TrecFormatError as error:
            raise_or_keep(error, problems)
    if is_empty and not problems:
        empty = TrecFormatError("the file has a header and no judgements", "a table has at least one row", name)
        raise_or_keep(empty, problems)
    rows = _without_changed_ids(rows, name, problems)
    types = TYPES | {column: kind for column, kind in OPTIONAL_TYPES.items() if column in table.columns.positions}
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def without_changed_ids(rows: pd.DataFrame, name: str, problems: Problems) -> pd.DataFrame:
    """Labels of an export without those that have an id which a spreadsheet has probably changed."""
    changed = changed_rows({column: rows[column].tolist() for column in IDS})
    for place, column in changed.items():
        row = rows.iloc[place]
        error = changed_id_error(column, row[column], name, int(row["line"]), TrecFormatError)
        raise_or_keep(error, problems)
    return rows.drop(rows.index[list(changed)]).reset_index(drop=True) if changed else rows


def _without_changed_ids(rows: list[dict[str, Any]], name: str, problems: Problems) -> list[dict[str, Any]]:
    """The rows without those that have an id which a spreadsheet has probably changed, which are problems."""
    changed = changed_rows({column: [row[column] for row in rows] for column in IDS})
    for place, column in changed.items():
        error = changed_id_error(column, rows[place][column], name, rows[place]["line"], TrecFormatError)
        raise_or_keep(error, problems)
    return [row for place, row in enumerate(rows) if place not in changed]


def _row(texts: dict[str, str], number: int, name: str) -> dict[str, Any] | None:
    """The values of a judgement; None if its state says that it has no grade."""
    if (state := texts.get("state", "")) not in STATES:
        allowed = f"state is empty or one of {', '.join(STATES[1:])}"
        raise TrecFormatError(f"state {shown(state)} is not allowed", allowed, name, number, "state", state)
    if state not in GRADED:
        return None
    row: dict[str, Any] = {"line": number, "assessor": texts["assessor"], "label": texts["relevance"]}
    row[NUMBER_IDS] = NUMBER_IDS in texts
    row["is_vote"] = _is_vote(texts, name, number)
    if not row["assessor"]:
        raise TrecFormatError("assessor is empty", "each row needs an assessor", name, number, "assessor", "")
    for column in IDS:
        if problem := id_problem(texts[column]):
            raise TrecFormatError(f"{column} {problem}", ALLOWED_ID, name, number, column, texts[column])
        row[column] = texts[column]
    if "repeat" in texts:
        row["repeat"] = int(texts["repeat"] or 0)
    if "confidence" in texts:
        row["confidence"] = _confidence(texts["confidence"], name, number)
    return row


def _is_vote(texts: dict[str, str], name: str, number: int) -> bool:
    """Whether a row is a regular judgement or a hidden repeat; TrecFormatError if its kind is unknown."""
    repeat, mark = texts.get("repeat", ""), texts.get("adjudicated", "").lower()
    if repeat not in VOTES + OTHER_KINDS:
        allowed = "repeat is 0, 1 for a hidden repeat, 3 or 4 for norming, 5 for practice, or 6 for a hidden check"
        raise TrecFormatError(f"repeat {shown(repeat)} is not allowed", allowed, name, number, "repeat", repeat)
    if mark not in DECISION + NO_DECISION:
        allowed = "adjudicated is true, false or empty"
        raise TrecFormatError(f"adjudicated {shown(mark)} is not allowed", allowed, name, number, "adjudicated", mark)
    return repeat in VOTES and mark in NO_DECISION


def _confidence(text: str, name: str, number: int) -> float:
    if not text:
        return math.nan
    value = parse_score(text, "float64")
    if value is None or value < 0:
        allowed = "a confidence is a number of 0 or more, or empty"
        raise TrecFormatError(f"confidence {shown(text)} is not allowed", allowed, name, number, "confidence", text)
    return value
