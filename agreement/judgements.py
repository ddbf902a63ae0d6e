"""Tables of judgements, read and checked: the door through which every judgement comes.

*Refused*, with a ValueError that names assessor, item and grade: two judgements of one assessor on one item,
and a grade off the scale.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.frames import checked

MISSING = -1
IDS = ["assessor", "query_id", "doc_id"]


def checked_scale(scale: Sequence) -> tuple:
    """The scale as a tuple; ValueError where it is none."""
    grades = tuple(scale)
    if len(grades) < 2 or len(set(grades)) < len(grades):
        raise ValueError(f"a scale has two or more different grades, lowest first; got {grades!r}")
    if MISSING in grades:
        raise ValueError(f"-1 stands for 'not judged' and is no grade of a scale; got {grades!r}")
    return grades


def first_judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """The judgements of repeat 0, with the ids as strings; adjudications (column `adjudicated`) are none.

    ValueError where an assessor judged an item twice, or a column says what it cannot.
    """
    if "repeat" in frame.columns:
        frame = frame[_numbers_of(frame["repeat"], "repeat", "a whole number, 0 for the first time") == 0]
    frame = frame[~adjudicated(frame)]
    frame = checked(frame, IDS, "relevance", "a table of judgements")
    twice = frame.duplicated(IDS)
    if twice.any():
        raise ValueError(f"judged twice: {_place(frame[twice].iloc[0])}")
    return frame


def adjudicated(frame: pd.DataFrame) -> np.ndarray:
    """Which rows are adjudications: decisions and no votes. ValueError where the column is neither true nor false."""
    if "adjudicated" not in frame.columns:
        return np.zeros(len(frame), dtype=bool)
    marks = frame["adjudicated"]
    found = _numbers_of(marks.mask(marks.isna(), False).astype(object), "adjudicated", "true or false")
    if not found.isin([0, 1]).all():
        raise ValueError(f"adjudicated is true or false; got {marks[~found.isin([0, 1])].iloc[0]}")
    return found.to_numpy(dtype=bool)


def _numbers_of(column: pd.Series, name: str, allowed: str) -> pd.Series:
    numbers = pd.to_numeric(column.astype(object), errors="coerce")
    if numbers.isna().any():
        raise ValueError(f"{name} is {allowed}; got {column[numbers.isna()].iloc[0]!r}")
    return numbers


def not_judged(relevance: pd.Series) -> np.ndarray:
    """True where a relevance stands for "not judged": -1, None, NaN, NA."""
    return (relevance.isna() | relevance.eq(MISSING).fillna(False)).to_numpy(dtype=bool)


def positions_on(scale: tuple, frame: pd.DataFrame) -> np.ndarray:
    """Position on the scale of every row's relevance, -1 for not judged; ValueError for a grade off it."""
    relevance = frame["relevance"]
    positions = pd.Index(scale, dtype=object).get_indexer(relevance.astype(object))
    off = (positions == MISSING) & ~not_judged(relevance)
    if off.any():
        place = _place(frame[off].iloc[0])
        raise ValueError(f"off the scale {', '.join(map(str, scale))}: {place}")
    return positions


def named(names: Sequence | None, size: int, what: str) -> Sequence:
    """As many names as are needed, "1", "2", ... where none are given; ValueError where there are more or fewer."""
    if names is None:
        return [str(number + 1) for number in range(size)]
    if len(names) != size:
        raise ValueError(f"{what}: {size} names are needed; got {len(names)}")
    return names


def _place(row: pd.Series) -> str:
    return f"assessor {row.assessor}, topic {row.query_id}, document {row.doc_id}, grade {row.relevance}"
