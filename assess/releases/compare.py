"""Names the rows in which a file of a release differs from the one that is computed again. Loads no Django."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from assess.releases.changes import grades_in
from pooling.errors import shown
from pooling.formats.fields import LARGEST_CELL
from pooling.words import count

Cells = Mapping[str, str]


class Row(NamedTuple):
    """The cells of a row by column, and its first line."""

    cells: Cells
    line: int


Rows = Mapping[tuple[str, ...], Row]
MOST = 20  # differences named for one file
KEYS: dict[str, tuple[str, ...]] = {
    "qrels.txt": ("query_id", "doc_id"),
    "judgements.csv": ("assessor", "query_id", "doc_id", "repeat", "adjudicated"),
    "displayed.csv": ("judge", "query_id", "doc_id", "repeat", "adjudicated"),
    "topics.jsonl": ("query_id",),
    "pool.jsonl": ("query_id", "doc_id"),
    "runs.jsonl": ("system",),
    "scale.jsonl": ("value",),
}
FIRST = ("repeat", "0")  # what a judgement has by default
WORDS = {"query_id": "topic", "doc_id": "document", "assessor": "judge", "relevance": "grade", "value": "grade"}


DATABASE, JUDGEMENTS = "in the database", "computed from its judgements"  # where the other version of a file is from


class Difference(NamedTuple):
    """What a file has and what was expected; None if it is missing there.

    `place` is a row or a figure, and `what` a column. Without a place, the file differs as a whole, and `found` is a
    sentence. `line` is a line of the file, if it is known.
    """

    file: str
    place: str = ""
    what: str = ""
    found: str | None = None
    expected: str | None = None
    line: int | None = None
    source: str = ""  # of the expected value, if it is not that of the other differences

    def sentence(self, source: str = DATABASE, with_line: bool = False) -> str:
        """Return the difference as a sentence; `source` says where the expected value is from."""
        line = f", line {self.line:,}" if with_line and self.line else ""
        return f"{self.file}{line}: {self._text(self.source or source)}"

    def _text(self, source: str) -> str:
        if not self.place:
            return self.found or ""
        if self.expected is None:
            return f"{self.place} is in the release and not {source}."
        if self.found is None:
            return f"{self.place} is {source} and not in the release."
        verb = f"has {self.what}" if self.what else "is"
        return f"{self.place} {verb} {_text(self.found)} in the release and {_text(self.expected)} {source}."


def file_differences(name: str, released: bytes, database: bytes) -> Iterator[str]:
    """Yield sentences on how a file of the release differs from the one computed from the database."""
    differences = differences_of(name, released, database)
    yield from (difference.sentence() for difference in differences[:MOST])
    if len(differences) > MOST:
        yield f"{name}: {count(len(differences) - MOST, 'further difference')}."


def differences_of(name: str, released: bytes, computed: bytes, source: str = DATABASE) -> list[Difference]:
    """Return how a file of the release differs from the computed one."""
    if released == computed:
        return []
    try:
        differences = list(_differences(name, released, computed))
    except (ValueError, KeyError, TypeError, RecursionError, csv.Error):  # damaged: it has no rows to compare
        differences = []
    return differences or [_first_line(name, released, computed, source)]


def _differences(name: str, released: bytes, computed: bytes) -> Iterator[Difference]:
    if name.endswith(".json"):
        yield from figure_differences(name, released, computed)
    if name not in KEYS:
        return
    keys = KEYS[name]
    reader = _qrels_rows if name == "qrels.txt" else (_csv_rows if name.endswith(".csv") else _json_rows)(keys)
    old, new = reader(released), reader(computed)
    for key in sorted(old.keys() | new.keys()):
        words = " ".join(_words(*part) for part in zip(keys, key, strict=True) if part[1] and part != FIRST)
        yield from _row_differences(name, words, old.get(key), new.get(key))


def figure_differences(name: str, released: bytes, computed: bytes) -> Iterator[Difference]:
    """Yield the values of a JSON file that differ."""
    old, new = dict(_figures(json.loads(released))), dict(_figures(json.loads(computed)))
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) != new.get(path):
            yield Difference(name, path, "", old.get(path), new.get(path))


def _figures(content: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every value of a JSON file with its path, such as `("pairs.0.kappa", "0.5")`."""
    if isinstance(content, dict):
        parts: Iterable[tuple[object, object]] = content.items()
    elif isinstance(content, list):
        parts = enumerate(content)
    else:
        yield path, _json_text(content)
        return
    for key, value in parts:
        yield from _figures(value, f"{path}.{key}" if path else str(key))


def _words(part: str, cell: str) -> str:
    return f"{WORDS.get(part, part)} {shown(cell)}"


def _row_differences(name: str, words: str, old: Row | None, new: Row | None) -> Iterator[Difference]:
    if old is None or new is None:
        yield Difference(name, words, "", old and "present", new and "present", old.line if old else None)
        return
    for column in sorted(old.cells.keys() | new.cells.keys()):
        before, after = old.cells.get(column, ""), new.cells.get(column, "")
        if before != after:
            yield Difference(name, words, WORDS.get(column, column), before, after, old.line)


def _text(cell: str) -> str:
    return cell if cell and cell.isascii() and cell.replace(".", "").isalnum() and len(cell) < 40 else shown(cell)


def _qrels_rows(content: bytes) -> Rows:
    grades = grades_in(content)
    return {pair: Row({"relevance": grade}, line) for line, (pair, grade) in enumerate(grades.items(), start=1)}


def _csv_rows(keys: tuple[str, ...]) -> Callable[[bytes], Rows]:
    def rows(content: bytes) -> Rows:
        csv.field_size_limit(LARGEST_CELL)
        reader = csv.DictReader(io.StringIO(content.decode(), newline=""))
        return {tuple(row[key] for key in keys): Row(row, reader.line_num) for row in reader}

    return rows


def _json_rows(keys: tuple[str, ...]) -> Callable[[bytes], Rows]:
    def rows(content: bytes) -> Rows:
        parsed = map(json.loads, content.decode().splitlines())
        texts = [{name: _json_text(value) for name, value in row.items()} for row in parsed]
        return {tuple(row[key] for key in keys): Row(row, line) for line, row in enumerate(texts, start=1)}

    return rows


def _json_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _first_line(name: str, released: bytes, computed: bytes, source: str) -> Difference:
    lines = zip_longest(released.split(b"\n"), computed.split(b"\n"))
    number = next(number for number, (old, new) in enumerate(lines, start=1) if old != new)
    from_where = "computed from the database" if source == DATABASE else source
    return Difference(name, found=f"it differs from the one {from_where}, first in line {number:,}.", line=number)
