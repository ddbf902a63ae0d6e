"""The strict reader of run and qrels files: line by line, obvious, and the one that words the errors.

It is the format's specification in code. `pooling._columns` reads the same files many times faster and gives
up on anything unusual; then this reader decides.
"""

import io
import math
import re
from collections.abc import Iterator

import numpy as np
import pandas as pd

from pooling.errors import TrecFormatError, shown
from pooling.ids import ALLOWED_ID, CONTROL_CHARACTER, control_problem, id_problem

RUN_FIELDS = ("query_id", "iteration", "doc_id", "rank", "score", "tag")
QRELS_FIELDS = ("query_id", "iteration", "doc_id", "relevance")
ID_FIELDS = frozenset({"query_id", "doc_id", "tag"})

MAX_LINE_BYTES = 4096
SCORE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"[+-]?[0-9]+")
RELEVANCE_RANGE = range(-(2**31), 2**31)

ALLOWED_FIELD = "a field is UTF-8 without control characters"
ALLOWED_RELEVANCE = "a relevance is an integer of 32 bits"
ALLOWED_SCORE = "a score is a finite decimal number"


def run_by_lines(data: bytes, file: str, one_tag: bool, score_precision: str) -> pd.DataFrame:
    """The lines of a run: query_id, doc_id, score, tag. With `one_tag` a second tag is refused."""
    rows, first_tag, seen = [], None, {}
    for number, (query_id, _, doc_id, _, score, tag) in _fields_by_line(data, RUN_FIELDS, "a run", file):
        value = parse_score(score, score_precision)
        if value is None:
            raise _not_allowed("score", score, ALLOWED_SCORE, file, number)
        first_tag = first_tag or (number, tag)
        if one_tag and tag != first_tag[1]:
            raise _second_tag(tag, first_tag, file, number)
        _refuse_repetition(seen, query_id, doc_id, file, number)
        rows.append((query_id, doc_id, value, tag))
    if not rows:
        raise TrecFormatError("the file has no run lines", "a run has at least one line", file)
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score", "tag"])


def qrels_by_lines(data: bytes, file: str) -> pd.DataFrame:
    """The lines of a qrels file: query_id, doc_id, relevance."""
    rows, seen = [], {}
    for number, (query_id, _, doc_id, label) in _fields_by_line(data, QRELS_FIELDS, "a qrels", file):
        relevance = parse_relevance(label)
        if relevance is None:
            raise _not_allowed("relevance", label, ALLOWED_RELEVANCE, file, number)
        _refuse_repetition(seen, query_id, doc_id, file, number)
        rows.append((query_id, doc_id, relevance))
    if not rows:
        raise TrecFormatError("the file has no judgements", "a qrels file has at least one line", file)
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


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


def _fields_by_line(data, names, kind, file) -> Iterator[tuple[int, list[str]]]:
    """The number and the checked fields of every line that is neither blank nor a comment."""
    for number, line in enumerate(io.BytesIO(data), start=1):
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        content = text.strip(b" \t")
        if not content or content.startswith(b"#"):
            continue
        if len(text) > MAX_LINE_BYTES:
            what = f"the line has {len(text):,} bytes"
            raise TrecFormatError(what, f"at most {MAX_LINE_BYTES:,} are allowed", file, number)
        fields = re.split(rb"[ \t]+", content)
        if len(fields) != len(names):
            what = f"{len(fields)} columns"
            raise TrecFormatError(what, f"{kind} line has {len(names)}: {' '.join(names)}", file, number)
        yield number, [_text(field, name, file, number) for field, name in zip(fields, names, strict=True)]


def _text(field: bytes, name: str, file: str, line: int) -> str:
    try:
        text = field.decode()
    except UnicodeDecodeError:
        value = field.decode(errors="backslashreplace")
        raise _refused(name, value, "is not UTF-8", ALLOWED_FIELD, file, line) from None
    if control := CONTROL_CHARACTER.search(text):
        raise _refused(name, text, control_problem(control.group()), ALLOWED_FIELD, file, line)
    if name in ID_FIELDS and (problem := id_problem(text)):
        raise _refused(name, text, problem, ALLOWED_ID, file, line)
    return text


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
