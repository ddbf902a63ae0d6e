"""What an uploaded file is, and its first rows, as the page shows them before anything is imported."""

import csv
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pooling
from assess.errors import Refused
from assess.models import ImportKind, Upload
from assess.transfer.pool import MAX_BYTES
from assess.transfer.uploads.found import found_in
from assess.transfer.uploads.storage import content_path
from pooling._io.streams import open_input
from pooling.errors import FormatError
from pooling.formats.courses.doccano import read_labels
from pooling.formats.courses.teaching_ir import read_teaching_ir_pool
from pooling.formats.fields import SEPARATORS
from pooling.formats.irds import irds_qrels
from pooling.formats.smart.shapes import qrels_form
from pooling.formats.zip_kinds import ZIP, user_files, zip_kind
from pooling.paths import irds_id

ROWS = 5
MAX_CELL = 200  # characters
SAMPLE_BYTES = 1 << 16
MAX_SHEET = 32 * 2**20  # bytes; the first rows of a larger spreadsheet are not shown
RUN_COLUMNS = ["query_id", "Q0", "doc_id", "rank", "score", "system"]
CLASSIC_COLUMNS = {
    "listed": ["query_id", "doc_id", "column 3", "column 4"],
    "graded": ["query_id", "doc_id", "relevance"],
}
RANK_COLUMNS = ["query_id", "doc_id", "rank"]  # of MS MARCO
QRELS_COLUMNS = ["query_id", "iteration", "doc_id", "relevance"]

Table = dict[str, Any]


def recognise_upload(upload: Upload) -> None:
    """Set kind, format, label, error and first rows of an upload, without saving it."""
    upload.kind = upload.format = upload.label = upload.error = ""
    upload.first_rows = {}
    path = content_path(upload)
    try:
        found = pooling.recognise(path, name=upload.name)
        upload.kind, upload.format, upload.label = found.kind, found.format, found.label
        upload.first_rows = _look(path, upload.name, found.kind)
    except FormatError as error:
        upload.error = _clean(f"{error}.", 1_000)


def set_kind(upload: Upload, kind: str) -> None:
    """Read a file as another kind than the recognised one, without saving the upload."""
    if kind == upload.kind:
        return
    if upload.is_data_set:
        raise Refused(f"{upload.name} is added as {upload.kind}. Remove it, and add {kind} of the data set instead.")
    upload.kind, upload.error, upload.first_rows = kind, "", {}
    upload.format, upload.label = "", f"{ImportKind(kind).label}, as you chose"
    try:
        upload.first_rows = _look(content_path(upload), upload.name, kind)
    except FormatError as error:
        upload.error = _clean(f"{error}.", 1_000)


def _look(path: Path, name: str, kind: str) -> Table:
    """Return the first rows of a file, with how much it has."""
    table = first_rows(path, name, kind)
    try:
        return table | {"found": found_in(path, name, kind)}
    except FormatError:  # below the first rows; the check names the line
        return table


def first_rows(path: Path, name: str, kind: str) -> Table:
    """Return the columns and first rows of a file. Raises FormatError if they are invalid."""
    table = _READERS[kind](path, name)
    return table | {"rows": [[_clean(cell, MAX_CELL) for cell in row] for row in table["rows"]]}


def _topics(path: Path, name: str) -> Table:
    frame = pooling.read_topics(path, name=name, notes=[]).head(ROWS)
    return {"columns": list(frame.columns), "rows": frame.to_numpy().tolist()}


def _documents(path: Path, name: str) -> Table:
    documents = islice(pooling.read_documents(path, name=name, notes=[]), ROWS)
    return {"columns": ["doc_id", "title", "text"], "rows": [[d.doc_id, d.title, d.text] for d in documents]}


def _runs(path: Path, name: str) -> Table:
    if _sample(path, name).startswith(ZIP):
        return {"columns": ["files"], "rows": [[each] for each in _entries(path)]}
    rows = [line.split(None, 5) for line in _lines(path, name)]
    is_ranked = bool(rows) and len(rows[0]) == len(RANK_COLUMNS)
    return {"columns": RANK_COLUMNS if is_ranked else RUN_COLUMNS, "rows": rows}


