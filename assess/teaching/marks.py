"""Marks of a class exercise by seat, worksheet and step, and the keys to the worksheets. For the instructor only.

A right answer earns the marks of its step. A step that was shown earns none, and neither does a choice that was not
right at the first try.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from assess.models import Exercise, Seat, WorksheetAnswer
from assess.teaching import worksheets
from assess.teaching.layout import split_tables
from assess.teaching.worksheet_answers import earned_marks

if TYPE_CHECKING:
    from agreement.exercises.worksheets.worksheet import Choice, Field, Worksheet

Answers = Mapping[str, WorksheetAnswer]  # by the name of the field


class MarkRow(NamedTuple):
    """One seat and one worksheet. `right` and `shown` count steps; `tries` counts checked answers."""

    seat: str
    worksheet: str
    title: str
    marks: int
    of: int
    steps: int
    right: int
    shown: int
    tries: int


class StepRow(NamedTuple):
    """One seat and one step of a worksheet. `answer` is the last answer."""

    seat: str
    worksheet: str
    step: str
    marks: int
    of: int
    answer: str
    right: bool
    shown: bool
    tries: int


# ---- marks


def step_rows(exercise: Exercise) -> list[StepRow]:
    """Return a row for every step of every worksheet and every seat, answered or not."""
    answers = _answers(exercise)
    return [
        _step_row(seat, key, field, answers[seat.pk, key].get(field.name))
        for seat in exercise.seats.all()
        for key in worksheets.worksheet_titles(exercise)
        for field in worksheets.outline(key).fields
    ]


def step_table(exercise: Exercise) -> tuple[tuple[str, ...], list[StepRow]]:
    """Return the column names and the rows of the export of marks."""
    return StepRow._fields, step_rows(exercise)


def marks_by_seat(exercise: Exercise) -> list[tuple[Seat, list[MarkRow]]]:
    """Return every seat with its marks on each worksheet, with two queries for any number of seats."""
    answers, titles = _answers(exercise), worksheets.worksheet_titles(exercise)
    return [
        (seat, [_mark_row(seat, key, title, answers[seat.pk, key]) for key, title in titles.items()])
        for seat in exercise.seats.all()
    ]


def _answers(exercise: Exercise) -> defaultdict[tuple[int, str], dict[str, WorksheetAnswer]]:
    """Return the answers of all seats, by seat and worksheet."""
    answers: defaultdict[tuple[int, str], dict[str, WorksheetAnswer]] = defaultdict(dict)
    for row in WorksheetAnswer.objects.filter(seat__exercise=exercise):
        answers[row.seat_id, row.worksheet][row.field] = row
    return answers


def _mark_row(seat: Seat, key: str, title: str, answers: Answers) -> MarkRow:
    outline = worksheets.outline(key)
    rows = [_step_row(seat, key, field, answers.get(field.name)) for field in outline.fields]
    return MarkRow(
        seat=seat.nickname,
        worksheet=key,
        title=title,
        marks=sum(row.marks for row in rows),
        of=outline.marks,
        steps=len(rows),
        right=sum(row.right for row in rows),
        shown=sum(row.shown for row in rows),
        tries=sum(row.tries for row in rows),
    )


def _step_row(seat: Seat, key: str, field: "Field | Choice", row: WorksheetAnswer | None) -> StepRow:
    row = row or WorksheetAnswer()
    marks = earned_marks(field, row)
    return StepRow(seat.nickname, key, field.name, marks, field.marks, row.text, row.right, row.shown, row.tries)


# ---- keys


@dataclass(frozen=True)
class KeyLine:
    """One step with the right answer and its solution. In the key of a seat, `written` is the seat's answer."""

    label: str
    answer: str
    solution: str
    marks: int
    written: StepRow | None = None


@dataclass(frozen=True)
class Key:
    """A worksheet with its solutions. If a seat has no worksheet, `refusal` is the reason."""

    worksheet: dict[str, Any]
    lines: tuple[KeyLine, ...]
    seat: Seat | None = None
    refusal: str = ""

    @property
    def mark(self) -> int:
        return sum(line.written.marks for line in self.lines if line.written)


def shared_key(exercise: Exercise, key: str) -> Key | None:
    """Return the key of a worksheet that is the same for every seat, or None if each seat has its own numbers."""
    worksheets.check_key(exercise, key)
    return None if key in worksheets.PER_SEAT_TITLES else _key(key, worksheets.textbook_worksheet(key))


def seat_key(seat: Seat, key: str) -> Key:
    """Return the key to a seat's numbers, with its answers."""
    worksheets.check_key(seat.exercise, key)
    answers = {row.field: row for row in WorksheetAnswer.objects.filter(seat=seat, worksheet=key)}
    try:
        return _key(key, worksheets.worksheet_for(seat, key), seat, answers)
    except worksheets.Closed as refusal:
        return _empty_key(key, seat, str(refusal))


def seat_keys(exercise: Exercise, key: str) -> list[Key]:
    """Return the keys to the numbers of all seats, with their answers."""
    worksheets.check_key(exercise, key)
    answers = _answers(exercise)
    return [
        _key(key, worksheet, seat, answers[seat.pk, key]) if worksheet else _empty_key(key, seat, reason)
        for seat, worksheet, reason in worksheets.worksheets_by_seat(exercise, key)
    ]


def _empty_key(key: str, seat: Seat, reason: str) -> Key:
    return Key(split_tables(worksheets.outline(key)), (), seat, reason)


def _key(key: str, worksheet: "Worksheet", seat: Seat | None = None, answers: Answers | None = None) -> Key:
    lines = []
    for field in worksheet.fields:
        written = _step_row(seat, key, field, (answers or {}).get(field.name)) if seat else None
        lines.append(KeyLine(field.label, field.answer, field.solution, field.marks, written))
    return Key(split_tables(worksheet), tuple(lines), seat)
