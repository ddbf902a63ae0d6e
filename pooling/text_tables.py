r"""Tables and text as plain text, Markdown, LaTeX or CSV; columns of numbers are aligned to the right.

In CSV, a text that a spreadsheet would run as a formula gets an apostrophe in front.

LaTeX tables are plain `tabular` with `\hline` and need no package. Special characters of LaTeX are escaped, and a minus
is typeset as one.
"""

import re
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from pooling.choices import TABLE_STYLES
from pooling.formula_cells import harmless

INTERVAL = re.compile(r"\[-?[0-9.]+, -?[0-9.]+\]")
MIN_WIDTH = 2  # the rule of a Markdown column needs a dash and a colon
STYLES = TABLE_STYLES

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # at the start of a row it would be the optional argument of the previous row
    "\n": " ",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render(frame: pd.DataFrame, style: str = "plain") -> str:
    """A table as text without final line break."""
    _check_style(style)
    columns = [[str(name), *map(_cell, frame[name])] for name in frame]
    right = [all(cell[:1] in "0123456789-" for cell in column[1:]) for column in columns]
    if style == "latex":
        return _tabular(columns, right)
    if style == "markdown":
        columns = [[cell.replace("|", r"\|").replace("\n", " ") for cell in column] for column in columns]
    min_width = MIN_WIDTH if style == "markdown" else 1
    widths = [max(min_width, *map(len, column)) for column in columns]
    padded = [_padded(*column) for column in zip(columns, widths, right, strict=True)]
    header, *rows = zip(*padded, strict=True)
    if style == "plain":
        rule = ["-" * width for width in widths]
        return "\n".join("  ".join(cells).rstrip() for cells in [header, rule, *rows])
    rule = ["-" * (width - 1) + (":" if flush else "-") for width, flush in zip(widths, right, strict=True)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [header, rule, *rows])


def csv_table(frame: pd.DataFrame) -> str:
    """A table as CSV without its index. Texts are harmless, numbers are not rounded, and NA is empty.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.text_tables import csv_table
    >>> csv_table(pd.DataFrame({"system": ["bm25", "=1+1"], "change": [0.25, -0.25]})).splitlines()
    ['system,change', 'bm25,0.25', "'=1+1,-0.25"]
    """
    safe = {harmless(str(name)): _harmless_cells(frame[name]) for name in frame}
    return pd.DataFrame(safe).to_csv(index=False, lineterminator="\n")


def _harmless_cells(cells: "pd.Series[Any]") -> "pd.Series[Any]":
    if is_numeric_dtype(cells):
        return cells
    return cells.astype(object).map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)


def rounded(frame: pd.DataFrame, digits: int = 3) -> pd.DataFrame:
    """The cells as text: fractions with `digits` decimals, booleans as yes and no, NA as an empty string."""
    return pd.DataFrame(
        {str(name).replace("_", " "): [_text_of(value, digits) for value in frame[name]] for name in frame}
    )


def heading(text: str, style: str) -> str:
    """A heading in one of the styles; ValueError if the style is unknown."""
    _check_style(style)
    if style == "latex":
        return rf"\paragraph{{{latex(text)}}}"
    return f"## {text}" if style == "markdown" else text


def prose(text: str, style: str) -> str:
    """A paragraph in one of the styles, with its line breaks; ValueError if the style is unknown."""
    _check_style(style)
    return "\n".join(map(latex, text.split("\n"))) if style == "latex" else text


def latex(text: str) -> str:
    """Text with the special characters of LaTeX escaped."""
    return "".join(LATEX.get(character, character) for character in text)


def _tabular(columns: list[list[str]], right: list[bool]) -> str:
    sides = ["r" if flush else "l" for flush in right]
    typeset = {"r": _number, "l": _text}
    escaped = [[typeset[side](cell) for cell in column] for column, side in zip(columns, sides, strict=True)]
    header, *rows = (rf"{' & '.join(cells)} \\" for cells in zip(*escaped, strict=True))
    alignment = "".join(sides)
    body = [rf"\begin{{tabular}}{{{alignment}}}", r"\hline", header, r"\hline", *rows, r"\hline", r"\end{tabular}"]
    return "\n".join(body)


def _number(cell: str) -> str:
    minus = cell.startswith("-") and cell[1:2].isdigit()
    return f"$-${latex(cell[1:])}" if minus else latex(cell)


def _text(cell: str) -> str:
    """Text, or an interval such as [-0.1, 0.2] with a minus that is typeset as one."""
    return re.sub(r"-(?=\d)", "$-$", latex(cell)) if INTERVAL.fullmatch(cell) else latex(cell)


def _check_style(style: str) -> None:
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, not {style!r}.")


def _cell(value: Any) -> str:
    return "" if pd.isna(value) else str(value)


def _padded(cells: list[str], width: int, right: bool) -> list[str]:
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]


def _text_of(value: Any, digits: int) -> str:
    if pd.isna(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return f"{value:z.{digits}f}" if isinstance(value, float) else str(value)
