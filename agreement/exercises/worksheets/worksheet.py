"""A worksheet: the tables it displays, the questions it asks, and their answers.

A worksheet is a list of questions in the order of the solution. A question is a `Field`, answered by a number, or a
`Choice`, answered by the key of an option. `Worksheet.public_data` returns what a page may show to students: no
answers, solutions or hints. `Worksheet.answer_key` is for the instructor.

A number is right if it lies within half a unit of the last requested digit of the exact value. So the exact value
rounded to these digits is right, both neighbours of a value halfway between them are right, and additional digits are
right if they agree with the exact value. A count (no digits after the point) must be exact.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from agreement.exercises.worksheets.mistake import Mistake

Exact: TypeAlias = Fraction | float
DIGITS = 4


def format_number(value: Exact, digits: int = DIGITS) -> str:
    """Format a number for a solution: rounded, without trailing zeros, with a minus sign (U+2212).

    Examples
    --------
    >>> format_number(Fraction(1, 3)), format_number(-0.5)
    ('0.3333', '−0.5')
    """
    text = f"{float(value):z.{digits}f}"
    return (text.rstrip("0").rstrip(".") if digits else text).replace("-", "−")


def equals_rounded(value: Exact, exact: Exact, digits: int) -> bool:
    """Return whether a number equals the exact value to some digits.

    Examples
    --------
    >>> equals_rounded(0.6667, Fraction(2, 3), 4), equals_rounded(0.6666, Fraction(2, 3), 4)
    (True, False)
    """
    unit = Fraction(1, 10**digits) if digits else Fraction()
    return 2 * abs(Fraction(value) - Fraction(exact)) <= unit


@dataclass(frozen=True)
class Exhibit:
    """A table that a worksheet displays: a contingency table, a ranking, judgements, or single numbers.

    Attributes
    ----------
    kind : str
        "contingency", "ranking", "judgements" or "facts".
    caption : str
    columns : tuple of str
        Column headings.
    rows : tuple of (str, tuple of str or int)
        The name of each row, and a cell for each column.
    """

    kind: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str | int, ...]], ...]

    def public_data(self) -> dict[str, Any]:
        """Return the table as JSON-compatible data: kind, caption, columns and rows (name, cells)."""
        rows = [{"name": name, "cells": list(cells)} for name, cells in self.rows]
        return {"kind": self.kind, "caption": self.caption, "columns": list(self.columns), "rows": rows}


@dataclass(frozen=True)
class Field:
    """A question that is answered by a number. Use `number_field` to make one, which filters the mistakes.

    Attributes
    ----------
    name : str
        Unique in the worksheet. Stored with students' answers, so it must not change.
    label : str
        The question.
    exact : Fraction or float
        The right number, not rounded.
    digits : int
        Requested digits after the point; 0 for a count.
    solution : str
        The calculation with its numbers.
    default_hint : str
        The hint for a wrong number that no mistake explains.
    marks : int
        Marks for a right answer.
    mistakes : tuple of Mistake
        Typical mistakes, with the wrong numbers that they lead to.
    """

    name: str
    label: str
    exact: Exact
    digits: int
    solution: str
    default_hint: str
    marks: int = 1
    mistakes: tuple[Mistake, ...] = ()

    def is_right(self, value: Exact) -> bool:
        """Return whether a number is right: within half a unit of the last requested digit."""
        return equals_rounded(value, self.exact, self.digits)

    @property
    def answer(self) -> str:
        """The right number, rounded to the requested digits."""
        return format_number(self.exact, self.digits)

    def public_data(self) -> dict[str, Any]:
        """Return what a page may show: name, label, marks, kind, digits and options (empty)."""
        data = {"name": self.name, "label": self.label, "marks": self.marks}
        return {**data, "kind": "number", "digits": self.digits, "options": []}


@dataclass(frozen=True)
class Option:
    """One option of a choice.

    Attributes
    ----------
    key : str
        Unique in the choice. Stored with students' answers, so it must not change.
    text : str
    hint : str
        The hint if this option is chosen wrongly; empty for the hint of the choice.
    """

    key: str
    text: str
    hint: str = ""


@dataclass(frozen=True)
class Choice:
    """A question that is answered by one of several options.

    Attributes
    ----------
    name : str
        Unique in the worksheet. Stored with students' answers, so it must not change.
    label : str
        The question.
    options : tuple of Option
    right_key : str
        The key of the right option.
    solution : str
        Why the option is right.
    default_hint : str
        The hint for a wrong option without its own hint.
    marks : int
        Marks for the right option.

    Raises
    ------
    ValueError
        `right_key` is not the key of an option.
    """

    name: str
    label: str
    options: tuple[Option, ...]
    right_key: str
    solution: str
    default_hint: str
    marks: int = 1

    def __post_init__(self) -> None:
        """Check that the right option exists."""
        if self.right_key not in self.keys:
            raise ValueError(f"The right option must be one of {', '.join(self.keys)}, not {self.right_key!r}.")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the options, in their order."""
        return tuple(option.key for option in self.options)

    def option(self, key: str) -> Option:
        """Return the option with this key."""
        return next(option for option in self.options if option.key == key)

    @property
    def answer(self) -> str:
        """The text of the right option."""
        return self.option(self.right_key).text

    def public_data(self) -> dict[str, Any]:
        """Return what a page may show: name, label, marks, kind, digits (None) and options (key, text)."""
        options = [{"key": option.key, "text": option.text} for option in self.options]
        data = {"name": self.name, "label": self.label, "marks": self.marks}
        return {**data, "kind": "choice", "digits": None, "options": options}


