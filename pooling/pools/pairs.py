"""Pairs of query_id and doc_id that are given to a pool: documents to add, and judged documents to leave out."""

import math
from numbers import Real

import numpy as np
import pandas as pd

from pooling.errors import shown
from pooling.ids import ALLOWED_ID, id_problem
from pooling.inputs import Input, as_gold


def pairs_of(frame: pd.DataFrame) -> pd.MultiIndex:
    """The pairs of query_id and doc_id of a table, row by row."""
    return pd.MultiIndex.from_frame(frame[["query_id", "doc_id"]])


def checked_judged(gold: Input) -> pd.DataFrame:
    """The distinct judged pairs of query_id and doc_id; ValueError if one is invalid."""
    judged = as_gold(gold)
    if "relevance" in judged.columns and len(judged):
        check_grades(judged, "judged")
        judged = judged[judged["relevance"] >= 0]
    return checked_pairs(judged, "judged documents")


def check_grades(gold: pd.DataFrame, what: str) -> None:
    """Raise ValueError if a relevance is not a finite number; `what` has it is for the error."""
    column = gold["relevance"]
    if pd.api.types.is_numeric_dtype(column):
        wrong = ~np.isfinite(column.to_numpy(dtype=np.float64, na_value=np.nan))
    else:
        wrong = np.array([not isinstance(value, Real) or not math.isfinite(value) for value in column], dtype=bool)
    if not wrong.any():
        return
    row = int(wrong.argmax())
    value = column.iloc[row]
    ids = {name: gold[name].iloc[row] for name in ("doc_id", "query_id") if name in gold.columns}
    where = f"that of document {ids.get('doc_id')!r} of topic {ids.get('query_id')!r}" if len(ids) == 2 else "one"
    raise ValueError(
        f"every relevance of {what} must be a finite number, negative for not judged; {where} is"
        f" {value.item() if isinstance(value, np.generic) else value!r}"
    )


def checked_pairs(table: Input, what: str) -> pd.DataFrame:
    """The distinct pairs of query_id and doc_id; ValueError if one is invalid."""
    documents = as_gold(table)
    if missing := [column for column in ("query_id", "doc_id") if column not in documents.columns]:
        raise ValueError(f"{what} need the columns query_id, doc_id; missing: {', '.join(missing)}")
    pairs = documents[["query_id", "doc_id"]]
    if pairs.isna().any(axis=None):
        raise ValueError(f"{what} need a query_id and a doc_id in every row; at least one is missing")
    pairs = pairs.astype("str").drop_duplicates()
    for column in pairs:
        for text in pairs[column].unique():
            if problem := id_problem(text):
                raise ValueError(f"{column} {shown(text)} {problem}; {ALLOWED_ID}")
    return pairs
