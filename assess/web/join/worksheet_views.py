"""The student's worksheets. The same URLs answer the plain form with pages and the page's script with JSON."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.errors import Refused
from assess.models import Seat
from assess.teaching.worksheet_answers import Sheet, save_answers, sheet_for, show_step
from assess.teaching.worksheets import NoSuchWorksheet
from assess.web.join.access import seat_view
from assess.web.requests import refusals_shown_by, wants_json

TEXT = "text-"  # the prefix of the form fields that contain answers
ANSWER_KEYS = ("right", "shown", "state", "hint", "how", "mark")


def closed_page(request: HttpRequest, seat: Seat, key: str, refusal: Refused) -> HttpResponse:
    """Answer that nobody can work on the worksheet now, to the script as JSON."""
    if request.method == "POST" and wants_json(request):
        return JsonResponse({"error": str(refusal)}, status=403)
    page = {"seat": seat, "exercise": seat.exercise, "key": key, "refusal": refusal}
    return render(request, "join/worksheet.html", page, status=403)


@require_safe
@seat_view
@refusals_shown_by(closed_page)
def worksheet(request: HttpRequest, seat: Seat, key: str) -> HttpResponse:
    """The worksheet with the answers so far."""
    sheet = _or_404(lambda: sheet_for(seat, key))
    return render(request, "join/worksheet.html", {"seat": seat, "exercise": seat.exercise, "key": key, "sheet": sheet})


@require_POST
@seat_view
@refusals_shown_by(closed_page)
def answer(request: HttpRequest, seat: Seat, key: str) -> HttpResponse:
    """Check answers: one field from the page's script, all fields from the plain form."""
    texts = _texts(request)
    field = request.POST.get("field") or next(iter(texts), "")
    sheet = _or_404(lambda: save_answers(seat, key, texts))
    return _response(request, seat, key, field, sheet)


@require_POST
@seat_view
@refusals_shown_by(closed_page)
def show(request: HttpRequest, seat: Seat, key: str) -> HttpResponse:
    """Show the solution of a step. Answers in the plain form are saved first, so that none is lost."""
    field, texts = request.POST.get("field", ""), _texts(request)
    if texts:
        _or_404(lambda: save_answers(seat, key, texts))
    sheet = _or_404(lambda: show_step(seat, key, field))
    return _response(request, seat, key, field, sheet)


def _texts(request: HttpRequest) -> dict[str, str]:
    names = [name for name in request.POST if name.startswith(TEXT)]
    return {name.removeprefix(TEXT): request.POST.get(name, "") for name in names}


def _or_404(get_sheet: Callable[[], Sheet]) -> Sheet:
    try:
        return get_sheet()
    except NoSuchWorksheet:
        raise Http404 from None


def _response(request: HttpRequest, seat: Seat, key: str, field: str, sheet: Sheet) -> HttpResponse:
    """Answer the script with the field's state; send the plain form back to the field."""
    if wants_json(request):
        return JsonResponse(_answer(sheet, field))
    page = reverse("join:worksheet", kwargs={"code": seat.exercise.code, "key": key})
    return redirect(f"{page}#{quote(field)}")


def _answer(sheet: Sheet, field: str) -> dict[str, Any]:
    line = sheet.line(field)
    if line is None:
        raise Http404
    return {name: getattr(line, name) for name in ANSWER_KEYS} | {"total": sheet.mark}
