"""Tables as .xlsx files. Numbers stay numbers; a text stays a text even if it looks like a formula."""

import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pooling.formula_cells import FORMULA_STARTS
from pooling.xml_characters import for_xml

LONGEST = 32_767  # characters of a cell
LARGEST = 2**53  # numbers beyond it lose digits


def xlsx(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a file with one sheet."""
    from openpyxl import Workbook  # slow to import, so only where a table is downloaded

    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\']", " ", title)[:31])
    sheet.freeze_panes = "A2"
    for row in (header, *rows):
        sheet.append([_cell(sheet, value) for value in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(sheet: Any, value: object) -> Any:
    from openpyxl.cell import WriteOnlyCell

    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST:
        return value
    text = for_xml(str(value))[:LONGEST]
    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"  # otherwise openpyxl turns text that begins with = into a formula
    if text.startswith(FORMULA_STARTS):
        cell.quotePrefix = True  # stays a text when somebody edits the cell
    return cell
