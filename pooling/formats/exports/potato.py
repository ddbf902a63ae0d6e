"""Annotations of Potato.

JSON or JSONL: Potato 1 writes a file ``annotated_instances.jsonl`` for each user, in a folder with their name. A record
has ``id`` and ``label_annotations``: by question, the options that were chosen. Potato 2 exports one file with
``instance_id``, ``user_id`` and ``labels`` of the same form.

CSV and TSV: a row for each user and instance. Potato 1 has the columns ``user``, ``instance_id`` and one for each
option, called ``question:::option``; Potato 2 has ``user_id``, ``instance_id`` and ``question.option``, or ``question``
alone. The name of a question ends at the first ``:::`` or full stop.

The label is the option whose value is true, and otherwise the value itself. If several questions have labels, the
option `field` must name one. A text box is the comment. An instance without a label is no judgement, and is counted.

Potato knows one id for each instance. If a record has no fields query_id and doc_id, its id must be both, separated by
white space, ``|``, ``::`` or ``:::``: "301|d7".
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.exports.rows import (
    DOC_ID,
    LabelField,
    Pair,
    Records,
    Row,
    comment_of,
    judge_name,
    no_judgement,
    one_label,
    pair_of,
    with_meta,
)
from pooling.formats.fields import first_key
from pooling.formats.tables import by_name, rows_below_header

BETWEEN = re.compile(r"\s+|:::?|\|")
TEXT_BOXES = ("text_box", "free_response")
NOT_CHOSEN = ("", "false")  # in lower case
ALLOWED_ID = "without query_id and doc_id, an id is both, separated by white space, |, :: or :::, such as 301|d7"

Answers = dict[str, dict[str, Any]]  # the value of each option of each question


def potato_json(records: Records, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a JSON export."""
    chosen = LabelField(field)
    for number, record in records:
        try:
            found = record.get("label_annotations", record.get("labels"))
            answers = {
                question: options if isinstance(options, dict) else {"": options}
                for question, options in (found.items() if isinstance(found, dict) else ())
            }
            yield _of_record(record, answers, chosen, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
    chosen.check_found(file)


def potato_csv(text: str, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a CSV or TSV export."""
    chosen = LabelField(field)
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    for number, header, cells in rows_below_header(text, file, separator):
        try:
            record = by_name(cells, header, file, number)
            yield _of_record(record, _of_columns(record), chosen, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
    chosen.check_found(file)


def _of_columns(record: Mapping[str, str]) -> Answers:
    """The answers in the columns behind those of the user and the instance. Spans and rooms are no answers."""
    answers: Answers = {}
    is_first = any(":::" in name for name in record)
    for name, cell in record.items():
        question, sign, option = name.partition(":::" if is_first else ".")
        if (sign and not option.startswith("_")) or (not is_first and name not in NO_QUESTIONS):
            answers.setdefault(question, {})[option] = cell
    return answers


NO_QUESTIONS = {
    *("user", "user_id", "instance_id", "displayed_text", "annotator_origin", "annotator_origin_detail"),
    *("query_id", "qid", "topic_id", "topic", "query", "query_text", "title", *DOC_ID),
}


def _of_record(record: Mapping[str, Any], answers: Answers, chosen: LabelField, file: str, number: int) -> Row:
    judge = judge_name(record.get("user_id", record.get("user")), "user", file, number)
    labels = {
        question: [_label(option, value) for option, value in options.items() if _is_chosen(option, value)]
        for question, options in answers.items()
    }
    label = one_label(chosen.labels(labels, file, number), file, number)
    if label is None:
        return no_judgement(number, judge)
    texts = [value for options in answers.values() for name, value in options.items() if name in TEXT_BOXES]
    return Row(number, judge, *_pair(record, file, number), label, comment_of({"comment": texts}))


def _is_chosen(option: str, value: Any) -> bool:
    is_empty = value is None or value is False or (isinstance(value, str) and value.strip().lower() in NOT_CHOSEN)
    return option not in TEXT_BOXES and not is_empty


def _label(option: str, value: Any) -> Any:
    """The option, if its value says only that it was chosen; otherwise the value."""
    is_true = value is True or (isinstance(value, str) and value.strip().lower() == "true")
    return option if option and is_true else value


def _pair(record: Mapping[str, Any], file: str, number: int) -> Pair:
    fields = with_meta(record)
    if first_key(DOC_ID, fields):
        return pair_of(fields, file, number)
    instance = str(record.get("instance_id", record.get("id", ""))).strip()
    parts = BETWEEN.split(instance)
    if len(parts) != 2 or not all(parts):
        raise FormatError(f"the id {shown(instance)} is no topic and document", ALLOWED_ID, file, number, "doc_id")
    return pair_of({"query_id": parts[0], "doc_id": parts[1]}, file, number)
