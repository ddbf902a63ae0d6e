"""What an uploaded file is, and its first rows, as the page shows them before anything is imported."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pooling
from assess.errors import Refused
from assess.models import ImportKind, Upload
from assess.transfer.uploads.storage import content_path
from pooling._io.streams import open_input
from pooling.errors import FormatError
from pooling.formats.irds import irds_id, irds_qrels

ROWS = 5
MAX_CELL = 200  # characters
SAMPLE_BYTES = 1 << 16
RUN_COLUMNS = ["query_id", "Q0", "doc_id", "rank", "score", "system"]
QRELS_COLUMNS = ["query_id", "iteration", "doc_id", "relevance"]

Table = dict[str, list[Any]]


def recognise_upload(upload: Upload) -> None:
    """Set kind, format, label, error and first rows of an upload, without saving it."""
    upload.kind = upload.format = upload.label = upload.error = ""
    upload.first_rows = {}
    path = content_path(upload)
    try:
        found = pooling.recognise(path, name=upload.name)
        upload.kind, upload.format, upload.label = found.kind, found.format, found.label
        upload.first_rows = first_rows(path, upload.name, found.kind)
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
        upload.first_rows = first_rows(content_path(upload), upload.name, kind)
    except FormatError as error:
        upload.error = _clean(f"{error}.", 1_000)


def first_rows(path: Path, name: str, kind: str) -> Table:
    """Return the columns and first rows of a file. Raises FormatError if they are invalid."""
    table = _READERS[kind](path, name)
    return table | {"rows": [[_clean(cell, MAX_CELL) for cell in row] for row in table["rows"]]}


def _topics(path: Path, name: str) -> Table:
    frame = pooling.read_topics(path, name=name).head(ROWS)
    return {"columns": list(frame.columns), "rows": frame.to_numpy().tolist()}


def _documents(path: Path, name: str) -> Table:
    documents = islice(pooling.read_documents(path, name=name), ROWS)
    return {"columns": ["doc_id", "title", "text"], "rows": [[d.doc_id, d.title, d.text] for d in documents]}


def _runs(path: Path, name: str) -> Table:
    return {"columns": RUN_COLUMNS, "rows": [line.split(None, 5) for line in _lines(path, name)]}


def _judgements(path: Path, name: str) -> Table:
    lines = list(_lines(path, name))
    separator = "\t" if lines and "\t" in lines[0] else None
    if lines and separator is None and "," in lines[0] and len(lines[0].split()) == 1:
        separator = ","
    if lines and lines[0].lstrip()[:1] in ("{", "["):
        return {"columns": ["content"], "rows": [[line] for line in lines]}
    rows = [line.split(separator) for line in lines]
    width = max(map(len, rows), default=0)
    columns = QRELS_COLUMNS if width == len(QRELS_COLUMNS) else [f"column {n}" for n in range(1, width + 1)]
    if separator and rows and not rows[0][-1].strip().lstrip("+-").isdigit():
        columns, rows = rows[0], rows[1:]
    return {"columns": [_clean(column, MAX_CELL) for column in columns], "rows": rows}


def _lines(path: Path, name: str) -> Iterator[str]:
    if dataset_id := irds_id(path):
        yield from irds_qrels(dataset_id).decode().splitlines()[:ROWS]
        return
    with open_input(path, max_bytes=1 << 62, name=name) as stream:
        text = stream.read(SAMPLE_BYTES).decode(errors="replace").removeprefix("\ufeff")
    yield from islice((line for line in text.split("\n") if line.strip()), ROWS)


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
}
