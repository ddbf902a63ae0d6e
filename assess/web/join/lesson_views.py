"""What a student sends from the page of the seat: the grade of the practice document, and a prediction of kappa."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from assess.errors import Refused
from assess.models import Seat
from assess.teaching.lesson.practice import answer_practice
from assess.teaching.lesson.predictions import predict
from assess.web.join.access import seat_view
from assess.web.join.views import seat_page
from assess.web.refusals import refusals_shown_by


@require_POST
@seat_view
@refusals_shown_by(seat_page)
def practice(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Grade the practice document. The page of the seat then shows what was expected and why."""
    text = request.POST.get("grade", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Refused("Choose one of the grades of the practice document.")
    answer_practice(seat, int(text))
    return redirect("join:seat", code=seat.exercise.code)


@require_POST
@seat_view
@refusals_shown_by(seat_page)
def prediction(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Save the mean kappa that the student expects."""
    predict(seat, request.POST.get("kappa", ""))
    return redirect("join:seat", code=seat.exercise.code)
