"""What a worksheet is made of: what it shows, what it asks, and what it keeps to itself.

A worksheet is a list of questions in the order of the working. A question is a `Field`, answered by a number, or a
`Choice`, answered by the key of an option. `Worksheet.shown` is what may go to a page: no answer, solution or slip is
in it. `Worksheet.answers` is the key, for the instructor.

The rule by which a number is right: it lies within half a unit of the last digit asked of the exact value. So the
exact value rounded to these digits is right, either neighbour of one that lies in the middle, and more digits than
asked as long as they say the same; a number of documents, with no digits after the point, is right or not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from agreement.exercises.worksheets.kappa_mistakes import Slip

Exact = Fraction | float
DIGITS = 4


def said(value: Exact, digits: int = DIGITS) -> str:
    """A number as a solution writes it: rounded, without trailing zeros, with a minus sign."""
    shown = f"{float(value):z.{digits}f}"
    return (shown.rstrip("0").rstrip(".") if digits else shown).replace("-", "−")


def near(value: Exact, exact: Exact, digits: int) -> bool:
    """Whether a number says the same as another to these digits: exactly where there are none."""
    unit = Fraction(1, 10**digits) if digits else 0
    return 2 * abs(Fraction(value) - Fraction(exact)) <= unit


@dataclass(frozen=True)
class Exhibit:
    """A table that a worksheet shows: a contingency table, a ranking, judgements, or single numbers.

    Attributes
    ----------
    kind : str
        "contingency", "ranking", "judgements" or "facts".
    caption : str
    columns : tuple of str
    rows : tuple of (str, tuple of str or int)
        The name of each row, and a cell for each column.
    """

    kind: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str | int, ...]], ...]

    def shown(self) -> dict:
        """All of it, as JSON can hold it."""
        rows = [{"name": name, "cells": list(cells)} for name, cells in self.rows]
        return {"kind": self.kind, "caption": self.caption, "columns": list(self.columns), "rows": rows}


@dataclass(frozen=True)
class Field:
    """A question that a number answers. Made by `number`, which sorts the slips.

    Attributes
    ----------
    name, label : str
    exact : Fraction or float
        The right number, not rounded.
    digits : int
        How many digits after the point are asked; 0 for a number of documents.
    solution : str
        How it is done, with the numbers filled in.
    look : str
        What to look at, for a wrong number that no slip explains.
    marks : int
    slips : tuple of Slip
    """

    name: str
    label: str
    exact: Exact
    digits: int
    solution: str
    look: str
    marks: int = 1
    slips: tuple[Slip, ...] = ()

    def right(self, value: Exact) -> bool:
        """Whether a number is right, by the rule of the module."""
        return near(value, self.exact, self.digits)

    @property
    def answer(self) -> str:
        """The right number to the digits asked."""
        return said(self.exact, self.digits)

    def shown(self) -> dict:
        """What a page may know."""
        asked = {"name": self.name, "label": self.label, "marks": self.marks}
        return {**asked, "kind": "number", "digits": self.digits, "options": []}


@dataclass(frozen=True)
class Option:
    """One option of a choice, with what to say to who took it wrongly."""

    key: str
    text: str
    hint: str = ""


@dataclass(frozen=True)
class Choice:
    """A question that one of several options answers.

    Attributes
    ----------
    name, label : str
    options : tuple of Option
    right_key : str
        The key of the right one.
    solution : str
        Why it is right.
    look : str
        What to look at, for an option without a hint of its own.
    marks : int
    """

    name: str
    label: str
    options: tuple[Option, ...]
    right_key: str
    solution: str
    look: str
    marks: int = 1

    def __post_init__(self) -> None:
        """The right one is among the options."""
        if self.right_key not in self.keys:
            raise ValueError(f"the right option is one of {', '.join(self.keys)}; got {self.right_key!r}")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the options, in their order."""
        return tuple(option.key for option in self.options)

    def option(self, key: str) -> Option:
        """An option by its key."""
        return next(option for option in self.options if option.key == key)

    @property
    def answer(self) -> str:
        """The text of the right option."""
        return self.option(self.right_key).text

    def shown(self) -> dict:
        """What a page may know."""
        options = [{"key": option.key, "text": option.text} for option in self.options]
        asked = {"name": self.name, "label": self.label, "marks": self.marks}
        return {**asked, "kind": "choice", "digits": None, "options": options}


@dataclass(frozen=True)
class Worksheet:
    """A story, what it shows, and what it asks.

    Attributes
    ----------
    key, title, story : str
    source : str
        Where the numbers are from; empty where they are nobody's.
    exhibits : tuple of Exhibit
    fields : tuple of Field or Choice
        In the order of the working.
    """

    key: str
    title: str
    story: str
    exhibits: tuple[Exhibit, ...]
    fields: tuple[Field | Choice, ...]
    source: str = ""

    def __post_init__(self) -> None:
        """Fields are found by name."""
        names = [field.name for field in self.fields]
        if len(set(names)) < len(names):
            raise ValueError(f"every field of a worksheet has a name of its own; got {', '.join(names)}")

    @property
    def marks(self) -> int:
        """The marks that can be had."""
        return sum(field.marks for field in self.fields)

    def field(self, name: str) -> Field | Choice:
        """A field by its name; ValueError where there is none of that name."""
        for field in self.fields:
            if field.name == name:
                return field
        raise ValueError(f"the worksheet {self.key} asks no {name!r}; it asks {', '.join(f.name for f in self.fields)}")

    def shown(self) -> dict:
        """What a page may know, as JSON can hold it: neither answers nor solutions nor slips."""
        said_of_it = {"key": self.key, "title": self.title, "story": self.story, "source": self.source}
        exhibits = [exhibit.shown() for exhibit in self.exhibits]
        return {**said_of_it, "marks": self.marks, "exhibits": exhibits, "fields": [f.shown() for f in self.fields]}

    def answers(self) -> list[dict]:
        """The key: name, label, answer, solution and marks of every field."""
        names = ("name", "label", "answer", "solution", "marks")
        return [{name: getattr(field, name) for name in names} for field in self.fields]


def number(
    name: str,
    label: str,
    exact: Exact,
    how: str,
    look: str,
    *,
    slips: Iterable[Slip] = (),
    digits: int = DIGITS,
    marks: int = 1,
    note: str = "",
) -> Field:
    """A field for a number, with the slips that lead to another number than the right one.

    Parameters
    ----------
    how : str
        The working with the numbers filled in, as far as the sign of equality.
    note : str
        What else is to be said of it, such as what a source prints.
    """
    solution = " ".join(filter(None, (f"{how} = {said(exact, digits)}", note)))
    field = Field(name, label, exact, digits, solution, look, marks)
    return replace(field, slips=tuple(_wrong_only(field, slips)))


def _wrong_only(field: Field, slips: Iterable[Slip]) -> Iterable[Slip]:
    for slip in slips:
        values = tuple(value for value in slip.values if not field.right(value))
        if values:
            yield replace(slip, values=values)
