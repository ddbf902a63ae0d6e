"""Ids that a spreadsheet has probably changed, such as "301.0" for 301. Files with such ids are refused.

A spreadsheet reads an id as a number or a date if it can, and writes another text. Different ids may become the same
one. Whether an id was changed depends on the other ids of its column:

============================ ==========================================================================================
id                           looks changed
============================ ==========================================================================================
``1.23457E+11``              always: a number in scientific notation with a sign
``1-May``, ``May-01``        always: a date with an English month, also with a year (``1-May-24``)
``301.0``                    unless the column has other decimals, such as ``12.3``: then ids are numbers of sections
``1234567890123450000``      if all ids of more than 15 digits have only zeros after the 15th digit, and these zeros
                             are three or more in total; a random chance is below 1 in 1,000
============================ ==========================================================================================

The ids of a run are many, and nearly all columns have none that was changed. So `has_changed_ids` compares the ends of
all ids with the ends that a changed id can have, and reads only the ids that may be changed as texts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pooling.errors import FormatError, shown

EXACT_DIGITS = 15  # of a number in a spreadsheet
LEAST_ZEROS = 3
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
YEAR = "(?:[0-9]{2}|[0-9]{4})"
DATE = f"[0-9]{{1,2}}-{MONTH}(?:-{YEAR})?|{MONTH}-{YEAR}"
SCIENTIFIC = r"[0-9](?:\.[0-9]+)?[Ee]\+[0-9]{2,3}"
DECIMAL, LONG = r"[0-9]+\.00?", rf"[1-9][0-9]{{{EXACT_DIGITS - 1}}}0+"
CANDIDATE = re.compile(f"(?:{DATE}|{SCIENTIFIC}|{DECIMAL}|{LONG})")
IS_DECIMAL, IS_LONG, IS_CUT = re.compile(DECIMAL), re.compile(rf"[0-9]{{{EXACT_DIGITS + 1},}}"), re.compile(LONG)
NUMBERED = re.compile(r"[0-9]+(?:\.[0-9]+)+")
PROBLEM = "looks changed by a spreadsheet"
ALLOWED = "take the ids from the original data, and export the column as text"
# The sign of a changed id, and its places from the end: 301.0, 301.00; 1E+11, 1E+100; May-01, 1-May, 1-May-2024.
SIGNS = {".": (2, 3), "+": (3, 4), "-": (3, 4, 5)}


def changed_ids(ids: Iterable[str]) -> frozenset[str]:
    """The ids of a column that a spreadsheet has probably changed.

    Parameters
    ----------
    ids : iterable of str
        All ids of the column.

    Returns
    -------
    frozenset of str

    Examples
    --------
    >>> from pooling.changed_ids import changed_ids
    >>> sorted(changed_ids(["301.0", "1.23457E+11", "1-May", "FT911-3"]))
    ['1-May', '1.23457E+11', '301.0']
    >>> sorted(changed_ids(["1.0", "1.1", "1.2"]))
    []
    """
    own = set(ids)
    found = {text for text in own if CANDIDATE.fullmatch(text)}
    if found and any(NUMBERED.fullmatch(text) and not IS_DECIMAL.fullmatch(text) for text in own):
        found = {text for text in found if not IS_DECIMAL.fullmatch(text)}
    cut = {text for text in found if IS_CUT.fullmatch(text)}
    zeros = sum(len(text) - EXACT_DIGITS for text in cut)
    if zeros < LEAST_ZEROS or any(IS_LONG.fullmatch(text) for text in own - cut):
        found -= cut
    return frozenset(found)


def changed_id_error(
    column: str, value: str, file: str, line: int | None, error: type[FormatError] = FormatError
) -> FormatError:
    """The error about an id that a spreadsheet has probably changed.

    Examples
    --------
    >>> from pooling.changed_ids import changed_id_error
    >>> print(changed_id_error("query_id", "301.0", "a.csv", 2))  # doctest: +NORMALIZE_WHITESPACE
    a.csv, line 2: query_id '301.0' looks changed by a spreadsheet; take the ids from the original data, and export
    the column as text
    """
    return error(f"{column} {shown(value)} {PROBLEM}", ALLOWED, file, line, column, value)


def changed_rows(columns: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """The places of rows with such an id, ascending, each with the name of the first column that has one.

    Examples
    --------
    >>> from pooling.changed_ids import changed_rows
    >>> changed_rows({"query_id": ["301", "301"], "doc_id": ["d1", "1-May"]})
    {1: 'doc_id'}
    """
    found: dict[int, str] = {}
    for name, texts in columns.items():
        if changed := changed_ids(texts):
            for place, text in enumerate(texts):
                if text in changed:
                    found.setdefault(place, name)
    return dict(sorted(found.items()))


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
