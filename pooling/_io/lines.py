"""The strict reader of run and qrels files: it reads line by line and writes the error messages.

It is the specification of the formats in code. `pooling._io.columns` reads the same files many times faster and
declines anything unusual; then this reader decides. Only the first problem of a line is reported. If problems are
collected (`pooling.errors`), the following lines are checked as if the invalid line did not exist.
"""

import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from pooling.changed_ids import changed_id_error, changed_rows
from pooling.errors import Problems, TrecFormatError, raise_or_keep, shown
from pooling.formats.comments import COMMENT
from pooling.formats.tables import is_another_subtopic, subtopic_error
from pooling.ids import ALLOWED_ID, CONTROL_CHARACTER, control_problem, id_problem

RUN_FIELDS = ("query_id", "iteration", "doc_id", "rank", "score", "tag")
QRELS_FIELDS = ("query_id", "iteration", "doc_id", "relevance")
RUN_TYPES = {"tag": "str", "query_id": "str", "doc_id": "str", "score": "float64"}
QRELS_TYPES = {"query_id": "str", "doc_id": "str", "relevance": "int64"}
LABELS_TYPES = {"line": "int64", "query_id": "str", "doc_id": "str", "label": "str"}
ID_COLUMNS = ("query_id", "doc_id")
ID_FIELDS = frozenset({"query_id", "doc_id", "tag"})

BLANKS = b" \t"
MAX_LINE_BYTES = 4096
SCORE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"[+-]?[0-9]+")
RELEVANCE_RANGE = range(-(2**31), 2**31)

Row = TypeVar("Row", bound=tuple[Any, ...])
Seen = dict[tuple[str, str], int]  # the line of each pair of query_id and doc_id

ALLOWED_FIELD = "a field is UTF-8 without control characters"
ALLOWED_RELEVANCE = "a relevance is an integer of 32 bits"
ALLOWED_SCORE = "a score is a finite decimal number"


def run_by_lines(
    data: bytes,
    file: str,
    one_tag: bool,
    score_precision: str,
    *,
    ignore_extra: bool = False,
    problems: Problems = None,
) -> pd.DataFrame:
    """Read a run file line by line."""
    rows: list[tuple[str, str, str, float]] = []
    numbers: list[int] = []
    first_tag: tuple[int, str] | None = None
    seen: Seen = {}
    for number, content in lines_of(data):
        try:
            fields = fields_of(content, RUN_FIELDS, "a run", file, number, ignore_extra)
            query_id, _, doc_id, _, score, tag = fields
            value = parse_score(score, score_precision)
            if value is None:
                raise _not_allowed("score", score, ALLOWED_SCORE, file, number)
            first_tag = first_tag or (number, tag)
            if one_tag and tag != first_tag[1]:
                raise _second_tag(tag, first_tag, file, number)
            refuse_duplicate(seen, query_id, doc_id, file, number)
        except TrecFormatError as error:
            raise_or_keep(error, problems)
        else:
            rows.append((tag, query_id, doc_id, value))
            numbers.append(number)
    rows = _without_changed_ids(rows, numbers, 1, file, problems)
    if not rows and not problems:
        raise_or_keep(TrecFormatError("the file has no run lines", "a run has at least one line", file), problems)
    return as_frame(rows, RUN_TYPES)


def qrels_by_lines(data: bytes, file: str, *, problems: Problems = None) -> pd.DataFrame:
    """The valid lines of a qrels file: query_id, doc_id, relevance. `problems` collects the problems of the others."""
    rows: list[tuple[str, str, int]] = []
    numbers: list[int] = []
    seen: Seen = {}
    iterations: dict[tuple[str, str], str] = {}
    for number, content in lines_of(data):
        try:
            query_id, iteration, doc_id, label = fields_of(content, QRELS_FIELDS, "a qrels", file, number)
            relevance = parse_relevance(label)
            if relevance is None:
                raise _not_allowed("relevance", label, ALLOWED_RELEVANCE, file, number)
            first = iterations.setdefault((query_id, doc_id), iteration)
            if is_another_subtopic(first, iteration):
                raise subtopic_error(doc_id, query_id, first, iteration, seen[query_id, doc_id], number, file)
            refuse_duplicate(seen, query_id, doc_id, file, number)
        except TrecFormatError as error:
            raise_or_keep(error, problems)
        else:
            rows.append((query_id, doc_id, relevance))
            numbers.append(number)
    rows = _without_changed_ids(rows, numbers, 0, file, problems)
    if not rows and not problems:
        empty = TrecFormatError("the file has no judgements", "a qrels file has at least one line", file)
        raise_or_keep(empty, problems)
    return as_frame(rows, QRELS_TYPES)


