"""Read a DataFrame of judgements, of pandas, polars or Arrow, as a file with the same columns is read.

Columns have the names that `pooling.formats.fields` lists, or are named by the caller. A table of pandas may
have them as the named levels of its index. A row is a judgement, or a document with a column for each judge. Ids that
are numbers become whole numbers. A grade is one of the scale, as itself or as its text. No judgement is: a missing
value, a negative number, and the text ``NA``, ``None`` or ``-`` or an empty one, unless the scale has it. A truth value
is the grade 1 or 0. Two equal judgements of a judge on a document count once. What was unusual is counted.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from agreement.checks import plain
from agreement.judge_files.cells import cell_text, typed_rows
from agreement.judge_files.notes import counts_sentence
from agreement.judge_files.options import LabelOptions
from agreement.judge_files.tables import NO_JUDGEMENT, NUMBER_IDS, Table, table_labels
from agreement.judge_files.treatment import one_per_pair
from agreement.judgements import Grade
from pooling.errors import TrecFormatError, shown
from pooling.formats.fields import Columns, Given, check_given, find_columns, missing_columns
from pooling.inputs import as_frame, is_table
from pooling.trec import parse_score

NAME = "the table"
ITEM = ["assessor", "query_id", "doc_id"]


def table_judgements(table: Any, scale: Sequence[Grade], given: Given) -> tuple[pd.DataFrame, list[str]]:
    """The judgements of a table, and a sentence for each judge with unusual rows.

    The judgements have the columns assessor, query_id, doc_id, relevance, and repeat if the table has it. A relevance
    of None is no judgement.
    """
    if not is_table(table):
        raise TypeError(
            f"from_table takes a DataFrame of pandas, polars or Arrow, not {type(table).__name__}; read files with "
            "read_judgements."
        )
    check_given(given)
    frame = _with_index(as_frame(table))
    labels = table_labels(_table(frame, given), NAME, "")
    votes = labels[labels["is_vote"]]
    grades = _grades(votes, scale)
    is_judged = grades.map(lambda grade: grade is not None).astype(bool)
    keys = [*ITEM, *(["repeat"] if "repeat" in votes else [])]
    one = one_per_pair(votes[is_judged].assign(relevance=grades[is_judged]), keys, LabelOptions())
    for row in one.contradicting.itertuples():
        raise _contradiction(row)
    unjudged = votes[~is_judged].assign(relevance=None)
    together = pd.concat([one.rows.astype({"relevance": object}), unjudged]).drop_duplicates(keys)
    return together[[*keys, "relevance"]], _notes(labels, votes, is_judged, one.rows)


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with the named levels of its index as columns."""
    named = [name for name in frame.index.names if name is not None and name not in frame.columns]
    return frame.reset_index(level=named) if named else frame


def _table(frame: pd.DataFrame, given: Given) -> Table:
    header = [str(name) for name in frame.columns]
    columns = find_columns(header, given, NAME, None)
    if columns.missing:
        raise missing_columns(columns, header, NAME, None)
    if not columns.names_judges:
        allowed = "it must have a column assessor, or name it with the option columns, such as assessor=coder"
        raise TrecFormatError(f"the header is {shown(','.join(header))}, without a judge", allowed, NAME)
    rows = enumerate(_cells(frame, columns), start=1)
    return Table(header, columns, typed_rows(rows, columns, NAME, lambda _, at: header[at]), 1, [])


def _cells(frame: pd.DataFrame, columns: Columns) -> Iterator[tuple[Any, ...]]:
    """The cells of each row as values of Python; an unused or missing cell is an empty text."""
    used = {*columns.positions.values(), *columns.judges.values()}
    of_grades = {*columns.judges.values(), columns.positions.get("relevance")}
    values: list[list[Any]] = []
    for at in range(len(frame.columns)):
        column = frame.iloc[:, at]
        if at not in used:
            values.append([""] * len(frame))
            continue
        cells: list[Any] = [
            "" if is_missing else plain(cell)
            for cell, is_missing in zip(column.astype(object), column.isna(), strict=True)
        ]
        values.append([int(cell) if isinstance(cell, bool) else cell for cell in cells] if at in of_grades else cells)
    return zip(*values, strict=True)


def _grades(votes: pd.DataFrame, scale: Sequence[Grade]) -> "pd.Series[Any]":
    """The grade of each row, None for no judgement; TrecFormatError for a label that is no grade of the scale."""
    by_text = {cell_text(plain(grade)): grade for grade in scale}
    grades: dict[str, Grade | None] = {}
    for label in votes["label"].unique():
        text = label.strip()
        grades[label] = by_text.get(text)
        if text not in by_text and text.lower() not in NO_JUDGEMENT and not _is_negative(text):
            row: Any = next(votes[votes["label"] == label].itertuples())
            allowed = f"it must be one of {', '.join(map(str, scale))}, or empty"
            what = f"{_whose(row)}: grade {shown(label)} is not on the scale"
            raise TrecFormatError(what, allowed, NAME, int(row.line), "relevance", label)
    return pd.Series([grades[label] for label in votes["label"]], index=votes.index, dtype=object)


# A row of `itertuples` has the columns as attributes, which type checkers do not know.
def _contradiction(row: Any) -> TrecFormatError:
    what = f"{_whose(row)}: grade {row.relevance} contradicts {row.first_grade} on line {row.first_line}"
    allowed = "a judge has one grade for a document of a topic"
    return TrecFormatError(what, allowed, NAME, int(row.line), "doc_id", row.doc_id)


def _whose(row: Any) -> str:
    return f"{shown(row.assessor)} on document {shown(row.doc_id)} of topic {shown(row.query_id)}"


def _is_negative(text: str) -> bool:
    number = parse_score(text, "float64")
    return number is not None and number < 0


def _notes(labels: pd.DataFrame, votes: pd.DataFrame, is_judged: "pd.Series[Any]", kept: pd.DataFrame) -> list[str]:
    """A sentence for each judge with unusual rows."""
    unjudged = votes[~is_judged]
    negative = unjudged["label"].map(lambda label: _is_negative(label.strip())).astype(bool)
    counted = {
        "other_kinds": labels[~labels["is_vote"]],
        "empty": unjudged[~negative],
        "number_ids": votes[votes[NUMBER_IDS]],
        "not_judged": unjudged[negative],
        "identical_pairs": votes[is_judged].drop(kept.index).drop_duplicates(ITEM),
    }
    counts = {name: rows["assessor"].value_counts() for name, rows in counted.items()}
    sentences = {
        str(judge): counts_sentence({name: int(of.get(judge, 0)) for name, of in counts.items()}, {})
        for judge in labels["assessor"].unique()
    }
    return [f"{judge}: {sentence}." for judge, sentence in sentences.items() if sentence]
