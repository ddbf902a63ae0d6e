"""Checks of the tables that callers pass: required columns, ids as strings, and how errors describe a row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pooling.inputs import Input, as_gold


def checked_frame(table: Input, ids: Sequence[str], value: str, what: str) -> pd.DataFrame:
    """The required columns of a table, with the ids as strings."""
    frame, columns = as_gold(table), [*ids, value]
    missing, what = [column for column in columns if column not in frame.columns], what[:1].upper() + what[1:]
    if missing:
        raise ValueError(f"{what} needs the columns {', '.join(columns)}; missing: {', '.join(missing)}.")
    frame = frame[columns].astype(dict.fromkeys(ids, "str"))
    for column in ids:
        if frame[column].isna().any():
            raise ValueError(f"{what} needs a {column} in every row; one is missing.")
    return frame


def described(row: "pd.Series[Any]", *columns: str) -> str:
    """A row for an error: "assessor 'ada', topic '301', document 'd7', grade 4"; by default topic and document."""
    words = {"query_id": "topic", "doc_id": "document", "relevance": "grade"}
    return ", ".join(f"{words.get(name, name)} {plain(row[name])!r}" for name in columns or ("query_id", "doc_id"))


def numbers_of(frame: pd.DataFrame) -> "pd.Series[Any]":
    """The relevance of a table as numbers; ValueError for text, which is never read as a number."""
    relevance = frame["relevance"]
    if pd.api.types.is_numeric_dtype(relevance.dtype):
        return relevance
    wrong = relevance.notna() & ~relevance.map(lambda value: isinstance(value, (int, float, np.number)))
    if wrong.any():
        row = frame[wrong.to_numpy(dtype=bool)].iloc[0]
        raise ValueError(f"A relevance must be a number, not {plain(row['relevance'])!r} ({described(row)}).")
    return pd.to_numeric(relevance)


def float_column(values: np.ndarray) -> pd.arrays.FloatingArray:
    """Numbers as a column of a table; nan is NA."""
    missing = np.isnan(values)
    return pd.arrays.FloatingArray(np.where(missing, 0, values), missing)


def plain(value: Any) -> Any:
    """A number of numpy as a number of Python, whose repr is shorter; other values unchanged."""
    return value.item() if isinstance(value, np.generic) else value