def labels_by_lines(data: bytes, file: str, *, problems: Problems = None) -> pd.DataFrame:
    """The lines of a qrels file with any text as the relevance: line (from 1), query_id, doc_id, label.

    A document may occur again in a topic. `problems` collects the problems of invalid lines; None raises the first.
    """
    rows: list[tuple[int, str, str, str]] = []
    for number, content in lines_of(data):
        try:
            query_id, _, doc_id, label = fields_of(content, QRELS_FIELDS, "a qrels", file, number)
        except TrecFormatError as error:
            raise_or_keep(error, problems)
        else:
            rows.append((number, query_id, doc_id, label))
    rows = _without_changed_ids(rows, [row[0] for row in rows], 1, file, problems)
    if not rows and not problems:
        empty = TrecFormatError("the file has no judgements", "a qrels file has at least one line", file)
        raise_or_keep(empty, problems)
    return as_frame(rows, LABELS_TYPES)


def line_numbers(data: bytes) -> list[int]:
    """The number, from 1, of every line that is neither blank nor a comment."""
    return [number for number, _ in lines_of(data)]


def parse_score(text: str, score_precision: str) -> float | None:
    """The score, or None if `text` is not a finite decimal number."""
    if not SCORE.fullmatch(text):
        return None
    score = float(text)
    if score_precision == "float32":
        with np.errstate(over="ignore"):
            score = float(np.float32(score))
    return score if math.isfinite(score) else None


def parse_relevance(text: str) -> int | None:
    """The relevance, or None if `text` is not an integer of 32 bits."""
    if not INTEGER.fullmatch(text):
        return None
    relevance = int(text)
    return relevance if relevance in RELEVANCE_RANGE else None


def as_frame(rows: Sequence[tuple[Any, ...]], types: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and the content of every line that is neither blank nor a comment, without its line end."""
    for number, line in enumerate(io.BytesIO(data), start=1):
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        content = text.lstrip(BLANKS)
        if content and not COMMENT.match(content):
            yield number, text


def fields_of(
    text: bytes, names: tuple[str, ...], kind: str, file: str, number: int, ignore_extra: bool = False
) -> list[str]:
    """The checked fields of a line; with `ignore_extra`, only the first ones."""
    if len(text) > MAX_LINE_BYTES:
        what = f"the line has {len(text):,} bytes"
        raise TrecFormatError(what, f"at most {MAX_LINE_BYTES:,} are allowed", file, number)
    content = text.strip(BLANKS)
    fields = re.split(rb"[ \t]+", content)
    if len(fields) < len(names) or (len(fields) > len(names) and not ignore_extra):
        what = f"{len(fields)} columns"
        allowed = f"{kind} line has {len(names)}: {' '.join(names)}"
        raise TrecFormatError(what, allowed, file, number, value=_printed(content))
    return [_text(field, name, file, number) for field, name in zip(fields, names, strict=False)]


def _text(field: bytes, name: str, file: str, line: int) -> str:
    try:
        text = field.decode()
    except UnicodeDecodeError:
        raise _refused(name, _printed(field), "is not UTF-8", ALLOWED_FIELD, file, line) from None
    if control := CONTROL_CHARACTER.search(text):
        raise _refused(name, text, control_problem(control.group()), ALLOWED_FIELD, file, line)
    if name in ID_FIELDS and (problem := id_problem(text)):
        raise _refused(name, text, problem, ALLOWED_ID, file, line)
    return text


def _without_changed_ids(rows: list[Row], numbers: list[int], at: int, file: str, problems: Problems) -> list[Row]:
    """The rows without those that have an id that a spreadsheet has probably changed; the ids begin at place `at`."""
    changed = changed_rows({name: [row[at + place] for row in rows] for place, name in enumerate(ID_COLUMNS)})
    for place, name in changed.items():
        value = rows[place][at + ID_COLUMNS.index(name)]
        raise_or_keep(changed_id_error(name, value, file, numbers[place], TrecFormatError), problems)
    if changed and problems:
        problems.sort(key=lambda problem: problem.line or 0)
    return [row for place, row in enumerate(rows) if place not in changed] if changed else rows


def _printed(text: bytes) -> str:
    return text.decode(errors="backslashreplace")


def refuse_duplicate(seen: Seen, query_id: str, doc_id: str, file: str, line: int) -> None:
    first = seen.setdefault((query_id, doc_id), line)
    if first != line:
        what = f"document {shown(doc_id)} of topic {shown(query_id)} is already on line {first}"
        raise TrecFormatError(what, "a document occurs once in a topic", file, line, "doc_id", doc_id)


def _second_tag(tag: str, first_tag: tuple[int, str], file: str, line: int) -> TrecFormatError:
    first_line, first = first_tag
    what = f"tag {shown(tag)} differs from {shown(first)} on line {first_line}"
    allowed = "a run has one tag, unless the caller names the system"
    return TrecFormatError(what, allowed, file, line, "tag", tag)


def _not_allowed(name: str, value: str, allowed: str, file: str, line: int) -> TrecFormatError:
    return _refused(name, value, "is not allowed", allowed, file, line)


def _refused(name: str, value: str, problem: str, allowed: str, file: str, line: int) -> TrecFormatError:
    return TrecFormatError(f"{name} {shown(value)} {problem}", allowed, file, line, name, value)
