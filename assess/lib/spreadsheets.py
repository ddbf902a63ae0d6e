"""Tables for a spreadsheet: numbers are numbers, and a text is a text even where it looks like a formula."""

import io
import re
from collections.abc import Iterable, Sequence

from assess.judging.judgement_csv import FORMULA_STARTS

# What XML cannot hold; a spreadsheet would refuse the whole file.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LONGEST = 32_767  # characters of a cell
LARGEST = 2**53  # numbers beyond it lose digits


def xlsx(title: str, header: Sequence[str], rows: Iterable[Sequence]) -> bytes:
    """One sheet as an .xlsx file."""
    from openpyxl import Workbook  # takes a while: only where a table is taken away

    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\']", " ", title)[:31])
    sheet.freeze_panes = "A2"
    for row in (header, *rows):
        sheet.append([_cell(sheet, value) for value in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(sheet, value):
    from openpyxl.cell import WriteOnlyCell

    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST:
        return value
    text = UNWRITABLE.sub("\ufffd", str(value))[:LONGEST]
    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"  # openpyxl would make a formula of whatever begins with =
    if text.startswith(FORMULA_STARTS):
        cell.quotePrefix = True  # a text also after somebody edits it
    return cell
