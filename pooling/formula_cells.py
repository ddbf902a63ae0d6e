"""Cells of CSV files: what a spreadsheet would run as a formula gets an apostrophe in front, and so stays a text."""

FULL_WIDTH = ("\uff1d", "\uff0b", "\uff0d", "\uff20")  # = + - @ in the forms that some spreadsheets accept
FORMULA_STARTS = ("=", "+", "-", "@", *FULL_WIDTH, "\t", "\r", "\n", "'")


def harmless(text: str) -> str:
    """The text as a cell that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def plain(cell: str) -> str:
    """The text of a harmless cell."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA_STARTS) else cell
