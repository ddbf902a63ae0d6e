"""Checks of the options and tables that callers pass.

The error of an option names it, what is allowed, and the value; the error of a table describes the row.
"""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from pooling.inputs import Input, as_gold


def whole_number(name: str, value: Any, least: int) -> int:
    """Return a whole number of at least `least`; ValueError for anything else, also for a text, True or nan.

    Examples
    --------
    >>> from agreement.checks import whole_number
    >>> whole_number("draws", 1e4, 1)
    10000
    """
    if not _is_number(value) or not isfinite(value) or int(value) != value or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {plain(value)!r}.")
    return int(value)


def number(name: str, value: Any, allowed: str, within: Callable[[float], bool]) -> float:
    """Return a number within bounds as a float; ValueError for anything else.

    Examples
    --------
    >>> from agreement.checks import number
    >>> number("width", 1, "a number above 0", lambda value: value > 0)
    1.0
    """
    if not _is_number(value) or not within(value):
        raise ValueError(f"{name} must be {allowed}, not {plain(value)!r}.")
    return float(value)


def level(name: str, value: Any, example: float) -> float:
    """Return a number between 0 and 1; ValueError for anything else, with an example of what is allowed."""
    return number(name, value, f"between 0 and 1, such as {example}", lambda number: 0 < number < 1)


def choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return one of several words; ValueError for anything else."""
    words = list(choices)
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, not {value!r}.")
    return value


def flag(name: str, value: Any) -> bool:
    """Return True or False; ValueError for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {plain(value)!r}.")
    return bool(value)


def optional_seed(seed: Any) -> int | None:
    """Return None or a whole number of at least 0; ValueError for anything else."""
    return None if seed is None else whole_number("seed", seed, 0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


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
