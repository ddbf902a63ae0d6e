"""Read tables of judgements: CSV text, and the rows of a sheet or of a DataFrame.

`pooling.formats.judgement_columns` says which column is which. A table of text is separated by commas, semicolons or
tabs, whichever makes its first line a header, and its cells are quoted with double quotes. An apostrophe that protects
a cell from a spreadsheet, as `export_judgements` writes it, is removed.

Each reader gives rows of texts. A row for each document gives one judgement for each column of a judge.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pooling.errors import TrecFormatError, shown
from pooling.formats.judgement_columns import (
    NEEDED,
    SEPARATORS,
    Columns,
    Given,
    find_columns,
    missing_columns,
    separator_of,
)
from pooling.formats.recognise import SAMPLE_BYTES, SAMPLE_LINES
from pooling.trec import Problems, raise_or_keep
from pooling.words import count

PROTECTED = tuple("=+-@\t\r\n'＝＋－＠")
LARGEST_CELL = 1_000_000
LINE_END = re.compile(rb"[\r\n]")  # an old Excel for macOS ends lines with CR alone
NUMBER_IDS = "number_ids"
NO_JUDGEMENT = frozenset(("", "na", "none", "-"))  # a cell of a grade, in lower case


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
    line = LINE_END.split(content[:LARGEST_CELL], maxsplit=1)[0].decode(errors="replace")
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
