"""Cells with types, as sheets and DataFrames have them, become the texts of a table of judgements.

A whole number is written without a point, also if it is stored as 7.0. In a column that is used, refused are: a date or
a time, a formula without a value, and an id that is a fraction or a truth value.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from agreement.judge_files.tables import TableRow
from pooling.changed_ids import EXACT_DIGITS
from pooling.errors import TrecFormatError
from pooling.formats.fields import Columns

IDS = ("assessor", "query_id", "doc_id")
UNCOMPUTED = object()  # the cell of a formula without a value

TypedRow = tuple[int, Sequence[Any]]


def typed_rows(
    rows: Iterable[TypedRow], columns: Columns, file: str, name_of_cell: Callable[[int, int], str]
) -> Iterator[TableRow]:
    """The texts of each row, and the problem of its first cell that cannot be used."""
    used = {at: name for name, at in (columns.positions | columns.judges).items()}
    id_columns = {columns.positions[name] for name in IDS if name in columns.positions}
    for number, cells in rows:
        problem = None
        for at, name in used.items():
            what = _problem(cells[at], at in id_columns)
            if what and problem is None:
                allowed = (
                    f"{name} is a text or a number" if at not in id_columns else "an id is a text or a whole number"
                )
                what = f"cell {name_of_cell(number, at)} is {what}"
                problem = TrecFormatError(what, allowed, file, number, name)
        numbers = any(_is_number(cells[at]) for at in id_columns)
        yield TableRow(number, [cell_text(cell) for cell in cells], problem, numbers)


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _problem(cell: Any, is_id: bool) -> str:
    """What is wrong with a cell; empty if nothing is."""
    if cell is UNCOMPUTED:
        return "a formula without a value"
    if isinstance(cell, bool):
        return "a truth value" if is_id else ""
    if is_id and isinstance(cell, float) and cell.is_integer() and abs(cell) >= 10**EXACT_DIGITS:
        return f"a number of {len(str(abs(int(cell))))} digits, of which a spreadsheet keeps {EXACT_DIGITS}"
    if isinstance(cell, float):
        return f"{cell!r}" if is_id and not cell.is_integer() else ""
    return "" if isinstance(cell, str | int) else "a date or a time"


def cell_text(cell: Any) -> str:
    """The text of a cell."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
