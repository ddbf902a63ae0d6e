"""The names that other programs give to the fields of topics, documents and judgements.

A name is compared in lower case, with `-` and blanks as `_`. The first name of a list that a record has is used.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pooling.errors import FormatError

QUERY_ID = ("query_id", "qid", "topic_id", "question_id", "_id", "number", "num", "id")
DOC_ID = ("doc_id", "docno", "_id", "pid", "docid", "corpus_id", "id")
TITLE = ("title", "text", "query", "contents", "question")
DESCRIPTION = ("description", "desc", "question")
NARRATIVE = ("narrative", "narr", "background")
TEXT = ("text", "contents", "content", "body", "passage", "segment", "default_text")


def plain_name(name: str) -> str:
    """The name as it is compared: in lower case, with `_`."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def first_key(names: Iterable[str], keys: Iterable[str]) -> str | None:
    """The key of a record that has the first of these names; None if it has none."""
    by_name = {plain_name(key): key for key in reversed(list(keys))}
    return next((by_name[name] for name in names if name in by_name), None)


def id_text(record: Mapping[str, Any], names: tuple[str, ...], file: str, number: int) -> str:
    """The id of a record; an integer is converted to its digits. FormatError if there is none."""
    key = first_key(names, record)
    value = None if key is None else record[key]
    if value is None:
        others = ", ".join(names[1:])
        raise FormatError(f"{names[0]} is missing", f"each record has {names[0]} ({others})", file, number, names[0])
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        allowed = f"a {names[0]} is a string or an integer"
        raise FormatError(f"{names[0]} {str(value)[:60]!r} is not allowed", allowed, file, number, names[0], str(value))
    return str(value)
