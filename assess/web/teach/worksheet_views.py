"""The instructor's pages of the worksheets: the marks of all seats, and the keys."""

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assess.teaching import marks, worksheets
from assess.web.teach.access import exercise_view


@require_safe
@exercise_view
def marks_page(request, exercise):
    """What every seat has reached in every worksheet."""
    page = {"exercise": exercise, "titles": worksheets.titles(exercise), "rows": marks.by_seat(exercise)}
    return render(request, "teach/marks.html", page)


@require_safe
@exercise_view
def key(request, exercise, key):
    """A worksheet worked out; where all have numbers of their own, the answers of all."""
    try:
        one = marks.key_of(exercise, key)
        keys = [] if one else marks.keys(exercise, key)
    except worksheets.NoSuchWorksheet:
        raise Http404 from None
    page = {"exercise": exercise, "key": key, "title": worksheets.titles(exercise)[key], "one": one, "keys": keys}
    return render(request, "teach/key.html", page)


@require_safe
@exercise_view
def key_for(request, exercise, key, seat_id):
    """A seat's worksheet worked out, beside what was written."""
    seat = get_object_or_404(exercise.seats.select_related("exercise__collection"), pk=seat_id)
    try:
        one = marks.key_for(seat, key)
    except worksheets.NoSuchWorksheet:
        raise Http404 from None
    page = {"exercise": exercise, "key": key, "title": worksheets.titles(exercise)[key], "one": one}
    return render(request, "teach/key.html", page)
