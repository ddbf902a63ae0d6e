"""The instructor's pages about worksheets: their list, the marks of all seats, and the keys."""

from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assess.models import Exercise
from assess.teaching import marks
from assess.teaching.lesson.gradebook import seat_totals
from assess.teaching.worksheets import NoSuchWorksheet, outline, worksheet_titles
from assess.web.requests import View
from assess.web.teach.access import exercise_view


def not_found_without_worksheet(view: View) -> View:
    """Decorate a view: if the exercise has no such worksheet, answer with 404."""

    @wraps(view)
    def guarded(request: HttpRequest, exercise: Exercise, **arguments: str | int) -> HttpResponseBase:
        try:
            return view(request, exercise, **arguments)
        except NoSuchWorksheet:
            raise Http404 from None

    return guarded


@require_safe
@exercise_view
def worksheets(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """The worksheets of an exercise, with their steps and marks."""
    sheets = [(key, outline(key)) for key in worksheet_titles(exercise)]
    return render(request, "teach/worksheets.html", {"exercise": exercise, "sheets": sheets})


@require_safe
@exercise_view
def marks_page(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """The marks of every seat on every worksheet."""
    page = {"exercise": exercise, "titles": worksheet_titles(exercise), "rows": seat_totals(exercise)}
    return render(request, "teach/marks.html", page)


@require_safe
@exercise_view
@not_found_without_worksheet
def key(request: HttpRequest, exercise: Exercise, key: str) -> HttpResponse:
    """The key of a worksheet; if each seat has its own numbers, the answers of all seats."""
    shared = marks.shared_key(exercise, key)
    return _key_page(request, exercise, key, shared, [] if shared else marks.seat_keys(exercise, key))


@require_safe
@exercise_view
@not_found_without_worksheet
def seat_key(request: HttpRequest, exercise: Exercise, key: str, seat_id: int) -> HttpResponse:
    """The key of a seat's worksheet next to the seat's answers."""
    seat = get_object_or_404(exercise.seats.select_related("exercise__collection"), pk=seat_id)
    return _key_page(request, exercise, key, marks.seat_key(seat, key), [])


def _key_page(
    request: HttpRequest, exercise: Exercise, key: str, one: marks.Key | None, keys: list[marks.Key]
) -> HttpResponse:
    title = worksheet_titles(exercise)[key]
    page = {"exercise": exercise, "key": key, "title": title, "one": one, "keys": keys}
    return render(request, "teach/key.html", page)
