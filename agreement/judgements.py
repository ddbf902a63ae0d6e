"""Validation of tables of judgements.

Two judgements of one assessor on one item and a grade that is not on the scale are errors. The message names the
assessor, the item and the grade.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import checked_frame, described, plain

MISSING = -1
MARKS = {"": False, "true": True, "false": False}
IDS = ["assessor", "query_id", "doc_id"]

Grade = int | float | str
Scale = tuple[Grade, ...]
Names = Sequence[Any] | npt.NDArray[Any]


def checked_scale(scale: Sequence[Grade]) -> Scale:
    """The scale as a tuple.

    ValueError if it has fewer than two grades, a grade twice, a negative grade, or numbers that do not ascend.
    """
    if isinstance(scale, (str, bytes)) or not isinstance(scale, Iterable):
        raise TypeError(f"scale must list the grades, lowest first, such as (0, 1, 2), not {scale!r}.")
    grades = tuple(scale)
    if len(grades) < 2 or len(set(grades)) < len(grades):
        raise ValueError(f"A scale must have two or more different grades, lowest first, not {grades!r}.")
    numbers = [cast("float", grade) for grade in grades if _is_number(grade)]
    if negative := [grade for grade in numbers if grade < 0]:
        raise ValueError(f"A scale must not have the grade {negative[0]!r}: negative grades mean 'not judged'.")
    if numbers != sorted(numbers):
        raise ValueError(
            f"A scale must have its lowest grade first, such as {tuple(sorted(numbers))!r}, not {grades!r}."
        )
    return grades


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def first_judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """The judgements of repeat 0 without adjudicated rows, with the ids as strings.

    ValueError if an assessor judged an item twice, or a value of `repeat` or `adjudicated` is not allowed.
    """
    if "repeat" in frame.columns:
        frame = frame[_numbers_of(frame["repeat"], "repeat", "a whole number, 0 for the first judgement") == 0]
    frame = frame[~adjudicated(frame)]
    frame = checked_frame(frame, IDS, "relevance", "a table of judgements")
    twice = frame.duplicated(IDS)
    if twice.any():
        row = frame[twice].iloc[0]
        raise ValueError(f"An item was judged twice by one assessor: {described(row, *IDS, 'relevance')}.")
    return frame


def adjudicated(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """A mask of the rows that are adjudications, which are decisions and not votes.

    ValueError if a value of the column `adjudicated` is neither true nor false.
    """
    if "adjudicated" not in frame.columns:
        return np.zeros(len(frame), dtype=bool)
    marks = frame["adjudicated"].map(_read_mark)
    values = _numbers_of(marks.mask(marks.isna(), False).astype(object), "adjudicated", "true or false")
    if not values.isin([0, 1]).all():
        raise ValueError(f"adjudicated must be true or false, not {plain(marks[~values.isin([0, 1])].iloc[0])!r}.")
    return values.to_numpy(dtype=bool)


def _read_mark(mark: Any) -> Any:
    """A mark as in a file: true, false, or empty for false. Other values stay as they are."""
    return MARKS.get(mark.lower(), mark) if isinstance(mark, str) else mark


def _numbers_of(column: "pd.Series[Any]", name: str, allowed: str) -> "pd.Series[Any]":
    numbers = pd.to_numeric(column.astype(object), errors="coerce")
    if numbers.isna().any():
        raise ValueError(f"{name} must be {allowed}, not {column[numbers.isna()].iloc[0]!r}.")
    return numbers


def not_judged(relevance: "pd.Series[Any]") -> npt.NDArray[np.bool_]:
    """A mask of the values that mean "not judged": negative numbers, None, NaN and NA."""
    if pd.api.types.is_numeric_dtype(relevance.dtype):
        negative = relevance.lt(0).fillna(False)
    else:
        negative = relevance.map(lambda value: _is_number(value) and value < 0)
    return (relevance.isna() | negative.astype(bool)).to_numpy(dtype=bool)


def positions_on(scale: Scale, frame: pd.DataFrame) -> npt.NDArray[np.intp]:
    """The position on the scale of each row's relevance, -1 for "not judged"; ValueError for another grade."""
    relevance = frame["relevance"]
    positions = pd.Index(scale, dtype=object).get_indexer(pd.Index(relevance, dtype=object))
    off = (positions == MISSING) & ~not_judged(relevance)
    if off.any():
        location = described(frame[off].iloc[0], *IDS, "relevance")
        raise ValueError(f"A grade is not on the scale {', '.join(map(repr, scale))}: {location}.")
    return positions


def named(names: Names | None, size: int, what: str) -> Names:
    """`names`, or "1", "2", ... if None; ValueError if there are more or fewer than `size`."""
    if names is None:
        return [str(number + 1) for number in range(size)]
    if len(names) != size:
        raise ValueError(f"{what} must have {size} names, not {len(names)}.")
    return names


def padded_numbers(size: int) -> list[str]:
    """The numbers from 1, with leading zeros, so that they sort as texts: "01", ..., "10"."""
    width = len(str(size))
    return [f"{number:0{width}}" for number in range(1, size + 1)]
