"""The student's pages: join with a code and a nickname, return with a re-entry code, and the page of the seat.

The first wrong code sets a cookie with a random token, which scripts cannot read. A browser that does not keep it has
no limit of its own; `assess.teaching.code_throttle` describes the others.
"""

import secrets
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from assess.errors import Refused
from assess.judging.progress import sum_progress
from assess.judging.worklist import topics_with_progress
from assess.lib.client_ip import client_ip, network_of
from assess.models import Exercise, Phase, Seat, User
from assess.teaching import exercises, seats
from assess.teaching.clock import read_clock
from assess.teaching.code_throttle import Visitor, WrongCode
from assess.teaching.codes import MAX_CODE_LENGTH
from assess.teaching.lesson.practice import answer_practice, practice_page
from assess.teaching.lesson.predictions import is_poll_open, predict
from assess.teaching.reveal.prepare import preparing_job
from assess.teaching.reveal.reveal import own_results
from assess.teaching.seats import current_seat
from assess.teaching.worksheet_answers import worksheet_marks
from assess.throttle import TooManyAttempts
from assess.web.join import cookie
from assess.web.join.access import seat_view
from assess.web.requests import View, refusals_shown_by

NAME = "assay_browser"
MAX_AGE = 24 * 3600  # seconds
TOKEN_BYTES, TOKEN_LENGTH = 16, 22


def visitor_of(request: HttpRequest) -> Visitor:
    """Return the visitor that a request comes from."""
    return Visitor(_token(request), network_of(client_ip(request)))


def answer_refused_code(request: HttpRequest, response: HttpResponse, refusal: Refused | None) -> HttpResponse:
    """Complete the page that shows a refusal: 429 after too many wrong codes, a cookie after the first wrong code."""
    if isinstance(refusal, TooManyAttempts):
        response.status_code = 429
        response.headers["Retry-After"] = str(refusal.retry_after)
    elif isinstance(refusal, WrongCode) and not _token(request):
        _set_cookie(response)
    return response


def _token(request: HttpRequest) -> str:
    """Return the browser's token, or an empty string if the cookie is missing or was not set by this site."""
    token = request.COOKIES.get(NAME, "")
    return token if len(token) == TOKEN_LENGTH and token.isascii() else ""


