"""The tables of the shift pages: a frame, the columns that a page shows, and the cells as text.

A file in CSV has the whole frame, unrounded. A file in LaTeX has the columns of the page, as the page shows them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 50
SMALL_P = 0.001


@dataclass(frozen=True)
class Column:
    """A column of a page. `digits` is the number of decimals; None for texts and whole numbers.

    `reason` is the column that says why a value is missing.
    """

    key: str
    label: str
    digits: int | None = None
    reason: str | None = None
    is_text: bool = False


@dataclass(frozen=True)
class Cell:
    """A value as text, and unrounded as `value`, by which the table is sorted."""

    text: str
    value: str
    is_number: bool
    href: str = ""


@dataclass(frozen=True)
class Row:
    """The cells of a row. `select` is the value of its checkbox."""

    cells: list[Cell]
    select: int | None = None


Record = Mapping[Any, Any]  # a row of a frame
Link = Callable[[Record], str]


@dataclass(frozen=True)
class PageTable:
    """A table of a page. `links` has the columns whose cells are links."""

    name: str
    caption: str
    columns: Sequence[Column]
    data: "pd.DataFrame"
    most_rows: int = MOST_ROWS

    def rows(
        self, links: Mapping[str, Link] | None = None, select: Callable[[Record], int | None] | None = None
    ) -> list[Row]:
        """Return the first rows, as texts."""
        records = self.data.head(self.most_rows).to_dict("records")
        return [
            Row(
                [self._cell(column, record, (links or {}).get(column.key)) for column in self.columns],
                select(record) if select else None,
            )
            for record in records
        ]

    @property
    def label(self) -> str:
        return self.name

    @property
    def n_rows(self) -> int:
        return len(self.data)

    @property
    def is_cut(self) -> bool:
        return self.n_rows > self.most_rows

    def displayed(self) -> "pd.DataFrame":
        """Return all rows with the columns and the texts of the page."""
        import pandas as pd

        records = self.data.to_dict("records")
        shown = [{column.label: shown_text(column, record) for column in self.columns} for record in records]
        return pd.DataFrame(shown, columns=[column.label for column in self.columns])

    def _cell(self, column: Column, record: Record, link: Link | None) -> Cell:
        value = None if is_missing(record[column.key]) else record[column.key]
        href = link(record) if link else ""
        return Cell(shown_text(column, record), "" if value is None else str(value), not column.is_text, href)


def shown_text(column: Column, record: Record) -> str:
    """Return the value of a column as a page shows it."""
    value = record[column.key]
    if is_missing(value):
        reason = record[column.reason] if column.reason else None
        return "–" if is_missing(reason) else _undefined(str(reason))
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if column.digits is None:
        return str(value)
    if column.key.startswith("p_") and value < SMALL_P:
        return f"< {SMALL_P}"
    return f"{float(value):z.{column.digits}f}"


def is_missing(value: Any) -> bool:
    """Return whether a value of a frame is None, NA or NaN."""
    return value is None or type(value).__name__ == "NAType" or value != value


def _undefined(reason: str) -> str:
    from agreement.estimate import REASONS
    from agreement.significance.pairs import REASONS as REASONS_OF_TESTS

    return f"undefined ({(REASONS | REASONS_OF_TESTS).get(reason, reason)})"
