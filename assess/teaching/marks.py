"""Marks of a class exercise: for every seat, worksheet and step, and the key beside them. For the instructor only.

A right answer has the marks of its step; one that was shown has none, nor has a choice that was not right at once.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from assess.models import Exercise, Seat, WorksheetAnswer
from assess.teaching import worksheets
from assess.teaching.layout import in_parts
from assess.teaching.worksheet_answers import earned


class MarkRow(NamedTuple):
    """One seat and one worksheet. `right` and `shown` count steps, `tries` what was written and checked."""

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
    """One seat and one step of a worksheet; `answer` is what was written last."""

    seat: str
    worksheet: str
    step: str
    marks: int
    of: int
    answer: str
    right: bool
    shown: bool
    tries: int


def steps(exercise: Exercise) -> list[StepRow]:
    """Every step of every worksheet for every seat, whether it was answered or not."""
    said = _said(exercise)
    return [
        _step(seat, key, field, said[seat.pk, key].get(field.name) or WorksheetAnswer())
        for seat in exercise.seats.all()
        for key in worksheets.titles(exercise)
        for field in worksheets.outline(key).fields
    ]


def table(exercise: Exercise) -> list[tuple]:
    """`steps` as a table to take away: the names of the columns, and a row for every step."""
    return [StepRow._fields, *steps(exercise)]


def by_seat(exercise: Exercise) -> list[tuple[Seat, list[MarkRow]]]:
    """Every seat with its worksheets; two queries, however many there are."""
    said, titles = _said(exercise), worksheets.titles(exercise)
    return [
        (seat, [_mark(seat, key, title, said[seat.pk, key]) for key, title in titles.items()])
        for seat in exercise.seats.all()
    ]


def _said(exercise: Exercise) -> dict[tuple[int, str], dict[str, WorksheetAnswer]]:
    said = defaultdict(dict)
    for row in WorksheetAnswer.objects.filter(seat__exercise=exercise):
        said[row.seat_id, row.worksheet][row.field] = row
    return said


def _mark(seat: Seat, key: str, title: str, said: dict[str, WorksheetAnswer]) -> MarkRow:
    outline = worksheets.outline(key)
    rows = [_step(seat, key, field, said.get(field.name) or WorksheetAnswer()) for field in outline.fields]
    counts = (sum(getattr(row, name) for row in rows) for name in ("right", "shown", "tries"))
    return MarkRow(seat.nickname, key, title, sum(row.marks for row in rows), outline.marks, len(rows), *counts)


def _step(seat: Seat, key: str, field, row: WorksheetAnswer) -> StepRow:
    mark = earned(field, row)
    return StepRow(seat.nickname, key, field.name, mark, field.marks, row.text, row.right, row.shown, row.tries)


# ---- the key


@dataclass(frozen=True)
class KeyLine:
    """One step: the right answer and how it is done; and what the seat wrote, for a key beside a seat's answers."""

    label: str
    answer: str
    solution: str
    marks: int
    written: StepRow | None = None


@dataclass(frozen=True)
class Key:
    """A worksheet worked out. Where a seat has none, `refusal` says why."""

    worksheet: dict
    lines: tuple[KeyLine, ...]
    seat: Seat | None = None
    refusal: str = ""

    @property
    def mark(self) -> int:
        return sum(line.written.marks for line in self.lines if line.written)


def key_of(exercise: Exercise, key: str) -> Key | None:
    """The key that holds for everybody; None for a worksheet in which each has their own numbers."""
    worksheets.check_among(exercise, key)
    return None if key in worksheets.OWN else _key(key, worksheets.textbook(key))


def key_for(seat: Seat, key: str) -> Key:
    """The key to the seat's own numbers, with what it wrote."""
    worksheets.check_among(seat.exercise, key)
    said = {row.field: row for row in WorksheetAnswer.objects.filter(seat=seat, worksheet=key)}
    try:
        return _key(key, worksheets.of_seat(seat, key), seat, said)
    except worksheets.Closed as refusal:
        return _without(key, seat, str(refusal))


def keys(exercise: Exercise, key: str) -> list[Key]:
    """The keys to everybody's numbers."""
    worksheets.check_among(exercise, key)
    said = _said(exercise)
    return [
        _key(key, worksheet, seat, said[seat.pk, key]) if worksheet else _without(key, seat, refusal)
        for seat, worksheet, refusal in worksheets.of_seats(exercise, key)
    ]


def _without(key: str, seat: Seat, refusal: str) -> Key:
    return Key(in_parts(worksheets.outline(key)), (), seat, refusal)


def _key(key: str, worksheet, seat: Seat | None = None, said: dict[str, WorksheetAnswer] | None = None) -> Key:
    lines = tuple(
        KeyLine(
            field.label,
            field.answer,
            field.solution,
            field.marks,
            _step(seat, key, field, said.get(field.name) or WorksheetAnswer()) if seat else None,
        )
        for field in worksheet.fields
    )
    return Key(in_parts(worksheet), lines, seat)
