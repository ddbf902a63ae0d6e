"""Exports of doccano, projects of text classification.

JSON or JSONL: the imported record (with query_id and doc_id, maybe within ``meta``) and ``label`` or ``labels``, a list
of label texts. An empty list means "not judged". Two labels are refused, since they may be those of two persons. The
annotator is not in the file: doccano writes one file for each. doccano 1.0 writes ``annotations`` instead, each with
the number of a ``label`` and of a ``user`` in its database. They are called ``label-15``, which a mapping must make a
grade, and ``user-1``.

CSV: the same columns; several labels are joined by ``#``. A column ``user`` names the annotator. Files with ``qid``,
``doc_id`` and ``label`` are read in the same way.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pooling._io.error_report import Problems, raise_or_keep
from pooling.errors import FormatError
from pooling.formats.exports.rows import Row, comment_of, one_label, pair_of
from pooling.formats.fields import first_key
from pooling.formats.tables import by_name, rows_below_header

Records = Iterator[tuple[int, dict[str, Any]]]


def doccano_json(records: Records, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a JSON export."""
    for number, record in records:
        try:
            yield from _of_record(record, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def doccano_csv(text: str, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a CSV export."""
    for number, header, cells in rows_below_header(text, file):
        try:
            record: dict[str, Any] = dict(by_name(cells, header, file, number))
            labels = [label for label in record.pop("label", "").split("#") if label.strip()]
            yield from _of_record(record | {"label": labels}, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _of_record(record: Mapping[str, Any], file: str, number: int) -> Iterator[Row]:
    key = first_key(("label", "labels"), record)
    value = record[key] if key else []
    labels = value if isinstance(value, list) else [value]
    answers = [(_user(record.get("user")), labels)]
    if key is None and isinstance(annotations := record.get("annotations"), list):
        answers = [
            (_user(annotation.get("user")), [_database_label(annotation.get("label"))])
            for annotation in annotations
            if isinstance(annotation, dict)
        ]
    for user, given in answers:
        label = one_label(given, file, number)
        if label is not None:
            yield Row(number, user, *pair_of(_flat(record), file, number), label, comment_of(record))


def _database_label(label: Any) -> Any:
    """A label that is a number of doccano's database, which is no grade: a mapping must name it."""
    is_number = isinstance(label, int) or (isinstance(label, str) and label.strip().isdigit())
    return f"label-{str(label).strip()}" if is_number and not isinstance(label, bool) else label


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the fields of its ``meta``."""
    meta = record.get("meta") or record.get("metadata")
    return {**(meta if isinstance(meta, dict) else {}), **record}


def _user(user: Any) -> str:
    return f"user-{user}" if isinstance(user, int) or (isinstance(user, str) and user.isdigit()) else str(user or "")
