"""Names the rows in which two versions of a file differ."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest

from assess.releases.changes import grades_in
from pooling.errors import shown

Cells = Mapping[str, str]
Rows = Mapping[tuple[str, ...], Cells]
MOST = 20  # differences named for one file
KEYS: dict[str, tuple[str, ...]] = {
    "qrels.txt": ("query_id", "doc_id"),
    "judgements.csv": ("assessor", "query_id", "doc_id", "repeat", "adjudicated"),
    "topics.jsonl": ("query_id",),
    "pool.jsonl": ("query_id", "doc_id"),
    "runs.jsonl": ("system",),
    "scale.jsonl": ("value",),
}
FIRST = ("repeat", "0")  # goes without saying
WORDS = {"query_id": "topic", "doc_id": "document", "assessor": "judge", "relevance": "grade", "value": "grade"}


def file_differences(name: str, released: bytes, database: bytes) -> Iterator[str]:
    """Yield sentences on how a file of the release differs from the one computed from the database."""
    if released == database:
        return
    try:
        differences = list(_differences(name, released, database))
    except (ValueError, KeyError, RecursionError, csv.Error):  # the file is damaged, and has no rows to compare
        differences = []
    if not differences:
        differences = [_first_line(released, database)]
    yield from (f"{name}: {difference}" for difference in differences[:MOST])
    if len(differences) > MOST:
        yield f"{name}: {len(differences) - MOST:,} further differences."


def _differences(name: str, released: bytes, database: bytes) -> Iterator[str]:
    if name.endswith(".json"):
        yield from _figure_differences(dict(_figures(json.loads(released))), dict(_figures(json.loads(database))))
    if name not in KEYS:
        return
    keys = KEYS[name]
    reader = _qrels_rows if name == "qrels.txt" else (_csv_rows if name.endswith(".csv") else _json_rows)(keys)
    old, new = reader(released), reader(database)
    for key in sorted(old.keys() | new.keys()):
        words = " ".join(_words(*part) for part in zip(keys, key, strict=True) if part[1] and part != FIRST)
        yield from (f"{words} {difference}." for difference in _row_differences(old.get(key), new.get(key)))


def _figure_differences(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for path in sorted(old.keys() | new.keys()):
        if path not in new or path not in old:
            yield f"{path} is only in the {'release' if path in old else 'figures from the database'}."
        elif old[path] != new[path]:
            yield f"{path} is {_text(old[path])} in the release and {_text(new[path])} in the database."


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


def _row_differences(old: Cells | None, new: Cells | None) -> Iterator[str]:
    if old is None or new is None:
        yield "is in the release and not in the database" if old else "is in the database and not in the release"
        return
    for column in sorted(old.keys() | new.keys()):
        before, after = old.get(column, ""), new.get(column, "")
        if before != after:
            yield f"has {WORDS.get(column, column)} {_text(before)} in the release and {_text(after)} in the database"


def _text(cell: str) -> str:
    return cell if cell and cell.isascii() and cell.replace(".", "").isalnum() and len(cell) < 40 else shown(cell)


def _qrels_rows(content: bytes) -> Rows:
    return {pair: {"relevance": grade} for pair, grade in grades_in(content).items()}


def _csv_rows(keys: tuple[str, ...]) -> Callable[[bytes], Rows]:
    def rows(content: bytes) -> Rows:
        reader = csv.DictReader(io.StringIO(content.decode(), newline=""))
        return {tuple(row[key] for key in keys): row for row in reader}

    return rows


def _json_rows(keys: tuple[str, ...]) -> Callable[[bytes], Rows]:
    def rows(content: bytes) -> Rows:
        parsed = map(json.loads, content.decode().splitlines())
        texts = [{name: _json_text(value) for name, value in row.items()} for row in parsed]
        return {tuple(row[key] for key in keys): row for row in texts}

    return rows


def _json_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _first_line(released: bytes, database: bytes) -> str:
    lines = zip_longest(released.split(b"\n"), database.split(b"\n"))
    number = next(number for number, (old, new) in enumerate(lines, start=1) if old != new)
    return f"it differs from the one computed from the database, first in line {number:,}."
