"""How the address of a page arranges a table: which rows and columns it shows, and in which order.

The parameters of a table NAME:

- `find-NAME`: only rows with this text in a text column, in capital or small letters
- `sort-NAME`: the key of the column that sorts; with "-" before it, from high to low
- `rows-NAME`: how many rows are shown, or "all"
- `show-NAME`: the key of a column that is shown, once for each; without it, all are

An unknown value arranges nothing, because a list that has no such column any more is still worth showing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

FIRST_ROWS = 25
MOST_UNCUT = 40  # a table with as many rows is shown whole
STEP = 50
MOST_ROWS = 2_000  # of one page; the file has all rows
FEW_COLUMNS = 8  # with more, columns can be hidden
ALL = "all"

SortValue = tuple[int, float | str]


@dataclass(frozen=True)
class Arrangement:
    """What the address asks of one table."""

    name: str = ""
    find: str = ""
    sort: str = ""
    is_descending: bool = False
    most_rows: int = MOST_ROWS
    shown: frozenset[str] = frozenset()

    @classmethod
    def from_query(cls, name: str, query: QueryDict, n_rows: int) -> "Arrangement":
        """Return the arrangement of a table with `n_rows` rows."""
        sort = query.get(f"sort-{name}", "")
        return cls(
            name,
            find=query.get(f"find-{name}", "").strip(),
            sort=sort.removeprefix("-"),
            is_descending=sort.startswith("-"),
            most_rows=_most_rows(query.get(f"rows-{name}", ""), n_rows),
            shown=frozenset(query.getlist(f"show-{name}")),
        )

    def matches(self, texts: Iterable[str]) -> bool:
        """Return whether any of the texts contains what is looked for."""
        wanted = self.find.casefold()
        return any(wanted in text.casefold() for text in texts)

    def in_order(self, positions: Sequence[int], value: Callable[[int], Any]) -> list[int]:
        """Return the positions in the order of their values; those without a value are last."""
        values = {position: sort_value(value(position)) for position in positions}
        known = [position for position in positions if values[position] is not None]
        known.sort(key=lambda position: values[position] or (0, 0.0), reverse=self.is_descending)
        return known + [position for position in positions if values[position] is None]


def sort_value(value: Any) -> SortValue | None:
    """Return what a value is sorted by: numbers come before words. None if there is no value."""
    if value is None or value == "":
        return None
    if isinstance(value, int | float):
        return (0, float(value))
    text = str(value).replace(",", "")
    try:
        return (0, float(text))
    except ValueError:
        return (1, text.casefold())


def _most_rows(wanted: str, n_rows: int) -> int:
    if n_rows <= MOST_UNCUT or wanted == ALL:
        return MOST_ROWS
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 9):
        return FIRST_ROWS
    return min(max(int(wanted), FIRST_ROWS), MOST_ROWS)
