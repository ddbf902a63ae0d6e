"""How far the students are with the worksheets, for the class screen. It contains no marks."""

from django.db.models import Count, Q

from assess.models import Exercise, WorksheetAnswer
from assess.teaching import worksheets


def number_of_steps(exercise: Exercise) -> int:
    """Return the number of steps of all worksheets of an exercise."""
    return sum(len(worksheets.outline(key).fields) for key in worksheets.worksheet_titles(exercise))


def settled_steps(exercise: Exercise) -> dict[int, int]:
    """Return how many steps are right or were shown, by the primary key of the seat. Seats without any are left out."""
    keys = worksheets.worksheet_titles(exercise)
    settled = WorksheetAnswer.objects.filter(Q(right=True) | Q(shown=True), worksheet__in=keys)
    rows = settled.filter(seat__exercise=exercise).order_by().values_list("seat")
    return dict(rows.annotate(n=Count("pk")))
