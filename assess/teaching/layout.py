"""Splits the wide tables of a worksheet into parts that fit on a phone.

A ranking is read from left to right. A student who has to scroll may not notice that the table continues.
"""

from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agreement.exercises.worksheets.worksheet import Worksheet

MAX_COLUMNS = 8


def split_tables(worksheet: "Worksheet") -> dict[str, Any]:
    """Return what a page may show of a worksheet, each table with its `parts`."""
    content = worksheet.public_data()
    return content | {"exhibits": [table | {"parts": _parts(table)} for table in content["exhibits"]]}


def _parts(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return parts of about the same width."""
    width = len(table["columns"])
    size = ceil(width / ceil(width / MAX_COLUMNS))
    return [_part(table, slice(start, start + size)) for start in range(0, width, size)]


def _part(table: dict[str, Any], columns: slice) -> dict[str, Any]:
    rows = [{"name": row["name"], "cells": row["cells"][columns]} for row in table["rows"]]
    return {"columns": table["columns"][columns], "rows": rows}
