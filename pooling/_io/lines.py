"""The strict reader of run and qrels files: line by line, obvious, and the one that words the errors.

It is the format's specification in code. `pooling._io.columns` reads the same files many times faster and gives
up on anything unusual; then this reader decides. A line has one problem at most, the first that is found; where
problems are kept (see `pooling._io.error_report`), it is as if a bad line were not there, for the lines after it too.
"""

import io
import math
import re
from collections.abc import Iterator

import numpy as np
import pandas as pd

from pooling._io.error_report import Problems, raise_or_keep
from pooling.errors import TrecFormatError, shown
from pooling.ids import ALLOWED_ID, CONTROL_CHARACTER, control_problem, id_problem

RUN_FIELDS = ("query_id", "iteration", "doc_id", "rank", "score", "tag")
QRELS_FIELDS = ("query_id", "iteration", "doc_id", "relevance")
RUN_TYPES = {"tag": "str", "query_id": "str", "doc_id": "str", "score": "float64"}
QRELS_TYPES = {"query_id": "str", "doc_id": "str", "relevance": "int64"}
ID_FIELDS = frozenset({"query_id", "doc_id", "tag"})

BLANKS = b" \t"
MAX_LINE_BYTES = 4096
SCORE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"[+-]?[0-9]+")
RELEVANCE_RANGE = range(-(2**31), 2**31)

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
    """The lines of a run: tag, query_id, doc_id, score. With `one_tag` a second tag is refused."""
    rows, first_tag, seen = [], None, {}
    for number, content in _lines(data):
        try:
            fields = _fields(content, RUN_FIELDS, "a run", file, number, ignore_extra)
            query_id, _, doc_id, _, score, tag = fields
            value = parse_score(score, score_precision)
            if value is None:
                raise _not_allowed("score", score, ALLOWED_SCORE, file, number)
            first_tag = first_tag or (number, tag)
            if one_tag and tag != first_tag[1]:
                raise _second_tag(tag, first_tag, file, number)
            _refuse_repetition(seen, query_id, doc_id, file, number)
        except TrecFormatError as error:
            raise_or_keep(error, problems)
        else:
            rows.append((tag, query_id, doc_id, value))
    if not rows and not problems:
        raise_or_keep(TrecFormatError("the file has no run lines", "a run has at least one line", file), problems)
    return _frame(rows, RUN_TYPES)


def qrels_by_lines(data: bytes, file: str, *, problems: Problems = None) -> pd.DataFrame:
    """The lines of a qrels file: query_id, doc_id, relevance."""
    rows, seen = [], {}
    for number, content in _lines(data):
        try:
            query_id, _, doc_id, label = _fields(content, QRELS_FIELDS, "a qrels", file, number)
            relevance = parse_relevance(label)
            if relevance is None:
                raise _not_allowed("relevance", label, ALLOWED_RELEVANCE, file, number)
            _refuse_repetition(seen, query_id, doc_id, file, number)
        except TrecFormatError as error:
            raise_or_keep(error, problems)
        else:
            rows.append((query_id, doc_id, relevance))
    if not rows and not problems:
        error = TrecFormatError("the file has no judgements", "a qrels file has at least one line", file)
        raise_or_keep(error, problems)
    return _frame(rows, QRELS_TYPES)


def parse_score(text: str, score_precision: str) -> float | None:
    """The score that `text` stands for, or None where it is no finite decimal number."""
    if not SCORE.fullmatch(text):
        return None
    score = float(text)
    if score_precision == "float32":
        with np.errstate(over="ignore"):
            score = float(np.float32(score))
    return score if math.isfinite(score) else None


def parse_relevance(text: str) -> int | None:
    """The integer that `text` stands for, or None where it is none of 32 bits."""
    if not INTEGER.fullmatch(text):
        return None
    relevance = int(text)
    return relevance if relevance in RELEVANCE_RANGE else None


def _frame(rows: list[tuple], types: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and the text of every line that is neither blank nor a comment, without its end."""
    for number, line in enumerate(io.BytesIO(data), start=1):
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        content = text.lstrip(BLANKS)
        if content and not content.startswith(b"#"):
            yield number, text


def _fields(text: bytes, names, kind: str, file: str, number: int, ignore_extra: bool = False) -> list[str]:
    """The checked fields of a line; with `ignore_extra`, of its first columns."""
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


def _printed(text: bytes) -> str:
    return text.decode(errors="backslashreplace")


def _refuse_repetition(seen: dict, query_id: str, doc_id: str, file: str, line: int) -> None:
    first = seen.setdefault((query_id, doc_id), line)
    if first != line:
        what = f"document {shown(doc_id)} of topic {shown(query_id)} stands already on line {first}"
        raise TrecFormatError(what, "a document occurs once in a topic", file, line, "doc_id", doc_id)


def _second_tag(tag, first_tag, file, line) -> TrecFormatError:
    first_line, first = first_tag
    what = f"tag {shown(tag)} differs from {shown(first)} on line {first_line}"
    allowed = "a run has one tag, unless the system is named by the reader"
    return TrecFormatError(what, allowed, file, line, "tag", tag)


def _not_allowed(name, value, allowed, file, line) -> TrecFormatError:
    return _refused(name, value, "is not allowed", allowed, file, line)


def _refused(name, value, problem, allowed, file, line) -> TrecFormatError:
    return TrecFormatError(f"{name} {shown(value)} {problem}", allowed, file, line, name, value)
