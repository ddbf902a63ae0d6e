"""What every reader of exported judgements returns, and the fields that they have in common."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pooling.errors import FormatError
from pooling.formats.fields import first_key
from pooling.ids import ALLOWED_ID, id_problem

QUERY_ID = ("query_id", "qid", "topic_id", "topic")
QUERY = ("query", "query_text", "title")
DOC_ID = ("doc_id", "docno", "docid", "document_id")
COMMENT = ("comment", "comments", "explanation")
ALLOWED_LABEL = "a judgement has one label"


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
        what = f"{len(labels)} labels ({', '.join(map(str, labels))[:60]})"
        raise FormatError(what, ALLOWED_LABEL, file, number, "label")
    return label_text(labels[0], file, number) if labels else None


def label_text(label: Any, file: str, number: int) -> str | None:
    """A label as text: a number without `.0`, or a text without the blanks around it; None if it is empty."""
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    if isinstance(label, bool) or not isinstance(label, str | int | float | None):
        raise FormatError(f"the label is {str(label)[:60]!r}", "a label is a text or a number", file, number, "label")
    return None if label is None else str(label).strip() or None


def comment_of(record: Mapping[str, Any]) -> str:
    """The comment of a record; several are joined by line ends."""
    value = record.get(first_key(COMMENT, record) or "", "")
    texts = value if isinstance(value, list) else [value]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _text(record: Mapping[str, Any], names: Sequence[str]) -> str:
    value = record.get(first_key(names, record) or "", "")
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
