"""What students write into worksheets: checked, kept, and shown again.

What is right, and what is said of what is not, is told by `agreement.exercises`. An answer, and how it is worked out,
leaves this module only once the student found it or asked to be shown, which costs the marks of that step and is kept
with the answer.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from assess.models import Seat, WorksheetAnswer
from assess.teaching import worksheets
from assess.teaching.layout import in_parts

NOT_FIRST = "No mark: of a choice only the first try counts."
LONGEST_TEXT = WorksheetAnswer._meta.get_field("text").max_length


@dataclass(frozen=True)
class Line:
    """One field as a student may see it. `how` is the working: empty until it was found or shown. What is right and
    not shown, and yet without a mark, has a `hint` that says why."""

    field: dict
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

    worksheet: dict
    lines: tuple[Line, ...]

    @property
    def mark(self) -> int:
        return sum(line.mark for line in self.lines)

    def line(self, name: str) -> Line | None:
        return next((line for line in self.lines if line.field["name"] == name), None)


@dataclass(frozen=True)
class Standing:
    """How far a seat is with one worksheet."""

    key: str
    title: str
    mark: int
    of: int


def sheet(seat: Seat, key: str) -> Sheet:
    """The worksheet with what the seat wrote so far."""
    return _sheet(worksheets.for_seat(seat, key), _kept(seat, key))


def standings(seat: Seat) -> list[Standing]:
    """The worksheets of the seat's exercise, with the marks that it has in each."""
    said = defaultdict(dict)
    for row in WorksheetAnswer.objects.filter(seat=seat):
        said[row.worksheet][row.field] = row
    return [
        Standing(key, title, _sheet(worksheets.outline(key), said[key]).mark, worksheets.outline(key).marks)
        for key, title in worksheets.titles(seat.exercise).items()
    ]


def answer(seat: Seat, key: str, texts: Mapping[str, str]) -> Sheet:
    """Check what was written, by name of the field, and keep it; what is as it was is no further try."""
    from agreement.exercises.worksheets.answers import check

    worksheet = worksheets.for_seat(seat, key)
    fields = {name: _field(worksheet, name) for name in texts}
    with transaction.atomic():
        _lock(seat)
        kept = _kept(seat, key)
        for name, text in texts.items():
            text, row = _plain(text), _row(kept, seat, key, name)
            if text != row.text:
                row.text, row.right = text, check(fields[name], text).right
                row.tries += bool(text)
                row.save()
    return _sheet(worksheet, kept)


def show_step(seat: Seat, key: str, name: str) -> Sheet:
    """Show how a step is done, which costs its marks. Of one that is right already it shows nothing new."""
    worksheet = worksheets.for_seat(seat, key)
    _field(worksheet, name)
    with transaction.atomic():
        _lock(seat)
        kept = _kept(seat, key)
        row = _row(kept, seat, key, name)
        if not row.right and not row.shown:
            row.shown = True
            row.save()
    return _sheet(worksheet, kept)


def _field(worksheet, name: str):
    try:
        return worksheet.field(name)
    except ValueError:
        raise worksheets.NoSuchWorksheet(name) from None


def _lock(seat: Seat) -> None:
    """What one student writes from two devices is kept one after the other."""
    if not Seat.objects.select_for_update().filter(pk=seat.pk).exists():
        raise worksheets.NoSuchWorksheet("The seat is gone.")


def _plain(text: str) -> str:
    return text.replace("\0", "").strip()[:LONGEST_TEXT]


def _kept(seat: Seat, key: str) -> dict[str, WorksheetAnswer]:
    return {row.field: row for row in WorksheetAnswer.objects.filter(seat=seat, worksheet=key)}


def _row(kept: dict[str, WorksheetAnswer], seat: Seat, key: str, name: str) -> WorksheetAnswer:
    return kept.setdefault(name, WorksheetAnswer(seat=seat, worksheet=key, field=name))


def _sheet(worksheet, kept: Mapping[str, WorksheetAnswer]) -> Sheet:
    lines = tuple(_line(field, kept.get(field.name) or WorksheetAnswer()) for field in worksheet.fields)
    return Sheet(in_parts(worksheet), lines)


def _line(field, row: WorksheetAnswer) -> Line:
    from agreement.exercises.worksheets.answers import check

    hint = check(field, row.text).hint if row.text and not row.right else ""
    how, mark = field.solution if row.right or row.shown else "", earned(field, row)
    if row.right and not row.shown and not mark:
        hint = NOT_FIRST
    return Line(field.public_data(), row.text, row.right, row.shown, hint, how, mark)


def earned(field, row: WorksheetAnswer) -> int:
    """The marks of an answer. A choice has few options, so that trying them all must not earn what knowing does."""
    from agreement.exercises.worksheets.worksheet import Choice

    if not row.right or row.shown or (isinstance(field, Choice) and row.tries > 1):
        return 0
    return field.marks
