"""Marks for a worksheet: a right answer earns the marks of its field, unless its solution was shown."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from agreement.exercises.worksheets.answers import check
from agreement.exercises.worksheets.worksheet import Worksheet


@dataclass(frozen=True)
class Marks:
    """The marks of one student.

    Attributes
    ----------
    fields : dict of str to int
        Marks by name of the field, in the order of the worksheet.
    of : int
        Highest possible marks.
    """

    fields: dict[str, int]
    of: int

    @property
    def total(self) -> int:
        """The sum of the marks."""
        return sum(self.fields.values())


def score(worksheet: Worksheet, answers: Mapping[str, str], shown: Collection[str] = ()) -> Marks:
    """Compute the marks for a worksheet.

    Examples
    --------
    >>> from agreement.exercises.worksheets.kappa import kappa_worksheet
    >>> marks = score(kappa_worksheet([[7, 2], [1, 5]]), {"n": "15", "observed": "80 %"}, shown=["n"])
    >>> marks.total, marks.of
    (1, 19)
    """
    for name in (*answers, *shown):
        worksheet.field(name)
    fields = {}
    for field in worksheet.fields:
        is_earned = field.name not in shown and check(field, answers.get(field.name, "")).right
        fields[field.name] = field.marks if is_earned else 0
    return Marks(fields, worksheet.marks)
