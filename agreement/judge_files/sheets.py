"""Read the table of judgements of a spreadsheet, .xlsx or .ods.

One sheet has the table; its first row that is not empty is the header. Texts are read as they are, so that ids that
are texts keep their zeros. Ids that are numbers are read as whole numbers, and their rows are counted. Refused, with
the name of its cell: a date, an id with a fraction, and a formula that has an error or was never computed, in a column
that is used. Refused as well: several sheets with such a table.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Any

from defusedxml import ElementTree

from agreement.judge_files.cells import UNCOMPUTED, TypedRow, cell_text, typed_rows
from agreement.judge_files.tables import Table
from pooling.errors import TrecFormatError
from pooling.formats.fields import Columns, Given, find_columns

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
CALC_TYPE = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SHEET_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
READABLE = "a spreadsheet is .xlsx or .ods, without a password"


def sheet_table(content: bytes, file: str, given: Given, max_bytes: int) -> Table:
    """The table of the sheet that has one."""
    from python_calamine import CalamineError, load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > max_bytes:
                raise TrecFormatError(f"the file has more than {max_bytes:,} bytes", "this is the limit", file)
            archive.testzip()  # an entry that is larger than it says
            book = load_workbook(io.BytesIO(content))
            sheets = {name: _with_header(book.get_sheet_by_name(name)) for name in book.sheet_names}
            sheets = {name: rows for name, rows in sheets.items() if rows}
            tables = {name: _columns(rows, given, file) for name, rows in sheets.items()}
            name = _only_table(tables, file)
            errors = _errors(archive, name)
    except (CalamineError, zipfile.BadZipFile, KeyError, ElementTree.ParseError, ValueError) as error:
        if isinstance(error, TrecFormatError):
            raise
        raise TrecFormatError(f"the spreadsheet cannot be read ({error})", READABLE, file) from None
    columns, rows_of_sheet = tables[name], sheets[name]
    if isinstance(columns, TrecFormatError):
        raise columns
    first, *others = rows_of_sheet
    header = [cell_text(cell) for cell in first[1]]
    rows = typed_rows(_with_errors(others, errors), columns, file, cell_name)
    return Table(header, columns, rows, first[0], [])


def sheet_texts(content: bytes, file: str, n_rows: int) -> list[list[str]]:
    """The first rows of the first sheet that is not empty, as texts; the first of them is the header."""
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(io.BytesIO(content))
        sheets = (_with_header(book.get_sheet_by_name(name)) for name in book.sheet_names)
        rows = next((rows for rows in sheets if rows), [])
    except (CalamineError, zipfile.BadZipFile) as error:
        raise TrecFormatError(f"the spreadsheet cannot be read ({error})", READABLE, file) from None
    return [[cell_text(cell) for cell in cells] for _, cells in rows[:n_rows]]


def _with_header(sheet: Any) -> list[TypedRow]:
    """The rows of a sheet from the first that is not empty, with their numbers."""
    rows = enumerate(sheet.to_python(skip_empty_area=False), start=1)
    return list(dropwhile(lambda row: all(cell == "" for cell in row[1]), rows))


def _columns(rows: Sequence[TypedRow], given: Given, file: str) -> Columns | TrecFormatError:
    number, cells = rows[0]
    try:
        return find_columns([cell_text(cell) for cell in cells], given, file, number)
    except TrecFormatError as error:
        return error.with_traceback(None)


def _only_table(tables: Mapping[str, Columns | TrecFormatError], file: str) -> str:
    """The name of the sheet that is a table of judgements; the first sheet if none is."""
    found = [name for name, columns in tables.items() if isinstance(columns, Columns) and not columns.missing]
    if len(found) > 1:
        raise TrecFormatError(f"{' and '.join(found)} are tables of judgements", "one sheet of a file is one", file)
    if not tables:
        raise TrecFormatError("the spreadsheet is empty", "its first row is a header", file)
    return found[0] if found else next(iter(tables))


def cell_name(row: int, column: int) -> str:
    """The name of a cell: "B7" is row 7, column 1 (counted from 0)."""
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _with_errors(rows: Iterable[TypedRow], errors: set[tuple[int, int]]) -> Iterator[TypedRow]:
    """The rows, with a mark in the cells whose formula has no value."""
    for number, cells in rows:
        yield number, [UNCOMPUTED if (number, at) in errors else cell for at, cell in enumerate(cells)]


def _errors(archive: zipfile.ZipFile, sheet: str) -> set[tuple[int, int]]:
    """The row (from 1) and column (from 0) of cells whose formula has no value, which calamine reads as empty."""
    if "content.xml" in archive.namelist():
        return set(_ods_errors(archive, sheet))
    return set(_xlsx_errors(archive, sheet))


def _xlsx_errors(archive: zipfile.ZipFile, sheet: str) -> Iterator[tuple[int, int]]:
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): link.get("Target") for link in links}
    ids = {each.get("name"): each.get(SHEET_ID) for each in book.iter(f"{MAIN}sheet")}
    target = targets[ids[sheet]]
    root = ElementTree.fromstring(archive.read(target[1:] if target.startswith("/") else f"xl/{target}"))
    for cell in root.iter(f"{MAIN}c"):
        is_uncomputed = cell.find(f"{MAIN}f") is not None and not cell.findtext(f"{MAIN}v") and cell.get("t") != "str"
        if cell.get("t") == "e" or is_uncomputed:
            yield _position(cell.get("r"))


def _position(name: str) -> tuple[int, int]:
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(name[len(letters) :]), column - 1


def _ods_errors(archive: zipfile.ZipFile, sheet: str) -> Iterator[tuple[int, int]]:
    root = ElementTree.fromstring(archive.read("content.xml"))
    table = next(each for each in root.iter(f"{TABLE}table") if each.get(f"{TABLE}name") == sheet)
    number = 1
    for row in table.iter(f"{TABLE}table-row"):
        column = 0
        for cell in row:
            if cell.get(CALC_TYPE) == "error":
                yield number, column
            column += int(cell.get(f"{TABLE}number-columns-repeated", 1))
        number += int(row.get(f"{TABLE}number-rows-repeated", 1))
