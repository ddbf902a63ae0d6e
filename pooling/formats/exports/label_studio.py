"""Exports of Label Studio.

JSON: tasks with their imported record under ``data`` and one entry of ``annotations`` (formerly ``completions``) for
each annotator. The label is the only choice of a result of the type ``choices``, or the number of a ``rating`` or
``number``; the text of a ``textarea`` is the comment. Annotations that were cancelled, that a review has rejected, or
that have no label are no judgements, and are counted; predictions are ignored. The annotations of a file are in the
order of ``updated_at``, so that the last one of an annotator is the latest. An annotator is called ``annotator-`` and
their number, or by their email if the file has only that.

JSON-MIN, CSV and TSV: one record for each annotation, with ``annotator``, ``annotation_id`` and the label in the field
``relevance``, ``label``, ``choice``, ``choices``, ``rating`` or ``grade``, which is the name of the control in the
project. If several of these have a value, the option `field` must name one. It is the ``from_name`` of a JSON export.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.exports.rows import Records, Row, comment_of, judge_of, no_judgement, one_label, pair_of
from pooling.formats.fields import plain_name
from pooling.formats.tables import by_name, rows_below_header

LABEL = ("relevance", "label", "choice", "choices", "rating", "grade")
ALLOWED = f"the field of the label is called {', '.join(LABEL)}"


def label_studio_json(records: Records, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a JSON export."""
    rows: list[tuple[str, Row]] = []
    for number, task in records:
        for annotation in _annotations(task):
            if annotation.get("was_cancelled") or _is_rejected(annotation):
                rows.append(("", no_judgement(number, _annotator(annotation.get("completed_by")))))
                continue
            try:
                rows += _of_annotation(task, annotation, file, number, field)
            except FormatError as error:
                raise_or_keep(error, problems)
    return (row for _, row in sorted(rows, key=lambda row: row[0]))


def label_studio_records(records: Records, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a JSON-MIN export."""
    for number, record in records:
        try:
            yield from _of_flat(record, file, number, field)
        except FormatError as error:
            raise_or_keep(error, problems)


def label_studio_csv(text: str, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a CSV or TSV export."""
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    for number, header, cells in rows_below_header(text, file, separator):
        try:
            yield from _of_flat(by_name(cells, header, file, number), file, number, field)
        except FormatError as error:
            raise_or_keep(error, problems)


def _annotations(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = task.get("annotations", task.get("completions"))
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _is_rejected(annotation: Mapping[str, Any]) -> bool:
    reviews = annotation.get("reviews")
    last = reviews[-1] if isinstance(reviews, list) and reviews else None
    return isinstance(last, dict) and last.get("accepted") is False


def _of_annotation(
    task: Mapping[str, Any], annotation: Mapping[str, Any], file: str, number: int, field: str | None
) -> Iterator[tuple[str, Row]]:
    found = annotation.get("result")
    results = [result for result in found if isinstance(result, dict)] if isinstance(found, list) else []
    values = [(result.get("type"), result.get("value")) for result in results]
    named = [result for result in results if field is None or result.get("from_name") == field]
    labelled = [(result.get("type"), result.get("value")) for result in named]
    labels = [label for kind, value in labelled if isinstance(value, dict) for label in _labels(kind, value)]
    label = one_label(labels, file, number)
    annotator = _annotator(annotation.get("completed_by"))
    if label is None:
        yield "", no_judgement(number, annotator)
        return
    texts = [value.get("text") for kind, value in values if kind == "textarea" and isinstance(value, dict)]
    comment = comment_of({"comment": [text for each in texts for text in (each if isinstance(each, list) else [each])]})
    data = task.get("data")
    pair = pair_of(data if isinstance(data, dict) else {}, file, number)
    row = Row(number, annotator, *pair, label, comment)
    yield str(annotation.get("updated_at") or annotation.get("created_at") or ""), row


def _labels(kind: Any, value: Mapping[str, Any]) -> list[Any]:
    if kind == "choices" and isinstance(value.get("choices"), list):
        return list(value["choices"])
    return [value.get(kind)] if kind in ("rating", "number") else []


def _field_of(record: Mapping[str, Any], field: str | None, file: str, number: int) -> str:
    """The field of the label: the one that is named, or the only one that is known."""
    if field is not None:
        if field not in record:
            allowed = f"the record has {', '.join(record)}"
            raise FormatError(f"the field {shown(field)} is missing", allowed, file, number, "label")
        return field
    keys = [key for key in record if plain_name(key) in LABEL]
    given = [key for key in keys if record[key] not in (None, "")]
    if not keys:
        raise FormatError("the label is missing", ALLOWED, file, number, "label")
    if len(given) > 1:
        allowed = "name the field of the label with the option field, or leave one in the file"
        raise FormatError(f"{len(given)} fields have labels: {', '.join(given)}", allowed, file, number, "label")
    return (given or keys)[0]


def _of_flat(record: Mapping[str, Any], file: str, number: int, field: str | None) -> Iterator[Row]:
    key = _field_of(record, field, file, number)
    label = one_label(_choices(record[key]), file, number)
    annotator = _annotator(record["annotator"]) if "annotator" in record else judge_of(record, file, number)
    if label is None:
        yield no_judgement(number, annotator)
    else:
        yield Row(number, annotator, *pair_of(record, file, number), label, comment_of(record))


def _choices(value: Any) -> list[Any]:
    """The labels of a field, which may be JSON within a cell: a text, a number, a list, or {"choices": [...]}."""
    if isinstance(value, str) and value.startswith(("[", "{")):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    if isinstance(value, dict):
        value = next((value[key] for key in ("choices", "rating", "number") if key in value), None)
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _annotator(value: Any) -> str:
    """The name of an annotator: by number, and otherwise the email."""
    if isinstance(value, dict):
        value = value.get("id", value.get("email"))
    text = "" if value is None else str(value).strip()
    return f"annotator-{text}" if text.isdigit() else text
