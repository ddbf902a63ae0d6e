"""A table as a page shows it: arranged as the address says, with the addresses that arrange it otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from django.http import HttpRequest, QueryDict
from django.utils.safestring import SafeString, mark_safe

from assess.models import Collection
from assess.web.figures.arrangement import ALL, FEW_COLUMNS, FIRST_ROWS, MOST_ROWS, MOST_UNCUT, STEP, Arrangement
from assess.web.figures.names import Names, names_of

PARTS = ("find", "sort", "rows", "show")


class ShownColumn(Protocol):
    """What a heading needs to know of a column."""

    @property
    def name(self) -> str: ...
    @property
    def heading(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def is_text(self) -> bool: ...
    @property
    def is_hidden(self) -> bool: ...
    @property
    def key(self) -> str: ...


class Arrangeable(Protocol):
    """A table that can be filtered, sorted and cut. Its `list_name` is empty if the address does not arrange it."""

    columns: Sequence[Any]

    @property
    def list_name(self) -> str: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def is_fixed(self) -> bool: ...
    def arranged_rows(self, arrangement: Arrangement, names: Names) -> tuple[int, list[list[str]]]: ...


@dataclass(frozen=True)
class Heading:
    """The heading of a column. `address` sorts by it, and is empty if a script sorts, or nothing does."""

    column: Any
    address: str
    direction: str


@dataclass(frozen=True)
class Arranged:
    """A table with what its address asks for. `query` is None if the page cannot be asked again."""

    table: Arrangeable
    query: QueryDict | None
    path: str
    names: Names

    @cached_property
    def arrangement(self) -> Arrangement:
        if self.query is None:
            return Arrangement()
        return Arrangement.from_query(self.name, self.query, self.table.n_rows)

    @property
    def name(self) -> str:
        return self.table.list_name

    @property
    def find(self) -> str:
        return self.arrangement.find

    @property
    def is_arranged(self) -> bool:
        return self.query is not None and (self.has_filter or self.has_choices)

    @property
    def has_filter(self) -> bool:
        return self.table.n_rows > FIRST_ROWS

    @property
    def has_choices(self) -> bool:
        """Whether columns can be hidden."""
        return len(self.table.columns) > FEW_COLUMNS

    @property
    def has_links(self) -> bool:
        """Whether headings are links, because the page does not have all rows that they sort."""
        return self.query is not None and self.table.n_rows > MOST_UNCUT and not self.table.is_fixed

    @property
    def is_long(self) -> bool:
        return len(self.rows) > FIRST_ROWS

    @cached_property
    def _found(self) -> tuple[int, list[list[str]]]:
        return self.table.arranged_rows(self.arrangement, self.names)

    @property
    def n_found(self) -> int:
        return self._found[0]

    @cached_property
    def _visible(self) -> list[int]:
        """The numbers of the columns that are shown. The first one always is."""
        columns, shown = self.table.columns, self.arrangement.shown
        known = shown & {column.key for column in columns} if self.has_choices else frozenset()
        return [number for number, column in enumerate(columns) if number == 0 or not known or column.key in known]

    @cached_property
    def rows(self) -> list[SafeString]:
        """The cells of each shown row; a box before them is always shown."""
        n_boxes = 1 if getattr(self.table, "has_boxes", False) else 0
        kept = [*range(n_boxes), *(number + n_boxes for number in self._visible)]
        return [mark_safe("".join(row[number] for number in kept)) for row in self._found[1]]  # noqa: S308 - escaped

    @property
    def headings(self) -> list[Heading]:
        return [self._heading(self.table.columns[number]) for number in self._visible]

    def _heading(self, column: ShownColumn) -> Heading:
        if not self.has_links or column.is_hidden or column.kind == "range":
            return Heading(column, "", "")
        is_sorted = column.key == self.arrangement.sort
        if not is_sorted:
            return Heading(column, self._address(sort=column.key), "")
        is_up = not self.arrangement.is_descending
        direction = "ascending" if is_up else "descending"
        return Heading(column, self._address(sort=f"-{column.key}" if is_up else column.key), direction)

    @property
    def choices(self) -> list[tuple[str, str, bool]]:
        """Key and heading of each column but the first, and whether it is shown."""
        columns, visible = self.table.columns, set(self._visible)
        return [(columns[number].key, columns[number].heading, number in visible) for number in range(1, len(columns))]

    @property
    def first_key(self) -> str:
        key: str = self.table.columns[0].key
        return key

    @property
    def n_more(self) -> int:
        """How many rows the next address adds; 0 if all others are few."""
        n_left = min(self.n_found, MOST_ROWS) - len(self.rows)
        return STEP if n_left > STEP or (self.n_found > MOST_ROWS and n_left > 0) else 0

    @property
    def more_address(self) -> str:
        return self._address(rows=str(len(self.rows) + self.n_more)) if self.n_more else ""

    @property
    def all_address(self) -> str:
        """The address of all rows; empty if they are shown, or are too many."""
        is_possible = len(self.rows) < self.n_found <= MOST_ROWS
        return self._address(rows=ALL) if is_possible else ""

    @property
    def first_address(self) -> str:
        """The address of the first rows again; empty if no others are shown."""
        is_possible = self.query is not None and len(self.rows) > FIRST_ROWS and self.table.n_rows > MOST_UNCUT
        return self._address(rows="") if is_possible else ""

    @property
    def kept(self) -> list[tuple[str, str]]:
        """The parameters that the form of the table keeps."""
        own = {f"find-{self.name}", f"show-{self.name}"}
        lists = self.query.lists() if self.query is not None else ()
        return [(name, value) for name, values in lists if name not in own for value in values]

    def _address(self, **changes: str) -> str:
        if self.query is None:
            return ""
        query = self.query.copy()
        for part, value in changes.items():
            query.pop(f"{part}-{self.name}", None)
            if value:
                query[f"{part}-{self.name}"] = value
        return f"{self.path}?{query.urlencode()}"


def arranged(table: Arrangeable, request: HttpRequest | None, collection: Collection | None) -> Arranged:
    """Return a table as the request asks for it.

    The answer to a form has no address, so that it shows all rows in their own order.
    """
    is_addressed = request is not None and request.method in ("GET", "HEAD") and table.list_name
    path = request.path if request is not None else ""
    return Arranged(table, request.GET if request and is_addressed else None, path, names_of(collection))
