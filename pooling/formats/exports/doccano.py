"""Exports of doccano, projects of text classification, and other records of judgements as JSON.

JSON or JSONL: the imported record (with query_id and doc_id, maybe within ``meta``) and ``label`` or ``labels``, a list
of label texts. An empty list means "not judged", and is counted. Two labels are refused, since they may be those of two
persons. doccano itself does not name the annotator: it writes one file for each. doccano 1.0 writes ``annotations``
instead, each with the number of a ``label`` and of a ``user`` in its database. They are called ``label-15``, which a
mapping must make a grade, and ``user-1``.

The label may also be in ``relevance``, ``grade``, ``rating`` or ``rel``, or in ``score`` beside the ``query-id`` and
``corpus-id`` of BEIR. If several of these fields have labels, the option `field` must name one. The judge is in
``assessor``, ``judge``, ``rater``, ``annotator``, ``user``, ``coder`` or ``model``. If two of these have a value, the
record is refused, unless one is ``assessor``.

CSV: the same columns; several labels are joined by ``#``. Files with ``qid``, ``doc_id`` and ``label`` are read in the
same way.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.exports.rows import (
    LabelField,
    Records,
    Row,
    comment_of,
    judge_name,
    judge_of,
    no_judgement,
    one_label,
    pair_of,
    with_meta,
)
from pooling.formats.fields import plain_name
from pooling.formats.tables import by_name, rows_below_header

LABELS = ("label", "labels", "relevance", "grade", "rating", "rel")
BEIR = {"query_id", "corpus_id"}


def doccano_json(records: Records, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a JSON export, or of other records."""
    chosen = LabelField(field)
    for number, record in records:
        try:
            yield from _of_record(record, chosen, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
    chosen.check_found(file)


def doccano_csv(text: str, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a CSV export."""
    chosen = LabelField("label")
    for number, header, cells in rows_below_header(text, file):
        try:
            record: dict[str, Any] = dict(by_name(cells, header, file, number))
            labels = [label for label in record.pop("label", "").split("#") if label.strip()]
            yield from _of_record(record | {"label": labels}, chosen, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _of_record(record: Mapping[str, Any], chosen: LabelField, file: str, number: int) -> Iterator[Row]:
    flat = with_meta(record)
    for user, labels in _answers(record, chosen, file, number):
        label = one_label(labels, file, number)
        if label is None:
            yield no_judgement(number, user)
        else:
            yield Row(number, user, *pair_of(flat, file, number), label, comment_of(record))


def _answers(record: Mapping[str, Any], chosen: LabelField, file: str, number: int) -> Iterator[tuple[str, list[Any]]]:
    """The judge and the labels of each answer of a record."""
    annotations = record.get("annotations")
    if not isinstance(annotations, list) or "label" in record or "labels" in record:
        yield judge_of(record, file, number), chosen.labels(_fields(record), file, number)
        return
    for annotation in annotations:
        if isinstance(annotation, dict):
            user = judge_name(annotation.get("user"), "user", file, number)
            yield user, [_database_label(annotation.get("label"))]
    if not annotations:
        yield "", []


def _fields(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The labels of each field that may have them."""
    keys = [key for key in record if plain_name(key) in LABELS]
    if not keys and {plain_name(key) for key in record} >= BEIR:
        keys = [key for key in record if plain_name(key) == "score"]
    fields: dict[str, list[Any]] = {}
    for key in keys:
        name = "label" if key == "labels" else key
        fields[name] = [*fields.get(name, []), *_labels(record[key])]
    return fields


def _labels(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None or value == "" else [value]


def _database_label(label: Any) -> Any:
    """A label that is a number of doccano's database, which is no grade: a mapping must name it."""
    is_number = isinstance(label, int) or (isinstance(label, str) and label.strip().isdigit())
    return f"label-{str(label).strip()}" if is_number and not isinstance(label, bool) else label
