"""The tables of a worksheet, broken so that each part is as wide as a phone: a ranking is read from left to right, and
whoever has to scroll may take what is on the screen for the whole of it."""

from math import ceil

MOST_COLUMNS = 8


def in_parts(worksheet) -> dict:
    """What a page may know of a worksheet, each exhibit with its `parts`, one under the other."""
    told = worksheet.public_data()
    return told | {"exhibits": [exhibit | {"parts": _parts(exhibit)} for exhibit in told["exhibits"]]}


def _parts(exhibit: dict) -> list[dict]:
    """Parts of about the same width."""
    width = len(exhibit["columns"])
    size = ceil(width / ceil(width / MOST_COLUMNS))
    return [_part(exhibit, slice(start, start + size)) for start in range(0, width, size)]


def _part(exhibit: dict, columns: slice) -> dict:
    rows = [{"name": row["name"], "cells": row["cells"][columns]} for row in exhibit["rows"]]
    return {"columns": exhibit["columns"][columns], "rows": rows}
