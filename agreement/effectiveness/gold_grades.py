"""A gold as arrays: its topics, the grade of every document, and the declared scale."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import described, numbers_of, plain
from pooling.ranking import places

GREATEST = 2**53  # beyond, float64 does not distinguish neighbouring integers
HIGHEST = 1000  # highest grade of a declared scale; ERR computes 2 to the power of it
# The smallest that fits, because the matrix of grades has a cell for each system, topic and rank.
INTEGERS = (np.int8, np.int16, np.int32, np.int64)


def grades_of(gold: pd.DataFrame) -> np.ndarray:
    """Return the relevance of every row, in the smallest type that can hold a number below the lowest grade."""
    grades = numbers_of(gold).to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(grades).all():
        row, grade = gold[~np.isfinite(grades)].iloc[0], grades[~np.isfinite(grades)][0]
        problem = "is missing" if np.isnan(grade) else f"must be finite, not {plain(grade)!r}"
        raise ValueError(f'The relevance of a gold {problem} ({described(row)}). Use -1 for "not judged".')
    if (np.abs(grades) > GREATEST).any():
        row = gold[np.abs(grades) > GREATEST].iloc[0]
        grade = plain(row.relevance)
        raise ValueError(f"A relevance must be between -2**53 and 2**53, not {grade!r} ({described(row)}).")
    if (grades != np.rint(grades)).any():
        return grades
    return grades.astype(next(kind for kind in INTEGERS if _fits(grades, np.iinfo(kind))))


def refuse_two_grades(gold: pd.DataFrame) -> None:
    """Raise ValueError if a document of a topic has two rows."""
    twice = gold.duplicated(["query_id", "doc_id"])
    if twice.any():
        raise ValueError(f"A document has two grades: {described(gold[twice].iloc[0])}.")


def refuse_off_scale(gold: pd.DataFrame, grades: np.ndarray, scale: Sequence[float]) -> None:
    """Raise ValueError if a grade is not on the scale; negative grades mean "not judged" and are allowed."""
    off = ~np.isin(grades, np.asarray(scale, dtype=np.float64)) & (grades >= 0)
    if off.any():
        row = gold[off].iloc[0]
        raise ValueError(f"Grade {plain(row.relevance)!r} is not on the scale {_listed(scale)} ({described(row)}).")


def highest_of(scale: Iterable[float] | None) -> float | None:
    """Return the highest grade of a scale; None without a scale."""
    if scale is None:
        return None
    grades = tuple(scale)
    numbers = all(isinstance(grade, (int, float, np.number)) and np.isfinite(grade) for grade in grades)
    if not numbers or len(grades) < 2 or grades[0] < 0 or (np.diff(grades) <= 0).any():
        raise ValueError(f"A scale must have two or more numbers of at least 0, lowest first, not {_listed(grades)}.")
    if grades[-1] > HIGHEST:
        raise ValueError(f"The highest grade of a scale must be at most {HIGHEST}, not {grades[-1]!r}.")
    return float(grades[-1]) if isinstance(grades[-1], np.number) else grades[-1]


def lowest(kind: np.dtype) -> float:
    """Return the number that means "unjudged" among grades of this type; it is below all of them."""
    number: float = kind.type(-np.inf if kind.kind == "f" else np.iinfo(kind).min)
    return number


def by_topic(topic: np.ndarray, grades: np.ndarray, values: np.ndarray, n_topics: int, fill: float) -> np.ndarray:
    """Return the values of every topic in a row, by grade, highest first, padded with `fill`.

    Shapes: `topic`, `grades`, `values` (n_rows,); the result (n_topics, most values of a topic).
    """
    order = np.lexsort((-grades.astype(np.float64), topic))
    position = places(topic[order])
    table = np.full((n_topics, position.max(initial=1)), fill, dtype=values.dtype)
    table[topic[order], position - 1] = values[order]
    return table


def _fits(grades: np.ndarray, limits: "np.iinfo[Any]") -> bool:
    # Above the lowest number of the type, which means "unjudged".
    return bool(limits.min < grades.min(initial=0) and grades.max(initial=0) <= limits.max)


def _listed(scale: Iterable[object]) -> str:
    return ", ".join(map(repr, scale))