def _pool(path: Path, name: str) -> Table:
    pairs = read_teaching_ir_pool(_content(path, name), name)
    return {"columns": ["query_id", "doc_id"], "rows": [list(pair) for pair in pairs[:ROWS]]}


def _scale(path: Path, name: str) -> Table:
    grades = read_labels(_content(path, name), name)
    return {"columns": ["grade", "name"], "rows": [[f"{grade.value}", grade.name] for grade in grades]}


def _content(path: Path, name: str) -> bytes:
    with open_input(path, max_bytes=MAX_BYTES, name=name) as stream:
        return stream.read()


def _judgements(path: Path, name: str) -> Table:
    """The first rows; of a table, the names of its columns, which the user can choose."""
    sample = _sample(path, name)
    form = zip_kind(sample)
    if form == "judgement_sheet":
        return _table(_sheet_rows(path, name))
    if form:
        return {"columns": ["files"], "rows": [[each] for each in _entries(path)]}
    lines = list(_lines(path, name))
    if columns := CLASSIC_COLUMNS.get(qrels_form("\n".join(lines)) or ""):
        return {"columns": columns, "rows": [line.split() for line in lines]}
    if lines and lines[0].lstrip()[:1] in ("{", "["):
        return {"columns": ["content"], "rows": [[line] for line in lines]}
    separator = max(SEPARATORS, key=lines[0].count, default=",") if lines else ","
    if separator in (lines or [""])[0] and not _is_qrels(lines[0]):
        return _table(list(csv.reader(lines, delimiter=separator)))
    return {"columns": QRELS_COLUMNS, "rows": [line.split(None, len(QRELS_COLUMNS) - 1) for line in lines]}


def _is_qrels(line: str) -> bool:
    """Whether a line has four fields, the last a number. Qrels may be separated by tabs, and have no header."""
    fields = line.split()
    return len(fields) == len(QRELS_COLUMNS) and fields[-1].lstrip("+-").replace(".", "", 1).isdigit()


def _table(rows: list[list[str]]) -> Table:
    header, *others = rows or [[]]
    columns = [_clean(column.strip(), MAX_CELL) for column in header]
    return {"columns": columns, "rows": others, "named": [column for column in columns if column]}


def _sheet_rows(path: Path, name: str) -> list[list[str]]:
    from agreement.judge_files.sheets import sheet_texts  # loads the readers of spreadsheets

    if path.stat().st_size > MAX_SHEET:
        return []
    return sheet_texts(path.read_bytes(), name, ROWS + 1)


def _entries(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return user_files(archive.namelist())[:ROWS]
    except zipfile.BadZipFile:
        return []  # the check says so


def _lines(path: Path, name: str) -> Iterator[str]:
    if dataset_id := irds_id(path):
        yield from irds_qrels(dataset_id).decode().splitlines()[:ROWS]
        return
    text = _sample(path, name).decode(errors="replace").removeprefix("\ufeff")
    yield from islice((line for line in text.split("\n") if line.strip()), ROWS)


def _sample(path: Path, name: str) -> bytes:
    if irds_id(path):
        return b""
    with open_input(path, max_bytes=1 << 62, name=name) as stream:
        return stream.read(SAMPLE_BYTES)


def _clean(cell: object, most: int) -> str:
    """Return text that every database stores, shortened."""
    text = str(cell)
    text = text if len(text) <= most else f"{text[:most]}…"
    return text.replace("\0", "␀").encode(errors="replace").decode()


_READERS: dict[str, Callable[[Path, str], Table]] = {
    ImportKind.TOPICS: _topics,
    ImportKind.RUNS: _runs,
    ImportKind.DOCUMENTS: _documents,
    ImportKind.JUDGEMENTS: _judgements,
    ImportKind.POOL: _pool,
    ImportKind.SCALE: _scale,
}