def _set_cookie(response: HttpResponse) -> None:
    response.set_cookie(
        NAME,
        secrets.token_urlsafe(TOKEN_BYTES),
        max_age=MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


READ_OR_POST = ["GET", "HEAD", "POST"]


# ---- join and return


def code_page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    """Render the form for the code of an exercise."""
    page: dict[str, Any] = {"typed": request.POST.get("code", "")[:MAX_CODE_LENGTH], "refusal": refusal}
    response = render(request, "join/code.html", page, status=400 if refusal else 200)
    return answer_refused_code(request, response, refusal)


@require_http_methods(READ_OR_POST)
@login_not_required
@refusals_shown_by(code_page)
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the code of an exercise."""
    if request.method != "POST":
        return code_page(request)
    exercise = exercises.find(request.POST.get("code", ""), visitor_of(request))
    return redirect("join:nickname", code=exercise.code)


def unknown_code_page(request: HttpRequest, code: str, refusal: Refused) -> HttpResponse:
    """Render the form for the code after a URL with an unknown code."""
    page = {"typed": code[:MAX_CODE_LENGTH], "refusal": refusal}
    return answer_refused_code(request, render(request, "join/code.html", page, status=404), refusal)


def visitor_view(view: View) -> View:
    """Decorate a page for visitors. The view gets the exercise of the URL's code; students are sent to their seat."""

    @login_not_required
    @refusals_shown_by(unknown_code_page)
    def guarded(request: HttpRequest, code: str) -> HttpResponseBase:
        exercise = exercises.find(code, visitor_of(request))
        if exercise.code != code and request.resolver_match:
            return redirect(request.resolver_match.view_name, code=exercise.code)
        if _has_seat(request, exercise):
            return redirect("join:seat", code=exercise.code)
        return view(request, exercise)

    return guarded


def _has_seat(request: HttpRequest, exercise: Exercise) -> bool:
    seat = current_seat(request.user)
    if seat and seat.exercise_id == exercise.pk:
        return True
    # The page of a seat is a 404 for a user with an account. The page to join tells them that joining signs them out.
    is_account = request.user.is_authenticated and seat is None
    return not is_account and cookie.held_token(request, exercise.code) is not None


def nickname_page(request: HttpRequest, exercise: Exercise, refusal: Refused | None = None) -> HttpResponse:
    """Render the form for a nickname."""
    page: dict[str, Any] = {"exercise": exercise, "is_over": read_clock(exercise).phase == Phase.ENDED}
    if refusal:
        page |= {"typed": request.POST.get("nickname", "")[:MAX_CODE_LENGTH], "refusal": refusal}
    return render(request, "join/nickname.html", page, status=400 if refusal else 200)


@require_http_methods(READ_OR_POST)
@visitor_view
@refusals_shown_by(nickname_page)
def nickname(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """Ask for a nickname and create a seat."""
    if request.method != "POST":
        return nickname_page(request, exercise)
    account = request.user if isinstance(request.user, User) else None
    return _redirect_to_seat(request, seats.join(exercise, request.POST.get("nickname", ""), account))


def back_page(request: HttpRequest, exercise: Exercise, refusal: Refused | None = None) -> HttpResponse:
    """Render the form for a re-entry code."""
    page: dict[str, Any] = {"exercise": exercise}
    if refusal:
        page |= {"typed": request.POST.get("reentry_code", "")[:MAX_CODE_LENGTH], "refusal": refusal}
    response = render(request, "join/rejoin.html", page, status=400 if refusal else 200)
    return answer_refused_code(request, response, refusal)


@require_http_methods(READ_OR_POST)
@visitor_view
@refusals_shown_by(back_page)
def back(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """Ask for a re-entry code, on another device or after the cookies were deleted."""
    if request.method != "POST":
        return back_page(request, exercise)
    seat = seats.rejoin(exercise, request.POST.get("reentry_code", ""), visitor_of(request))
    return _redirect_to_seat(request, seat)


def _redirect_to_seat(request: HttpRequest, seat: Seat) -> HttpResponse:
    response = redirect("join:seat", code=seat.exercise.code)
    cookie.sign_in(request, response, seat)
    return response


# ---- the seat


@require_safe
@seat_view
def seat(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page of a seat: its progress, the next topic, open worksheets, and the student's own results."""
    return seat_page(request, seat)


def seat_page(request: HttpRequest, seat: Seat, refusal: Refused | None = None) -> HttpResponse:
    """Render the page of a seat."""
    exercise = seat.exercise
    clock = read_clock(exercise)
    topics = topics_with_progress(seat.member)
    page = {
        "refusal": refusal,
        "practice": practice_page(seat) if clock.phase == Phase.WAITING else None,
        "poll_open": is_poll_open(exercise),
        "seat": seat,
        "exercise": exercise,
        "clock": clock,
        "state": page_state(exercise),
        "progress": sum_progress(progress for _, progress in topics),
        "following": next((topic for topic, progress in topics if progress.left), None),
        "standings": worksheet_marks(seat) if exercise.worksheets_open else [],
        "own_results": [] if exercise.reveal_step and preparing_job(exercise) else own_results(seat),
    }
    return render(request, "join/seat.html", page, status=400 if refusal else 200)


@require_GET
@seat_view
def live(_request: HttpRequest, seat: Seat) -> HttpResponse:
    """What an open page requests every few seconds: whether the page has changed, and the time left."""
    clock = read_clock(seat.exercise)
    return JsonResponse({"state": page_state(seat.exercise), "phase": clock.phase, "left": clock.left_seconds})


def page_state(exercise: Exercise) -> str:
    """Return a word that changes whenever the page of a seat changes."""
    worksheets = "worksheets" if exercise.worksheets_open else "none"
    preparing = "preparing" if exercise.reveal_step and preparing_job(exercise) else "ready"
    return f"{exercise.phase}-{exercise.reveal_step}-{worksheets}-{preparing}"


@require_http_methods(READ_OR_POST)
@seat_view
def leave(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Sign the student out of this browser. The page asks first, because only the re-entry code leads back."""
    if request.method != "POST":
        return render(request, "join/leave.html", {"seat": seat, "exercise": seat.exercise})
    response = redirect("join:code")
    cookie.forget(request, response, seat)
    logout(request)
    messages.success(request, "You have left your seat. You can return with your re-entry code.")
    return response


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
