"""The tables that a page shows, and whether they say what a CSV file says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


@dataclass
class Cell:
    """`value` is the cell's unrounded value, if the page states it."""

    text: str = ""
    value: str | None = None


@dataclass
class ShownTable:
    """`columns` are (key, kind), both empty if the column has none."""

    columns: list[tuple[str, str]] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)

    def texts(self) -> list[list[str]]:
        return [[cell.text for cell in row] for row in self.rows]

    def __getitem__(self, key: str) -> list[str]:
        """The texts of a column; of the first one if several have the key."""
        at = [name for name, _ in self.columns].index(key)
        return [row[at].text for row in self.rows]


class _Parser(HTMLParser):
    def __init__(self, html: str):
        super().__init__()
        self.tables: dict[str, ShownTable] = {}
        self._table: ShownTable | None = None
        self._cell: Cell | None = None
        self._in_head = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "table":
            self._table = self.tables.setdefault(attributes.get("data-table", ""), ShownTable())
        elif tag == "thead":
            self._in_head = True
        elif self._table is None:
            return
        elif tag == "tr" and not self._in_head:
            self._table.rows.append([])
        elif tag in ("td", "th") and self._in_head:
            self._table.columns.append((attributes.get("data-key", ""), attributes.get("data-kind", "")))
        elif tag in ("td", "th"):
            self._cell = Cell(value=attributes.get("data-value"))
            self._table.rows[-1].append(self._cell)

    def handle_endtag(self, tag):
        if tag == "thead":
            self._in_head = False
        elif tag == "table":
            self._table = None
        elif tag in ("td", "th") and self._cell:
            self._cell.text = " ".join(self._cell.text.split())
            self._cell = None

    def handle_data(self, data):
        if self._cell:
            self._cell.text += data.replace("−", "-")  # test_arranged_tables tests the sign


def tables_of(html: str) -> dict[str, ShownTable]:
    """Return the tables with a name. A row that says that there is nothing is left out."""
    tables = {name: table for name, table in _Parser(html).tables.items() if name}
    for table in tables.values():
        table.rows = [row for row in table.rows if len(row) == len(table.columns)]
    return tables


def check_table(shown: ShownTable, lines: Sequence[Mapping[str, str]]) -> int:
    """Compare the rows of a table with the first lines of a CSV file. Return the number of cells that were compared."""
    keys = [(at, key, kind) for at, (key, kind) in enumerate(shown.columns) if key and kind != "range"]
    for row, line in zip(shown.rows, lines, strict=False):
        for at, key, kind in keys:
            cell = row[at]
            if cell.value is not None:
                assert cell.value == line[key], (key, line)
            if kind in ("rich", "topic"):  # the cell has more than the value
                assert line[key] in cell.text, (key, line)
            else:
                assert says(cell.text, line, key), (key, cell.text, line)
    return len(shown.rows) * len(keys)


def says(text: str, line: Mapping[str, str], key: str) -> bool:
    """Whether a text is the rounded value of a line, with its farther limit if there is an interval."""
    value, low, high = line[key], line.get(f"{key}_low"), line.get(f"{key}_high")
    if "±" in text:
        text, _, reach = text.partition(" ±")
        farther = max(float(value) - float(low), float(high) - float(value))
        if float(reach) != pytest.approx(farther, abs=0.005 + 1e-12):
            return False
    elif value and low and high:
        return False
    if not value:
        return text in ("", "–") or text.startswith("undefined (")
    if value in ("True", "False"):
        return text == {"True": "yes", "False": "no"}[value]
    if text.startswith("<"):
        return float(value) < 0.001
    if text.startswith("a tie of "):
        return text == f"a tie of {len(value.split(' '))} systems"
    if not NUMBER.fullmatch(value):
        return text == value or (value.startswith(text.replace(" ", "T")[:10]) and text in value.replace("T", " "))
    shown = text.replace(",", "").replace("−", "-").rstrip("*")  # a star marks the best group of a leaderboard
    return float(shown) == pytest.approx(float(value), abs=0.5 * 10 ** -len(shown.partition(".")[2]) + 1e-12)
