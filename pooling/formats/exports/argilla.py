"""Records of Argilla, as JSON or JSONL.

A record has ``fields``, ``metadata`` and the ``responses`` of its annotators. These forms are read:

- Argilla 2, as ``Dataset.records.to_json`` and ``to_list`` write it: by question, a list of ``value`` and ``user_id``,
  and sometimes ``status``;
- Argilla 2 flattened, as ``to_list(flatten=True)`` and data sets write it: the lists ``label.responses``,
  ``label.responses.users`` and ``label.responses.status``, for a question called label;
- Argilla's server: a list, each with ``user_id``, ``status`` and ``values`` by question;
- Argilla 1, with ``external_id``: beside the fields, by question, a list of the same objects, or one object of lists.

query_id and doc_id (or the text of the query) are among the metadata or the fields. The label is the value of the only
question with labels; if several have labels, the option `field` must name one. A question called ``comment``,
``comments`` or ``explanation`` is the comment. A judge is the id of a user. A response that is a draft, discarded or
pending, a record without a response, and a user without an answer to the question are no judgements, and are counted.
Suggestions are ignored: they are those of models, and no answers.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.exports.rows import (
    COMMENT,
    LabelField,
    Records,
    Row,
    comment_of,
    judge_name,
    no_judgement,
    one_label,
    pair_of,
    short_text,
)
from pooling.formats.fields import plain_name

FLAT = ".responses"
STATUSES = ("submitted", "draft", "discarded", "pending")


class Response(NamedTuple):
    """One answer of a user to a question."""

    question: str
    user: Any
    value: Any
    status: Any


def argilla(records: Records, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a file of records."""
    chosen = LabelField(field)
    for number, record in records:
        try:
            yield from _of_record(record, chosen, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
    chosen.check_found(file)


def _of_record(record: Mapping[str, Any], chosen: LabelField, file: str, number: int) -> Iterator[Row]:
    by_user: dict[str, list[Response]] = {}
    for response in _responses(record):
        by_user.setdefault(_user(response.user, file, number), []).append(response)
    if not by_user:
        yield no_judgement(number, "")
    for user, responses in by_user.items():
        submitted = [response for response in responses if _is_submitted(response.status, file, number)]
        answers: dict[str, list[Any]] = {}
        for response in submitted:
            if plain_name(response.question) not in COMMENT and response.value not in (None, ""):
                answers.setdefault(response.question, []).extend(_values(response.value))
        label = one_label(chosen.labels(answers, file, number), file, number)
        if label is None:
            yield no_judgement(number, user)
        else:
            comment = comment_of({response.question: response.value for response in submitted})
            yield Row(number, user, *pair_of(_data(record), file, number), label, comment)


def _responses(record: Mapping[str, Any]) -> Iterator[Response]:
    found = record.get("responses")
    if isinstance(found, dict):
        for question, answers in found.items():
            yield from _of_question(question, answers)
    elif isinstance(found, list):
        yield from _of_users(found)
    else:
        for key, value in record.items():
            if key.endswith(FLAT):
                users, statuses = record.get(f"{key}.users"), record.get(f"{key}.status")
                answers = {"value": value, "user_id": users, "status": statuses}
                yield from _of_question(key.removesuffix(FLAT), answers)
            elif _is_question(value):
                yield from _of_question(key, value)


def _of_users(responses: Iterable[Any]) -> Iterator[Response]:
    """The responses of the list form. One without values, such as a discarded one, has no question."""
    for response in responses:
        if isinstance(response, dict):
            values = response.get("values")
            for question, value in values.items() if isinstance(values, dict) and values else (("", None),):
                plain = value.get("value") if isinstance(value, dict) else value
                yield Response(question, response.get("user_id"), plain, response.get("status"))


def _of_question(question: str, answers: Any) -> Iterator[Response]:
    """The responses to a question: a list of objects, or an object with a list of each key."""
    if isinstance(answers, dict):
        columns = [_list(answers.get(key)) for key in ("user_id", "value", "status")]
        answers = [{"user_id": user, "value": value, "status": status} for user, value, status in zip_longest(*columns)]
    for answer in _list(answers):
        if isinstance(answer, dict):
            yield Response(question, answer.get("user_id"), answer.get("value"), answer.get("status"))


def _is_question(value: Any) -> bool:
    """Whether a field of Argilla 1 has responses."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and {"user_id", "value"} <= first.keys()


def _is_submitted(status: Any, file: str, number: int) -> bool:
    """Whether a response counts; one without a status does."""
    if status is None or status == "":
        return True
    if status not in STATUSES:
        allowed = f"a status is one of {', '.join(STATUSES)}"
        raise FormatError(f"the status is {short_text(status)!r}", allowed, file, number, "status")
    return bool(status == STATUSES[0])


def _user(user: Any, file: str, number: int) -> str:
    """The id of a user. Argilla writes None as a text."""
    return "" if user == "None" else judge_name(user, "user", file, number)


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _data(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields and the metadata of a record, which Argilla 1 writes as JSON within a text."""
    parts = [record, record.get("fields"), record.get("metadata")]
    data: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, str):
            try:
                part = json.loads(part)
            except (ValueError, RecursionError):
                continue
        data |= part if isinstance(part, dict) else {}
    return data
