"""The names that other programs give to the fields of topics, documents and judgements.

A name is compared in lower case, with `-` and blanks as `_`. The first name of a list that a record has is used.

A table of judgements has a header and one of two forms:

- a row for each judgement: query_id, doc_id, relevance, and optionally assessor and others;
- a row for each document: query_id, doc_id, and one column for each judge, whose name is the header.

`OTHER_NAMES` lists the names that other programs give to these columns. A column with the name of Assay is preferred to
one with another name. If two others fit, or a table may have columns that are no judges, the columns must be named:
``{"relevance": "score"}``, ``{"judges": ["ada", "bob"]}``.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from pooling.errors import FormatError, TrecFormatError, shown
from pooling.words import first_repeated

QUERY_ID = ("query_id", "qid", "topic_id", "question_id", "_id", "number", "num", "id")
DOC_ID = ("doc_id", "docno", "_id", "pid", "docid", "corpus_id", "id")
TITLE = ("title", "text", "query", "contents", "question")
DESCRIPTION = ("description", "desc", "question")
NARRATIVE = ("narrative", "narr", "background")
TEXT = ("text", "contents", "content", "body", "passage", "segment", "default_text")
OTHER_NAMES = {
    "assessor": ("judge", "rater", "annotator", "user", "coder", "model"),
    "query_id": ("topic", "topic_id", "qid", "query"),
    "doc_id": ("document", "document_id", "doc", "docid", "docno", "pid"),
    "relevance": ("grade", "label", "rating", "rel", "score"),
}
OPTIONAL = ("repeat", "adjudicated", "confidence", "state")
JUDGES = "judges"  # the columns that hold the grades of one judge each
COLUMN_NAMES = (*OTHER_NAMES, *OPTIONAL, JUDGES)
LARGEST_CELL = 1 << 26  # of CSV; csv has one limit for the process, so all readers set this one
MAX_COLUMNS = 16_384  # of a header, as in spreadsheets
NEEDED = ("query_id", "doc_id", "relevance")
NO_JUDGES = {
    *("id", "number", "rank", "run", "system", "title", "text", "url", "body", "content", "contents", "passage"),
    *("query", "query_text", "topic", "comment", "comments", "note", "notes", "reason", "judged_at", "date", *OPTIONAL),
}
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

Given: TypeAlias = Mapping[str, str | Sequence[str]]


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


class Columns(NamedTuple):
    """The positions of the columns by their names in Assay, and those of the columns of judges by the judge."""

    positions: dict[str, int]
    judges: dict[str, int]

    @property
    def missing(self) -> list[str]:
        """The required columns that the header does not have."""
        return [name for name in NEEDED if name not in self.positions and not (name == "relevance" and self.judges)]

    @property
    def names_judges(self) -> bool:
        """Whether the table names its judges."""
        return "assessor" in self.positions or bool(self.judges)


def check_given(given: Given) -> None:
    """ValueError if a name is no column, or its value is no name."""
    for name, column in given.items():
        if name not in COLUMN_NAMES:
            raise ValueError(f"columns has {name!r}; the columns are {', '.join(COLUMN_NAMES)}.")
        if not column or not (isinstance(column, str) or name == JUDGES):
            raise ValueError(f"columns must give the name of one column as {name}, not {column!r}.")


def named_judges(given: Given) -> list[str]:
    """The columns that are named as judges."""
    judges = given.get(JUDGES, ())
    return [judges] if isinstance(judges, str) else list(judges)


def find_columns(header: Sequence[str], given: Given, file: str, line: int | None = 1) -> Columns:
    """The columns of a header; TrecFormatError if a name occurs twice, fits twice or is not there."""
    if len(header) > MAX_COLUMNS:
        raise TrecFormatError(f"the header has {len(header):,} columns", f"at most {MAX_COLUMNS:,} are allowed", file)
    plain = [plain_name(cell) for cell in header]
    if name := first_repeated(filter(None, plain)):
        raise _error(header, f"the column {name} must occur once", file, line)
    positions = {
        name: _position(str(column), plain, header, file, line) for name, column in given.items() if name != JUDGES
    }
    judges = {
        header[at].strip(): at for at in (_position(name, plain, header, file, line) for name in named_judges(given))
    }
    taken = {*positions.values(), *judges.values()}
    for name, others in OTHER_NAMES.items():
        if name in positions or (judges and name in ("assessor", "relevance")):
            continue
        found = [at for at, cell in enumerate(plain) if cell in (name, *others) and at not in taken]
        found = [at for at in found if plain[at] == name] or found
        if len(found) > 1:
            both = " and ".join(header[at].strip() for at in found)
            raise _error(header, f"{both} may both be {name}; {_option(name, header[found[0]])}", file, line)
        positions |= dict.fromkeys([name] if found else [], *found)
    for name in OPTIONAL:
        if name in plain and name not in positions and plain.index(name) not in taken:
            positions[name] = plain.index(name)
    if not judges and {"query_id", "doc_id"} <= set(positions) and not {"assessor", "relevance"} & set(positions):
        judges = _other_columns(header, plain, positions, file, line)
    return Columns(positions, judges)


def _position(column: str, plain: Sequence[str], header: Sequence[str], file: str, line: int | None) -> int:
    if plain_name(column) not in plain:
        raise _error(header, f"it has no column {column!r}, which the option columns names", file, line)
    return plain.index(plain_name(column))


def _other_columns(
    header: Sequence[str], plain: Sequence[str], positions: Mapping[str, int], file: str, line: int | None
) -> dict[str, int]:
    """The columns of judges: all that are not the topic and the document, if none has a name that is no judge's."""
    others = [at for at, name in enumerate(plain) if name and at not in positions.values()]
    odd = [header[at].strip() for at, name in enumerate(plain) if name in NO_JUDGES and positions.get("query_id") != at]
    if others and odd:
        what = f"{odd[0]} is probably no judge; {_option(JUDGES, 'ada')}, or {_option('relevance', 'score')}"
        raise _error(header, what, file, line)
    return {header[at].strip(): at for at in others}


