"""What a gold says, as arrays: its topics, the grade of every document, and the declared scale that it is held to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from pooling.ranking import places

# What every function of this library accepts as golds.
Golds: TypeAlias = pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[pd.DataFrame]

GREATEST = 2**53
HIGHEST = 1000  # of a declared scale: ERR takes 2 to its power
INTEGERS = (np.int8, np.int16, np.int32, np.int64)


def grades_of(gold: pd.DataFrame) -> np.ndarray:
    """The relevance of every row, in the smallest type that has room below the lowest.

    Raises
    ------
    ValueError
        A relevance is no number.
    """
    grades = gold["relevance"].to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(grades).all():
        raise ValueError("every relevance of a gold is a number; one is missing or infinite")
    if (np.abs(grades) > GREATEST).any():
        row = gold[np.abs(grades) > GREATEST].iloc[0]
        place = f"topic {row.query_id}, document {row.doc_id}"
        raise ValueError(f"{place} has the relevance {row.relevance}; at most 2**53 is told apart from its neighbours")
    if (grades != np.rint(grades)).any():
        return grades
    return grades.astype(next(kind for kind in INTEGERS if _has_room(grades, np.iinfo(kind))))


def refuse_two_grades(gold: pd.DataFrame) -> None:
    """ValueError where a document of a topic has two rows."""
    twice = gold.duplicated(["query_id", "doc_id"])
    if twice.any():
        row = gold[twice].iloc[0]
        raise ValueError(f"two grades for one document: topic {row.query_id}, document {row.doc_id}")


def refuse_off_scale(gold: pd.DataFrame, grades: np.ndarray, scale: Sequence) -> None:
    """ValueError where a grade is not on the scale; negative ones say "not judged" and may stand."""
    off = ~np.isin(grades, np.asarray(scale, dtype=np.float64)) & (grades >= 0)
    if off.any():
        row = gold[off].iloc[0]
        place = f"topic {row.query_id}, document {row.doc_id}"
        raise ValueError(f"{place} has the grade {row.relevance}, which is not on the scale {_said(scale)}")


def highest_of(scale: Sequence | None) -> float | None:
    """The highest grade of a scale; None where none was declared.

    Raises
    ------
    ValueError
        The scale is not of ascending numbers from 0, two or more.
    """
    if scale is None:
        return None
    grades = tuple(scale)
    numbers = all(isinstance(grade, (int, float, np.number)) and np.isfinite(grade) for grade in grades)
    if not numbers or len(grades) < 2 or grades[0] < 0 or (np.diff(grades) <= 0).any():
        raise ValueError(f"a scale of golds has two or more numbers from 0, lowest first; got {_said(grades)}")
    if grades[-1] > HIGHEST:
        raise ValueError(f"the highest grade of a scale is at most {HIGHEST}; got {grades[-1]}")
    return grades[-1]


def lowest(kind: np.dtype) -> float:
    """What stands for "unjudged" among grades of this type: it is below all of them."""
    return kind.type(-np.inf if kind.kind == "f" else np.iinfo(kind).min)


def by_topic(topic: np.ndarray, grades: np.ndarray, values: np.ndarray, n_topics: int, fill) -> np.ndarray:
    """The values of every topic in a row, that of the highest grade first, then `fill`.

    Parameters
    ----------
    topic : ndarray of int, shape (n_rows,)
    grades, values : ndarray, shape (n_rows,)
        What to order by, and what to put down.

    Returns
    -------
    ndarray, shape (n_topics, most rows of a topic; 1 or more)
    """
    order = np.lexsort((-grades.astype(np.float64), topic))
    place = places(topic[order])
    table = np.full((n_topics, place.max(initial=1)), fill, dtype=values.dtype)
    table[topic[order], place - 1] = values[order]
    return table


def _has_room(grades: np.ndarray, limits: np.iinfo) -> bool:
    return limits.min < grades.min(initial=0) and grades.max(initial=0) <= limits.max


def _said(scale: Sequence) -> str:
    return ", ".join(map(str, scale))
