"""The scale that a model is asked for: grades of one digit, lowest first, each with a label and a meaning."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from pooling.choices import MAX_GRADES, MIN_GRADES
from pooling.errors import shown
from pooling.formats.courses.pairs import PoolGrade

Scale: TypeAlias = tuple[PoolGrade, ...]
MAX_GRADE_TEXT = 2_000  # characters of a label or a meaning


def checked_scale(rows: Iterable[Sequence[Any]]) -> Scale:
    """Return a scale of rows (grade, label, meaning); label and meaning may be missing.

    Parameters
    ----------
    rows : iterable of sequence
        One row for each grade, lowest first.

    Returns
    -------
    tuple of PoolGrade
        The grades with `value`, `name` and `meaning`.

    Raises
    ------
    ValueError
        If there are not 2 to 10 different grades from 0 to 9 in ascending order.

    Examples
    --------
    >>> from pooling.models import checked_scale
    >>> [grade.name for grade in checked_scale([(0, "Not relevant"), (1, "Relevant", "answers the question")])]
    ['Not relevant', 'Relevant']
    """
    scale = tuple(map(_grade, rows))
    values = [grade.value for grade in scale]
    if not MIN_GRADES <= len(scale) <= MAX_GRADES or values != sorted(set(values)):
        raise ValueError(
            f"A scale needs {MIN_GRADES} to {MAX_GRADES} different grades, lowest first, not "
            f"{', '.join(map(str, values)) or 'none'}."
        )
    return scale


def values_of(scale: Scale) -> list[int]:
    """Return the grades as numbers."""
    return [grade.value for grade in scale]


def scale_text(scale: Scale) -> str:
    """Return the scale as lines for a prompt.

    Examples
    --------
    >>> print(scale_text(checked_scale([(0, "Not relevant"), (1, "Relevant", "answers the question")])))
    0 = Not relevant
    1 = Relevant: answers the question
    """
    return "\n".join(_line(grade) for grade in scale)


def _line(grade: PoolGrade) -> str:
    parts = (f"{grade.value} = {grade.name}" if grade.name else str(grade.value), grade.meaning)
    return ": ".join(part for part in parts if part)


def _grade(row: Sequence[Any]) -> PoolGrade:
    if isinstance(row, str) or not isinstance(row, Sequence) or not 1 <= len(row) <= 3:
        raise ValueError(f"A grade must be (grade, label, meaning), not {shown(repr(row))}.")
    value, *texts = row
    if type(value) is not int or not 0 <= value < MAX_GRADES:
        raise ValueError(f"A grade must be an integer from 0 to {MAX_GRADES - 1}, not {shown(repr(value))}.")
    if any(not isinstance(text, str) or len(text) > MAX_GRADE_TEXT for text in texts):
        raise ValueError(f"Label and meaning of grade {value} must be texts of at most {MAX_GRADE_TEXT:,} characters.")
    return PoolGrade(value, *([*texts, "", ""][:2]))