@dataclass(frozen=True)
class Worksheet:
    """A story, the tables that it displays, and the questions that it asks.

    Attributes
    ----------
    key : str
        Identifies the worksheet. Stored with students' answers, so it must not change.
    title, story : str
    exhibits : tuple of Exhibit
    fields : tuple of Field or Choice
        In the order of the solution.
    source : str
        The publication that the numbers come from; empty for made-up numbers.

    Raises
    ------
    ValueError
        Two fields have the same name.
    """

    key: str
    title: str
    story: str
    exhibits: tuple[Exhibit, ...]
    fields: tuple[Field | Choice, ...]
    source: str = ""

    def __post_init__(self) -> None:
        """Check that names of fields are unique."""
        names = [field.name for field in self.fields]
        if len(set(names)) < len(names):
            raise ValueError(f"The fields of a worksheet must have different names, not {', '.join(names)}.")

    @property
    def marks(self) -> int:
        """Highest possible marks."""
        return sum(field.marks for field in self.fields)

    def field(self, name: str) -> Field | Choice:
        """Return a field by its name."""
        for field in self.fields:
            if field.name == name:
                return field
        raise ValueError(
            f"Worksheet {self.key!r} has no field {name!r}. Its fields are {', '.join(f.name for f in self.fields)}."
        )

    def public_data(self) -> dict[str, Any]:
        """Return what a page may show, as JSON-compatible data without answers, solutions and hints."""
        return {
            "key": self.key,
            "title": self.title,
            "story": self.story,
            "source": self.source,
            "marks": self.marks,
            "exhibits": [exhibit.public_data() for exhibit in self.exhibits],
            "fields": [field.public_data() for field in self.fields],
        }

    def answer_key(self) -> list[dict[str, Any]]:
        """Return name, label, answer, solution and marks of every field."""
        names = ("name", "label", "answer", "solution", "marks")
        return [{name: getattr(field, name) for name in names} for field in self.fields]


def number_field(
    name: str,
    label: str,
    exact: Exact,
    calculation: str,
    default_hint: str,
    *,
    mistakes: Iterable[Mistake] = (),
    digits: int = DIGITS,
    marks: int = 1,
    note: str = "",
) -> Field:
    """Make a field for a number, without mistakes that happen to lead to the right number."""
    solution = " ".join(filter(None, (f"{calculation} = {format_number(exact, digits)}", note)))
    field = Field(name, label, exact, digits, solution, default_hint, marks)
    return replace(field, mistakes=tuple(_wrong_only(field, mistakes)))


def _wrong_only(field: Field, mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    for mistake in mistakes:
        values = tuple(value for value in mistake.values if not field.is_right(value))
        if values:
            yield replace(mistake, values=values)
