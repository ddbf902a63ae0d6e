"""One row for each student: the total of all worksheets, each worksheet, and the judged documents.

`gradebook_table` writes them for people, and for the imports of Moodle and Canvas. Moodle lets the instructor map any
column to a field of its users and to a grade item. Canvas reads the columns Student, ID, SIS User ID, SIS Login ID and
Section, then one for each assignment, and the points possible from the line below the header. Both find a student only
if the nickname is what they know the student by, such as the login or the number.
"""

from dataclasses import dataclass

from assess.models import Exercise, Seat
from assess.teaching.marks import MarkRow, marks_by_seat
from assess.teaching.seats import seat_progress
from assess.teaching.worksheets import outline, worksheet_titles

Table = tuple[tuple[str, ...], list[tuple[object, ...]]]
KINDS = ("csv", "xlsx", "moodle", "canvas")
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


@dataclass(frozen=True)
class SeatTotal:
    """The marks of one seat on each worksheet, and how many of its documents are judged."""

    seat: Seat
    sheets: list[MarkRow]
    judged: int
    documents: int

    @property
    def marks(self) -> int:
        return sum(row.marks for row in self.sheets)

    @property
    def of(self) -> int:
        return sum(row.of for row in self.sheets)

    @property
    def percentage(self) -> float | None:
        """The share of the marks in percent; None without worksheets."""
        return 100 * self.marks / self.of if self.of else None


def seat_totals(exercise: Exercise) -> list[SeatTotal]:
    """Return the total of every seat, in the order of joining."""
    progress = {row.seat.pk: (row.judged, row.of) for row in seat_progress(exercise)}
    return [SeatTotal(seat, sheets, *progress[seat.pk]) for seat, sheets in marks_by_seat(exercise)]


def gradebook_table(exercise: Exercise, kind: str) -> Table:
    """Return the header and the rows of a file of one of KINDS."""
    titles = worksheet_titles(exercise)
    totals = seat_totals(exercise)
    if kind == "canvas":
        return _canvas(exercise, titles, totals)
    if kind == "moodle":
        header = ("Username", *titles.values(), "Total", "Percentage")
        return header, [(each.seat.nickname, *_marks(each), each.marks, each.percentage) for each in totals]
    header = ("nickname", *titles, "marks", "of", "percentage", "judged", "documents")
    return header, [
        (each.seat.nickname, *_marks(each), each.marks, each.of, each.percentage, each.judged, each.documents)
        for each in totals
    ]


def _canvas(exercise: Exercise, titles: dict[str, str], totals: list[SeatTotal]) -> Table:
    points = ("    Points Possible", "", "", "", "", *(outline(key).marks for key in titles))
    assignments = tuple(f"{exercise.title}: {title}" for title in titles.values())
    rows = [(each.seat.nickname, "", "", each.seat.nickname, "", *_marks(each)) for each in totals]
    return (*CANVAS_COLUMNS, *assignments), [points, *rows]


def _marks(total: SeatTotal) -> tuple[int, ...]:
    return tuple(row.marks for row in total.sheets)
