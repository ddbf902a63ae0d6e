"""Read judgements as CSV with a header.

The columns query_id, doc_id and relevance are required, in any order. Optional are:

assessor     the judge; without it, the file is of one judge
repeat       0, or 1 for a hidden repeat; 3 or 4 in a norming round, 5 in practice and 6 for a hidden check
adjudicated  true for the decision of an adjudicator; false, or empty
confidence   a number from 0, or empty
state        a row whose state is neither "judged" nor empty has no grade and is left out

Other columns are ignored. Decisions, and rows of norming rounds, practice and checks, are no votes on a document: they
are marked, so that the caller leaves them out and counts them. Cells are separated by commas and quoted with double
quotes. An apostrophe that protects a cell from a spreadsheet, as `export_judgements` writes it, is removed.
"""

import csv
import io
import math
from typing import Any

import pandas as pd

from pooling.errors import TrecFormatError, shown
from pooling.trec import ALLOWED_ID, Problems, id_problem, parse_score

NEEDED = ("query_id", "doc_id", "relevance")
TYPES = {"line": "int64", "assessor": "str", "query_id": "str", "doc_id": "str", "label": "str", "is_vote": "bool"}
OPTIONAL_TYPES = {"repeat": "int64", "confidence": "float64"}
PROTECTED = tuple("=+-@\t\r\n'＝＋－＠")
LARGEST_CELL = 1_000_000
VOTES, OTHER_KINDS = ("", "0", "1"), ("3", "4", "5", "6")  # values of repeat
DECISION, NO_DECISION = ("true", "1"), ("", "false", "0")  # values of adjudicated


def has_csv_header(content: bytes) -> bool:
    """Whether the first line names a column. A comma is not enough: doc_ids of qrels may contain commas."""
    cells = _first_cells(content)
    return len(cells) > 1 and any(name.encode() in cells for name in NEEDED)


def names_assessors(content: bytes) -> bool:
    """Whether the header has the column assessor."""
    return has_csv_header(content) and b"assessor" in _first_cells(content)


def _first_cells(content: bytes) -> list[bytes]:
    return content.split(b"\n", 1)[0].replace(b'"', b"").strip().split(b",")


def csv_labels(content: bytes, name: str, judge: str, problems: Problems = None) -> pd.DataFrame:
    """The labels of a CSV file."""
    csv.field_size_limit(LARGEST_CELL)
    try:
        reader = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
        header = next(reader)
        _check_header(header, name)
        rows, number = [], reader.line_num + 1  # a quoted cell may contain line ends
        for cells in reader:
            try:
                if cells and (row := _row(cells, header, number, name, judge)):
                    rows.append(row)
            except TrecFormatError as error:
                if problems is None:
                    raise
                problems.append(error.with_traceback(None))
            number = reader.line_num + 1
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TrecFormatError(
            f"byte 0x{content[error.start]:02X} is not UTF-8", "the file must be UTF-8 text", name, line
        ) from None
    except csv.Error as error:
        raise TrecFormatError(
            str(error), 'cells are separated by commas and quoted by "', name, reader.line_num
        ) from None
    types = TYPES | {column: kind for column, kind in OPTIONAL_TYPES.items() if column in header}
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def _check_header(header: list[str], name: str) -> None:
    missing = [column for column in NEEDED if column not in header]
    if missing or len(set(header)) < len(header):
        raise TrecFormatError(
            f"the header is {shown(','.join(header))}", f"it must contain {','.join(NEEDED)}, each once", name, 1
        )


def _row(cells: list[str], header: list[str], number: int, name: str, judge: str) -> dict[str, Any] | None:
    """The values of a row; None if its state says that it has no grade."""
    if len(cells) != len(header):
        raise TrecFormatError(f"{len(cells)} cells", f"the header has {len(header)}", name, number)
    texts = {column: _plain(cell) for column, cell in zip(header, cells, strict=True)}
    if texts.get("state") not in (None, "", "judged"):
        return None
    row: dict[str, Any] = {"line": number, "assessor": texts.get("assessor", judge), "label": texts["relevance"]}
    row["is_vote"] = _is_vote(texts, name, number)
    if not row["assessor"]:
        raise TrecFormatError("assessor is empty", "each row needs an assessor", name, number, "assessor", "")
    for column in ("query_id", "doc_id"):
        if problem := id_problem(texts[column]):
            raise TrecFormatError(f"{column} {problem}", ALLOWED_ID, name, number, column, texts[column])
        row[column] = texts[column]
    if "repeat" in texts:
        row["repeat"] = int(texts["repeat"] or 0)
    if "confidence" in texts:
        row["confidence"] = _confidence(texts["confidence"], name, number)
    return row


def _plain(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(PROTECTED) else cell


def _is_vote(texts: dict[str, str], name: str, number: int) -> bool:
    """Whether a row is a regular judgement or a hidden repeat; TrecFormatError if its kind is unknown."""
    repeat, mark = texts.get("repeat", ""), texts.get("adjudicated", "").lower()
    if repeat not in VOTES + OTHER_KINDS:
        allowed = "repeat is 0, 1 for a hidden repeat, 3 or 4 for norming, 5 for practice, or 6 for a hidden check"
        raise TrecFormatError(f"repeat {shown(repeat)} is not allowed", allowed, name, number, "repeat", repeat)
    if mark not in DECISION + NO_DECISION:
        allowed = "adjudicated is true, false or empty"
        raise TrecFormatError(f"adjudicated {shown(mark)} is not allowed", allowed, name, number, "adjudicated", mark)
    return repeat in VOTES and mark in NO_DECISION


def _confidence(text: str, name: str, number: int) -> float:
    if not text:
        return math.nan
    value = parse_score(text, "float64")
    if value is None or value < 0:
        allowed = "a confidence is a number of 0 or more, or empty"
        raise TrecFormatError(f"confidence {shown(text)} is not allowed", allowed, name, number, "confidence", text)
    return value
