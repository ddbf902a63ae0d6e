"""The labels of a table of judgements.

The columns query_id, doc_id and relevance are required, in any order and also under other names, or a column for each
judge instead of relevance (`agreement.judge_files.tables`). Optional are:

assessor     the judge; without it, the file is of one judge
repeat       0, or 1 for a hidden repeat; 3 or 4 in a norming round, 5 in practice and 6 for a hidden check
adjudicated  true for the decision of an adjudicator; false, or empty
confidence   a number from 0, or empty
state        judged, or empty; a row whose state is cannot_judge, later or undone has no grade, is left out and counted;
             another state is refused

Other columns are ignored. Decisions, and rows of norming rounds, practice and checks, are no votes on a document: they
are marked, so that the caller leaves them out and counts them.
"""

import math
from collections import Counter
from typing import Any

import pandas as pd

from agreement.judge_files.tables import NUMBER_IDS, Table
from pooling.changed_ids import changed_id_error, changed_rows
from pooling.errors import TrecFormatError, shown
from pooling.trec import ALLOWED_ID, Problems, id_problem, parse_score, raise_or_keep

TYPES = {
    "line": "int64",
    "assessor": "str",
    "query_id": "str",
    "doc_id": "str",
    "label": "str",
    "is_vote": "bool",
    NUMBER_IDS: "bool",
}
OPTIONAL_TYPES = {"repeat": "int64", "confidence": "float64"}
IDS = ("query_id", "doc_id")
STATES = ("", "judged", "cannot_judge", "later", "undone")
GRADED = STATES[:2]
VOTES, OTHER_KINDS = ("", "0", "1"), ("3", "4", "5", "6")  # values of repeat
DECISION, NO_DECISION = ("true", "1"), ("", "false", "0")  # values of adjudicated


def table_labels(
    table: Table, name: str, judge: str, problems: Problems = None, left_out: Counter[str] | None = None
) -> pd.DataFrame:
    """The labels of a table of judgements; `judge` is the judge if the table names none.

    `left_out` counts the rows of each judge whose state says that they have no grade.
    """
    rows, is_empty = [], True
    for number, texts in table.judgements(name, judge, problems):
        is_empty = False
        try:
            if row := _row(texts, number, name):
                rows.append(row)
            elif left_out is not None:
                left_out[texts["assessor"]] += 1
        except TrecFormatError as error:
            raise_or_keep(error, problems)
    if is_empty and not problems:
        empty = TrecFormatError("the file has a header and no judgements", "a table has at least one row", name)
        raise_or_keep(empty, problems)
    rows = _without_changed_ids(rows, name, problems)
    types = TYPES | {column: kind for column, kind in OPTIONAL_TYPES.items() if column in table.columns.positions}
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def without_changed_ids(rows: pd.DataFrame, name: str, problems: Problems) -> pd.DataFrame:
    """Labels of an export without those that have an id which a spreadsheet has probably changed."""
    changed = changed_rows({column: rows[column].tolist() for column in IDS})
    for place, column in changed.items():
        row = rows.iloc[place]
        error = changed_id_error(column, row[column], name, int(row["line"]), TrecFormatError)
        raise_or_keep(error, problems)
    return rows.drop(rows.index[list(changed)]).reset_index(drop=True) if changed else rows


def _without_changed_ids(rows: list[dict[str, Any]], name: str, problems: Problems) -> list[dict[str, Any]]:
    """The rows without those that have an id which a spreadsheet has probably changed, which are problems."""
    changed = changed_rows({column: [row[column] for row in rows] for column in IDS})
    for place, column in changed.items():
        error = changed_id_error(column, rows[place][column], name, rows[place]["line"], TrecFormatError)
        raise_or_keep(error, problems)
    return [row for place, row in enumerate(rows) if place not in changed]


def _row(texts: dict[str, str], number: int, name: str) -> dict[str, Any] | None:
    """The values of a judgement; None if its state says that it has no grade."""
    if (state := texts.get("state", "")) not in STATES:
        allowed = f"state is empty or one of {', '.join(STATES[1:])}"
        raise TrecFormatError(f"state {shown(state)} is not allowed", allowed, name, number, "state", state)
    if state not in GRADED:
        return None
    row: dict[str, Any] = {"line": number, "assessor": texts["assessor"], "label": texts["relevance"]}
    row[NUMBER_IDS] = NUMBER_IDS in texts
    row["is_vote"] = _is_vote(texts, name, number)
    if not row["assessor"]:
        raise TrecFormatError("assessor is empty", "each row needs an assessor", name, number, "assessor", "")
    for column in IDS:
        if problem := id_problem(texts[column]):
            raise TrecFormatError(f"{column} {problem}", ALLOWED_ID, name, number, column, texts[column])
        row[column] = texts[column]
    if "repeat" in texts:
        row["repeat"] = int(texts["repeat"] or 0)
    if "confidence" in texts:
        row["confidence"] = _confidence(texts["confidence"], name, number)
    return row


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
