"""The student's pages: in by a code and a nickname, back by a re-entry code, and the seat from where all begins."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from assess.errors import Refused
from assess.judging import progress, worklist
from assess.lib.client_ip import client_address
from assess.models import Exercise, Phase, Seat
from assess.teaching import exercises, seats
from assess.teaching import worksheet_answers as answering
from assess.teaching.reveal import reveal as revealing
from assess.teaching.seats import seat_of
from assess.web.join import cookie
from assess.web.join.access import seat_view

READ_OR_POST = ["GET", "HEAD", "POST"]


@require_http_methods(READ_OR_POST)
@login_not_required
@never_cache
def code(request):
    """Asks for the code of an exercise."""
    typed = request.POST.get("code", "")
    try:
        if request.method == "POST":
            exercise = exercises.find(typed, client_address(request))
            return redirect("join:nickname", code=exercise.code)
    except Refused as refusal:
        return render(request, "join/code.html", {"typed": typed, "refusal": refusal}, status=400)
    return render(request, "join/code.html")


def door(view):
    """A page of everybody, of the exercise of the address's code: who has a seat there is led to it."""

    @login_not_required
    @never_cache
    def opened(request, code):
        try:
            exercise = exercises.find(code, client_address(request))
        except Refused as refusal:
            return render(request, "join/code.html", {"typed": code[:20], "refusal": refusal}, status=404)
        if exercise.code != code:
            return redirect(request.resolver_match.view_name, code=exercise.code)
        if _holds_seat(request, exercise):
            return redirect("join:seat", code=exercise.code)
        return view(request, exercise)

    return opened


def _holds_seat(request, exercise: Exercise) -> bool:
    seat = seat_of(request.user)
    if seat and seat.exercise_id == exercise.pk:
        return True
    # Somebody with an account would find nothing at the seat's page; here they are told whom they would sign out.
    is_account = request.user.is_authenticated and seat is None
    return not is_account and cookie.remembered(request, exercise.code) is not None


@require_http_methods(READ_OR_POST)
@door
def nickname(request, exercise):
    """Asks for a nickname, and gives a seat."""
    page = {"exercise": exercise, "is_over": exercises.clock(exercise).phase == Phase.ENDED}
    if request.method != "POST":
        return render(request, "join/nickname.html", page)
    typed = request.POST.get("nickname", "")
    try:
        seat = seats.join(exercise, typed)
    except Refused as refusal:
        return render(request, "join/nickname.html", page | {"typed": typed[:80], "refusal": refusal}, status=400)
    return _seated(request, seat)


@require_http_methods(READ_OR_POST)
@door
def back(request, exercise):
    """Asks for the re-entry code, on another device or after everything was cleared."""
    page = {"exercise": exercise}
    if request.method != "POST":
        return render(request, "join/rejoin.html", page)
    typed = request.POST.get("reentry_code", "")
    try:
        seat = seats.come_back(exercise, typed, client_address(request))
    except Refused as refusal:
        return render(request, "join/rejoin.html", page | {"typed": typed[:80], "refusal": refusal}, status=400)
    return _seated(request, seat)


def _seated(request, seat: Seat):
    response = redirect("join:seat", code=seat.exercise.code)
    cookie.take(request, response, seat)
    return response


@require_safe
@seat_view
def seat(request, seat):
    """Where a student waits, judges from, and finds what is opened: worksheets, and the own column of the reveal."""
    exercise, clock = seat.exercise, exercises.clock(seat.exercise)
    rows = worklist.topics(seat.member)
    page = {
        "seat": seat,
        "exercise": exercise,
        "clock": clock,
        "state": page_state(exercise),
        "progress": progress.together(part for _, part in rows),
        "following": next((topic for topic, part in rows if part.left), None),
        "standings": answering.standings(seat) if exercise.worksheets_open else [],
        "own_results": revealing.own_columns(seat),
    }
    return render(request, "join/seat.html", page)


@require_GET
@seat_view
def live(_request, seat):
    """What a page that is open asks every few seconds: whether anything changed, and how much time is left."""
    clock = exercises.clock(seat.exercise)
    return JsonResponse({"state": page_state(seat.exercise), "phase": clock.phase, "left": clock.left_seconds})


def page_state(exercise: Exercise) -> str:
    """All of an exercise that changes what a student's page shows, in a word."""
    worksheets = "worksheets" if exercise.worksheets_open else "none"
    return f"{exercise.phase}-{exercise.reveal_step}-{worksheets}"


@require_http_methods(READ_OR_POST)
@seat_view
def leave(request, seat):
    """Gets up from the seat in this browser; asks once, since only the re-entry code leads back."""
    if request.method != "POST":
        return render(request, "join/leave.html", {"seat": seat, "exercise": seat.exercise})
    response = redirect("join:code")
    logout(request)
    cookie.leave(request, response, seat)
    messages.success(request, "You have left. Your re-entry code leads back to your seat.")
    return response
