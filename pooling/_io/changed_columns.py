"""Find ids that a spreadsheet has probably changed in whole columns; `pooling.changed_ids` has the rule.

The ids of a run are many, and nearly all columns have none that was changed. So the ends of all ids are compared with
the ends that a changed id can have, and only the ids that may be changed are read as texts.
"""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pooling.changed_ids import ALLOWED, CANDIDATE, EXACT_DIGITS, PROBLEM, changed_ids
from pooling.errors import shown

# The sign of a changed id, and its places from the end: 301.0, 301.00; 1E+11, 1E+100; May-01, 1-May, 1-May-2024.
SIGNS = {".": (2, 3), "+": (3, 4), "-": (3, 4, 5)}


def has_changed_ids(column: pa.Array) -> bool:
    """Whether a spreadsheet has probably changed an id of a column of type large_string, without nulls."""
    candidates = _candidates(column)
    if candidates is None or not candidates.any():
        return False
    found = column.filter(pa.array(candidates)).unique().to_pylist()
    return any(map(CANDIDATE.fullmatch, found)) and bool(changed_ids(column.unique().to_pylist()))


def refuse_changed_ids(column: "pd.Series[Any]") -> None:
    """Raise ValueError if a spreadsheet has probably changed an id of a column of texts; its name is in the error."""
    texts = pa.array(column.array, pa.large_string())
    texts = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts  # of concatenated tables
    texts = texts.drop_null() if texts.null_count else texts
    if len(texts) and has_changed_ids(texts):
        changed = changed_ids(texts.unique().to_pylist())
        value = next(text for text in column if text in changed)
        raise ValueError(f"{column.name} {shown(value)} {PROBLEM}; {ALLOWED}.")


def _candidates(column: pa.Array) -> np.ndarray | None:
    """True for all ids that may be changed, and for some others; None if there is none."""
    _, buffer, text = column.buffers()
    offsets = np.frombuffer(buffer, np.int64)[column.offset : column.offset + len(column) + 1]
    if offsets[0] == offsets[-1]:
        return None
    codes = np.frombuffer(text, np.uint8)[offsets[0] : offsets[-1]]
    signs = _signs(codes)
    has_long = np.diff(offsets).max() > EXACT_DIGITS
    if not signs and not has_long:
        return None
    ends = offsets[1:] - offsets[0]
    found = np.zeros(len(ends), bool)
    for sign in signs:
        found |= _ends_with(sign, codes, ends)
    return found | _may_be_cut(codes, ends, np.diff(offsets)) if has_long else found


def _signs(codes: np.ndarray) -> list[str]:
    """The signs of changed ids that the characters have; a date has small letters as well."""
    if codes.min() >= ord("0"):  # all signs are below the digits
        return []
    content = codes.tobytes()
    has_letters = codes.max() >= ord("a")
    return [sign for sign in SIGNS if (sign != "-" or has_letters) and sign.encode() in content]


def _ends_with(sign: str, codes: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Whether the sign is at one of its places; a short id may give a wrong yes."""
    found = np.zeros(len(ends), bool)
    for place in SIGNS[sign]:
        found |= codes[np.maximum(ends - place, 0)] == ord(sign)
    if sign == "-" and found.any():
        beside = [codes[np.maximum(ends - place, 0)] >= ord("a") for place in (1, 4, 6)]  # the end of the month
        found &= np.logical_or.reduce(beside)
    return found


def _may_be_cut(codes: np.ndarray, ends: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Whether an id of more than 15 characters begins with a digit and ends with 0."""
    found = np.zeros(len(ends), bool)
    long = np.flatnonzero(lengths > EXACT_DIGITS)
    found[long] = (codes[ends[long] - lengths[long]] <= ord("9")) & (codes[ends[long] - 1] == ord("0"))
    return found
