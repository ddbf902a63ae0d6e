"""The student's worksheets: a page that is a plain form, and the same addresses for its script."""

from urllib.parse import quote

from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.models import Seat
from assess.teaching import worksheet_answers
from assess.teaching.worksheets import Closed, NoSuchWorksheet
from assess.web.join.access import seat_view

TEXT = "text-"  # before the name of a field


@require_safe
@seat_view
def worksheet(request, seat, key):
    """A worksheet with what was written so far."""
    try:
        sheet = worksheet_answers.sheet(seat, key)
    except NoSuchWorksheet:
        raise Http404 from None
    except Closed as refusal:
        return _closed(request, seat, refusal)
    return render(request, "join/worksheet.html", {"seat": seat, "exercise": seat.exercise, "key": key, "sheet": sheet})


@require_POST
@seat_view
def answer(request, seat, key):
    """Check what was written: one field from the page's script, all of them from the plain form."""
    texts = _texts(request)
    at = request.POST.get("field") or next(iter(texts), "")
    return _told(request, seat, key, at, lambda: worksheet_answers.answer(seat, key, texts))


@require_POST
@seat_view
def show(request, seat, key):
    """Show how one step is done. What else was written on the plain form is checked first, so that none is lost."""
    field = request.POST.get("field", "")
    texts = _texts(request)
    return _told(request, seat, key, field, lambda: _show(seat, key, field, texts))


def _show(seat: Seat, key: str, field: str, texts: dict[str, str]) -> worksheet_answers.Sheet:
    if texts:
        worksheet_answers.answer(seat, key, texts)
    return worksheet_answers.show_step(seat, key, field)


def _texts(request) -> dict[str, str]:
    return {name.removeprefix(TEXT): text for name, text in request.POST.items() if name.startswith(TEXT)}


def _told(request, seat: Seat, key: str, field: str, deed):
    """Do the deed; the script is told about the field, the plain form leads back to it."""
    wants_json = request.accepts("application/json") and not request.accepts("text/html")
    try:
        sheet = deed()
    except NoSuchWorksheet:
        raise Http404 from None
    except Closed as refusal:
        return JsonResponse({"error": str(refusal)}, status=403) if wants_json else _closed(request, seat, refusal)
    if wants_json:
        return JsonResponse(_answer(sheet, field))
    page = reverse("join:worksheet", kwargs={"code": seat.exercise.code, "key": key})
    return redirect(f"{page}#{quote(field)}")


def _answer(sheet: worksheet_answers.Sheet, field: str) -> dict:
    line = sheet.line(field)
    if line is None:
        raise Http404
    said = {name: getattr(line, name) for name in ("right", "shown", "state", "hint", "how", "mark")}
    return said | {"total": sheet.mark}


def _closed(request, seat: Seat, refusal: Closed):
    page = {"seat": seat, "exercise": seat.exercise, "refusal": refusal}
    return render(request, "join/worksheet.html", page, status=403)
