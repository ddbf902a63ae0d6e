"""What every reader of exported judgements returns, and the fields that they have in common."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pooling.errors import FormatError, shown
from pooling.formats.fields import OTHER_NAMES, first_key, plain_name
from pooling.ids import ALLOWED_ID, id_problem

QUERY_ID = ("query_id", "qid", "topic_id", "topic")
QUERY = ("query", "query_text", "title")
DOC_ID = ("doc_id", "docno", "docid", "document_id", "pid", "corpus_id")
COMMENT = ("comment", "comments", "explanation")
ASSESSOR = ("assessor", *OTHER_NAMES["assessor"])
ALLOWED_LABEL = "a judgement has one label"
ALLOWED_FIELD = "name the field of the label with the option field, or leave one in the file"
SHOWN_FIELDS = 10

Records = Iterator[tuple[int, dict[str, Any]]]


class Row(NamedTuple):
    """One exported judgement.

    `assessor` is empty if the file does not name them. `query` is the text of the query, if the file has it; without a
    query_id, the query_id is this text with `_` for white space and `%5F` for `_`. The label is empty if the row is no
    judgement and has to be counted.
    """

    line: int
    assessor: str
    query_id: str
    query: str
    doc_id: str
    label: str
    comment: str = ""


def no_judgement(line: int, assessor: str) -> Row:
    """A row that is no judgement, and is counted."""
    return Row(line, assessor, "", "", "", "")


class LabelField:
    """The field of the labels of a file: the one that is named, or the only one that has labels.

    A second field is refused, also if no record has both, since a judge may have answered two questions.
    """

    def __init__(self, given: str | None) -> None:
        self._given = given
        self._only: str | None = None
        self._found: dict[str, None] = {}

    def labels(self, answers: Mapping[str, list[Any]], file: str, number: int) -> list[Any]:
        """The labels of the field in the answers of one judge, which are lists by the name of their field."""
        names = [name for name, labels in answers.items() if labels]
        self._found.update(dict.fromkeys(names))
        if self._given is not None:
            return answers.get(self._given, [])
        names = list(dict.fromkeys([*([self._only] if self._only is not None else []), *names]))
        if len(names) > 1:
            raise FormatError(
                f"{len(names)} fields have labels: {', '.join(names)}", ALLOWED_FIELD, file, number, "label"
            )
        self._only = names[0] if names else None
        return answers[names[0]] if names and names[0] in answers else []

    def check_found(self, file: str) -> None:
        """FormatError if the file has labels, but none in the field that is named."""
        if self._given is not None and self._found and self._given not in self._found:
            allowed = f"the fields with labels are {', '.join([*self._found][:SHOWN_FIELDS])}"
            raise FormatError(f"no record has a label in the field {shown(self._given)}", allowed, file)


class Pair(NamedTuple):
    """The topic and the document of a record."""

    query_id: str
    query: str
    doc_id: str


def pair_of(record: Mapping[str, Any], file: str, number: int) -> Pair:
    """The topic and the document of a record; FormatError if one is missing or not an id."""
    query = _text(record, QUERY)
    query_id = _text(record, QUERY_ID) or query_id_of(query)
    doc_id = _text(record, DOC_ID)
    for name, value, others in (("query_id", query_id, (*QUERY_ID, *QUERY)), ("doc_id", doc_id, DOC_ID)):
        if not value:
            allowed = f"each judgement has a {name} ({', '.join(others)})"
            raise FormatError(f"{name} is missing", allowed, file, number, name)
        if problem := id_problem(value):
            raise FormatError(f"{name} {problem}", ALLOWED_ID, file, number, name, value)
    return Pair(query_id, query, doc_id)


def query_id_of(query: str) -> str:
    """The query_id of a query that has none: its text with `_` for white space, and `%5F` for `_`.

    So "red shoes" and "red_shoes" are two topics, in every file that has them.
    """
    return "_".join(query.replace("%5F", "%255F").replace("_", "%5F").split())


def one_label(labels: Sequence[Any], file: str, number: int) -> str | None:
    """The label of a judgement; None if there is none, FormatError if there are several or it is not a text."""
    if len(labels) > 1:
        what = f"{len(labels)} labels ({', '.join(map(short_text, labels[:SHOWN_FIELDS]))[:60]})"
        raise FormatError(what, ALLOWED_LABEL, file, number, "label")
    return label_text(labels[0], file, number) if labels else None


def label_text(label: Any, file: str, number: int) -> str | None:
    """A label as text: a number without `.0`, or a text without the blanks around it; None if it is empty."""
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    if isinstance(label, bool) or not isinstance(label, str | int | float | None):
        what = f"the label is {short_text(label)!r}"
        raise FormatError(what, "a label is a text or a number", file, number, "label")
    return None if label is None else str(label).strip() or None


def judge_of(record: Mapping[str, Any], file: str, number: int) -> str:
    """The judge that a record names; empty if it names none, FormatError if two fields may name one."""
    keys = [key for key in record if plain_name(key) in ASSESSOR and record[key] not in (None, "")]
    found = [key for key in keys if plain_name(key) == ASSESSOR[0]] or keys
    if len(found) > 1:
        allowed = "a record has one judge; call the field assessor, or remove the others"
        raise FormatError(f"{' and '.join(found)} may both be the judge", allowed, file, number, "assessor")
    return judge_name(record[found[0]], plain_name(found[0]), file, number) if found else ""


def judge_name(value: Any, kind: str, file: str, number: int) -> str:
    """The name of a judge: a text, the email of a user, or `kind` and the number in the database of a program."""
    if isinstance(value, dict):
        value = value.get("id", value.get("email"))
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        allowed = "a judge is a name or a number"
        raise FormatError(f"the judge is {short_text(value)!r}", allowed, file, number, "assessor")
    text = "" if value is None else str(value).strip()
    return f"{kind}-{text}" if text.isdigit() else text


def with_meta(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the fields of its ``meta`` or ``metadata``."""
    meta = record.get("meta") or record.get("metadata")
    return {**(meta if isinstance(meta, dict) else {}), **record}


def comment_of(record: Mapping[str, Any]) -> str:
    """The comment of a record; several are joined by line ends."""
    value = record.get(first_key(COMMENT, record) or "", "")
    texts = value if isinstance(value, list) else [value]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _text(record: Mapping[str, Any], names: Sequence[str]) -> str:
    value = record.get(first_key(names, record) or "", "")
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def short_text(value: Any) -> str:
    """The start of a value as text. Nested lists may be too deep to be written."""
    try:
        return str(value)[:60]
    except RecursionError:
        return f"a nested {type(value).__name__}"
