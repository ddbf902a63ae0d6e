"""Marks for a worksheet: a right answer has the marks of its field, a step that was shown has none."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from agreement.exercises.worksheets.answers import check
from agreement.exercises.worksheets.worksheet import Worksheet


@dataclass(frozen=True)
class Marks:
    """What was reached.

    Attributes
    ----------
    fields : dict of str to int
        By name of the field, in the order of the worksheet.
    of : int
        The marks that can be had.
    """

    fields: dict[str, int]
    of: int

    @property
    def total(self) -> int:
        """The marks of all fields."""
        return sum(self.fields.values())


def score(worksheet: Worksheet, answers: Mapping[str, str], shown: Collection[str] = ()) -> Marks:
    """The marks for a worksheet.

    Parameters
    ----------
    worksheet : Worksheet
    answers : mapping of str to str
        What was written, by name of the field; a field that lacks was not answered.
    shown : collection of str
        Names of the fields whose solution was shown: they have no marks, whatever was written before or after.

    Raises
    ------
    ValueError
        A name is no field of the worksheet.
    """
    for name in (*answers, *shown):
        worksheet.field(name)
    fields = {}
    for field in worksheet.fields:
        earned = field.name not in shown and check(field, answers.get(field.name, "")).right
        fields[field.name] = field.marks if earned else 0
    return Marks(fields, worksheet.marks)
