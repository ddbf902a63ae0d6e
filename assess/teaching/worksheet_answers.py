"""The answers that students enter on worksheets: checked, stored and displayed.

`agreement.exercises` decides which answers are right and gives hints for wrong ones. A student sees the solution of a
step only after answering it correctly or asking to be shown it. Asking costs the marks of the step.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from assess.models import Seat, WorksheetAnswer
from assess.models.exercise import ANSWER_LENGTH
from assess.teaching import worksheets
from assess.teaching.layout import split_tables

if TYPE_CHECKING:
    from agreement.exercises.worksheets.worksheet import Choice, Field, Worksheet

NOT_FIRST = "No mark: for a multiple choice question, only the first answer counts."


@dataclass(frozen=True)
class Line:
    """One field of a worksheet as a student may see it.

    `how` is the solution; it is empty until the answer is right or was shown. A right answer without a mark that was
    not shown has a `hint` with the reason.
    """

    field: dict[str, Any]
    text: str = ""
    right: bool = False
    shown: bool = False
    hint: str = ""
    how: str = ""
    mark: int = 0

    @property
    def state(self) -> str:
        if self.shown:
            return "shown"
        return "right" if self.right else "wrong" if self.text else "open"


@dataclass(frozen=True)
class Sheet:
    """A worksheet as a student may see it."""

    worksheet: dict[str, Any]
    lines: tuple[Line, ...]

    @property
    def mark(self) -> int:
        return sum(line.mark for line in self.lines)

    def line(self, name: str) -> Line | None:
        return next((line for line in self.lines if line.field["name"] == name), None)


@dataclass(frozen=True)
class WorksheetMarks:
    """The marks that a seat has on one worksheet, of those that are possible."""

    key: str
    title: str
    mark: int
    of: int


def sheet_for(seat: Seat, key: str) -> Sheet:
    """Return the worksheet with the seat's answers so far."""
    return _sheet(worksheets.available_worksheet(seat, key), _answers(seat, key))


def worksheet_marks(seat: Seat) -> list[WorksheetMarks]:
    """Return the seat's marks on each worksheet of its exercise."""
    answers: defaultdict[str, dict[str, WorksheetAnswer]] = defaultdict(dict)
    for row in WorksheetAnswer.objects.filter(seat=seat):
        answers[row.worksheet][row.field] = row
    return [
        WorksheetMarks(key, title, _sheet(worksheets.outline(key), answers[key]).mark, worksheets.outline(key).marks)
        for key, title in worksheets.worksheet_titles(seat.exercise).items()
    ]


def save_answers(seat: Seat, key: str, texts: Mapping[str, str]) -> Sheet:
    """Check and save answers by the name of their field. An unchanged answer does not count as another try."""
    from agreement.exercises.worksheets.answers import check  # loads numpy

    worksheet = worksheets.available_worksheet(seat, key)
    fields = {name: _field(worksheet, name) for name in texts}
    with transaction.atomic():
        _lock(seat)
        answers = _answers(seat, key)
        for name, text in texts.items():
            text, row = _cleaned(text), _row(answers, seat, key, name)
            if text != row.text:
                row.text, row.right = text, check(fields[name], text).right
                row.tries += bool(text)
                row.save()
    return _sheet(worksheet, answers)


def show_step(seat: Seat, key: str, name: str) -> Sheet:
    """Show the solution of a step. This costs the marks of the step unless its answer is already right."""
    worksheet = worksheets.available_worksheet(seat, key)
    _field(worksheet, name)
    with transaction.atomic():
        _lock(seat)
        answers = _answers(seat, key)
        row = _row(answers, seat, key, name)
        if not row.right and not row.shown:
            row.shown = True
            row.save()
    return _sheet(worksheet, answers)


def _field(worksheet: "Worksheet", name: str) -> "Field | Choice":
    try:
        return worksheet.field(name)
    except ValueError:
        raise worksheets.NoSuchWorksheet(name) from None


def _lock(seat: Seat) -> None:
    """Lock the seat, so that answers from two devices are saved one after the other."""
    if not Seat.objects.select_for_update().filter(pk=seat.pk).exists():
        raise worksheets.NoSuchWorksheet("The seat no longer exists.")


def _cleaned(text: str) -> str:
    return text.replace("\0", "").strip()[:ANSWER_LENGTH]


def _answers(seat: Seat, key: str) -> dict[str, WorksheetAnswer]:
    return {row.field: row for row in WorksheetAnswer.objects.filter(seat=seat, worksheet=key)}


def _row(answers: dict[str, WorksheetAnswer], seat: Seat, key: str, name: str) -> WorksheetAnswer:
    return answers.setdefault(name, WorksheetAnswer(seat=seat, worksheet=key, field=name))


def _sheet(worksheet: "Worksheet", answers: Mapping[str, WorksheetAnswer]) -> Sheet:
    lines = tuple(_line(field, answers.get(field.name) or WorksheetAnswer()) for field in worksheet.fields)
    return Sheet(split_tables(worksheet), lines)


def _line(field: "Field | Choice", row: WorksheetAnswer) -> Line:
    from agreement.exercises.worksheets.answers import check  # loads numpy

    hint = check(field, row.text).hint if row.text and not row.right else ""
    how, mark = field.solution if row.right or row.shown else "", earned_marks(field, row)
    if row.right and not row.shown and not mark:
        hint = NOT_FIRST
    return Line(field.public_data(), row.text, row.right, row.shown, hint, how, mark)


def earned_marks(field: "Field | Choice", row: WorksheetAnswer) -> int:
    """Return the marks of an answer. For a choice only the first try counts, because it has few options to try."""
    from agreement.exercises.worksheets.worksheet import Choice  # loads numpy

    if not row.right or row.shown or (isinstance(field, Choice) and row.tries > 1):
        return 0
    return field.marks