def _option(name: str, column: str) -> str:
    return f"name the column with the option columns, such as {name}={column.strip()}"


def _error(header: Sequence[str], allowed: str, file: str, line: int | None) -> TrecFormatError:
    return TrecFormatError(f"the header is {shown(','.join(header))}", allowed, file, line)


def missing_columns(columns: Columns, header: Sequence[str], file: str, line: int | None = 1) -> TrecFormatError:
    """The error that says which columns a table lacks."""
    allowed = f"it must contain {','.join(NEEDED)}, each once; missing: {', '.join(columns.missing)}; "
    return _error(header, allowed + _option(columns.missing[0], "NAME"), file, line)


def split_header(line: str, separator: str) -> list[str]:
    """The cells of the first line of a text."""
    csv.field_size_limit(LARGEST_CELL)
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def separator_of(text: str, given: Given, file: str) -> str | None:
    """The separator of a table with a header; None if the text is no such table.

    A first line is a header if one separator makes two of its cells names of the four columns, or if it has a required
    column by its own name, or all columns that are named. TrecFormatError if two separators make it one.
    """
    line = text.partition("\n")[0].partition("\r")[0]
    found = [
        separator for separator in SEPARATORS if separator in line and _is_header(split_header(line, separator), given)
    ]
    if len(found) > 1:
        both = " and ".join(SEPARATORS[separator] for separator in found)
        raise TrecFormatError(f"the header is {shown(line)}", f"it is separated by both {both}; use one", file, 1)
    return found[0] if found else None


def _is_header(cells: Sequence[str], given: Given) -> bool:
    plain = {plain_name(cell) for cell in cells}
    named = [str(column) for name, column in given.items() if name != JUDGES] + named_judges(given)
    if named and plain >= {plain_name(name) for name in named}:
        return True
    roles = [name for name, others in OTHER_NAMES.items() if plain & {name, *others}]
    return len(cells) > 1 and (bool(plain & set(NEEDED)) or len(roles) > 1)
