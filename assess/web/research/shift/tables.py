"""The tables of the shift pages: columns with a number of decimals, sorted by their unrounded values.

A file in CSV has the whole frame, unrounded. A file in LaTeX has the columns of the page, as the page shows them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assess.web.figures.tables import SMALL_P, Column, Table

if TYPE_CHECKING:
    import pandas as pd

MOST_NAMES = 3

Record = Mapping[Any, Any]  # a row of a frame
Link = Callable[[Record], str]


@dataclass(frozen=True)
class _Column(Column):
    """A column whose numbers have `digits` decimals; None for texts and whole numbers.

    `reason` is the column that says why a value is missing.
    """

    digits: int | None = None
    reason: str | None = None

    def text(self, row: Record) -> str:
        value = row[self.name]
        if value is None:
            reason = row[self.reason] if self.reason else None
            return "–" if reason is None else _undefined(str(reason))
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.digits is None:
            return f"{value:,}" if isinstance(value, int) else str(value)
        if self.name.partition("_")[0] == "p" and value < SMALL_P:
            return f"< {SMALL_P}"
        return f"{float(value):z.{self.digits}f}"

    def sort_value(self, row: Record) -> str:
        return "" if row[self.name] is None else str(row[self.name])


def column(
    name: str, heading: str, digits: int | None = None, reason: str | None = None, *, is_text: bool = False
) -> Column:
    return _Column(name, heading, "text" if is_text else "number", digits=digits, reason=reason)


def text(name: str, heading: str, kind: str = "text") -> Column:
    return _Column(name, heading, kind)


TOPIC = text("query_id", "topic", "topic")


class _Best(Column):
    """The systems at rank 1, or their number if there are many."""

    def text(self, row: Record) -> str:
        names = row[self.name]
        return super().text(row) if names is None else best_systems(names)


def best(name: str, heading: str) -> Column:
    return _Best(name, heading, "text")


def best_systems(names: str) -> str:
    """Return the names of the systems at rank 1, or their number if there are many."""
    systems = names.split(" ")
    return ", ".join(systems) if len(systems) <= MOST_NAMES else f"a tie of {len(systems)} systems"


def system(name: str, heading: str) -> Column:
    return text(name, heading, "system")


SYSTEM = system("system", "system")


def page_table(name: str, caption: str, columns: Sequence[Column], data: "pd.DataFrame") -> Table:
    return Table(name, data, columns, caption, label=name, is_wide=True)


def _undefined(reason: str) -> str:
    from agreement.reasons import REASONS
    from agreement.significance.pairs import REASONS as REASONS_OF_TESTS  # loads pandas

    return f"undefined ({(REASONS | REASONS_OF_TESTS).get(reason, reason)})"
