"""Any result as a report: text (plain, Markdown, LaTeX), CSV tables, JSON.

A result has `summary()`, the sentence that answers its question, and `tables()`, every table by name, unrounded:
`RankingShift`, `MixedGolds`, `WhySwapped`, `Leverage`. Text is rounded to three digits, here and nowhere before, and
shows the first rows of long tables; CSV and JSON are not rounded and hold every row.
"""

import json
from typing import Protocol

import numpy as np
import pandas as pd

from agreement.reports.tables import heading, prose, render

ROWS = 25


class Result(Protocol):
    """A result that can be reported."""

    def summary(self) -> str:
        """The sentence that answers the question."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Each table by name, not rounded."""


def result_text(result, style: str = "plain", rows: int | None = ROWS) -> str:
    """The sentence and the tables.

    Parameters
    ----------
    result
        Any with `summary()` and `tables()`.
    style : {"plain", "markdown", "latex"}
    rows : int or None
        At most so many rows of a table, and a line that says how many there are; None for all.

    Raises
    ------
    ValueError
        An unknown style.
    """
    parts = [prose(result.summary(), style)]
    for name, table in result.tables().items():
        parts += [heading(name.replace("_", " ").capitalize(), style), render(rounded(table[:rows]), style)]
        if rows is not None and len(table) > rows:
            parts.append(prose(f"The first {rows} of {len(table)} rows.", style))
    return "\n\n".join(parts) + "\n"


def result_csv(result) -> dict[str, str]:
    """Every table as CSV, by its name."""
    return {name: table.to_csv(index=False, lineterminator="\n") for name, table in result.tables().items()}


def result_json(result) -> str:
    """The sentence and every table as a list of rows; what is undefined is null."""
    tables = {name: records(table) for name, table in result.tables().items()}
    return json.dumps({"summary": result.summary(), **tables}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def records(frame: pd.DataFrame) -> list[dict]:
    """The rows of a table, as JSON can hold them; None where a cell is NA."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def rounded(frame: pd.DataFrame, digits: int = 3) -> pd.DataFrame:
    """The cells as text: fractions with `digits`, truth as yes and no, NA as nothing."""
    return pd.DataFrame({name.replace("_", " "): [_cell(value, digits) for value in frame[name]] for name in frame})


def _cell(value, digits: int) -> str:
    if pd.isna(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return f"{value:z.{digits}f}" if isinstance(value, float) else str(value)
