"""The instructor's pages: what there is, a new exercise, and the screen from which one is run."""

import segno
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from assess.errors import Refused
from assess.models import Exercise, Role
from assess.teaching import exercises, seats
from assess.teaching.exercise_sources import sources
from assess.web.teach.access import exercise_view
from assess.web.teach.forms import ExerciseForm

EXTENSION = 5  # minutes
DEEDS = {
    "start": exercises.start,
    "pause": exercises.pause,
    "resume": exercises.resume,
    "extend": lambda exercise: exercises.extend(exercise, EXTENSION),
    "end": exercises.end,
    "open-worksheets": lambda exercise: exercises.open_worksheets(exercise, True),
    "close-worksheets": lambda exercise: exercises.open_worksheets(exercise, False),
}


@require_safe
@never_cache
def home(request):
    """The instructor's exercises, and the collections that may be shown to a class."""
    shown = request.user.memberships.filter(role=Role.INSTRUCTOR, collection__exercise__isnull=True)
    page = {
        "exercises": exercises.of(request.user),
        "memberships": shown.select_related("collection").order_by("collection__name"),
        "can_make": sources(request.user).exists(),
    }
    return render(request, "teach/home.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new(request):
    """A new exercise in one form; `?source=` says from which collection, `?source=` alone that all is pasted."""
    own = list(sources(request.user))
    if not own:
        raise PermissionDenied("Who is owner, researcher or instructor of a collection can make an exercise.")
    source = _source(request, own)
    form = ExerciseForm(source, request.POST if request.method == "POST" else None)
    page = {"sources": own, "source": source, "form": form}
    if request.method != "POST":
        return render(request, "teach/new.html", page)
    try:
        exercise = exercises.make(request.user, form.wish())
    except Refused as refusal:
        return render(request, "teach/new.html", page | {"refusal": refusal}, status=400)
    return redirect("teach:exercise", code=exercise.code)


def _source(request, own: list):
    """The collection that was asked for, the first one if nothing was asked, None where all is pasted."""
    asked = request.GET.get("source")
    if asked is None:
        return own[0]
    if asked and asked not in {collection.slug for collection in own}:
        raise Http404
    return next((collection for collection in own if collection.slug == asked), None)


@require_safe
@exercise_view
def exercise(request, exercise):
    """The screen of an exercise: how to join, who is there and how far, and what to do next."""
    return screen(request, exercise)


def screen(request, exercise: Exercise, refusal: Refused | str = ""):
    """The page itself; after a refusal with its sentence."""
    address = request.build_absolute_uri(reverse("join:nickname", args=[exercise.code]))
    page = _standing(exercise) | {
        "join_address": address,
        "short_address": request.get_host() + reverse("join:code"),
        "qr": segno.make(address, error="m", micro=False).svg_data_uri(border=4, light="white", scale=8),
        "extend_words": f"+ {EXTENSION} minutes",
        "refusal": refusal,
    }
    return render(request, "teach/exercise.html", page, status=400 if refusal else 200)


def _standing(exercise: Exercise) -> dict:
    clock, rows = exercises.clock(exercise), seats.progress(exercise)
    return {
        "exercise": exercise,
        "clock": clock,
        "rows": rows,
        "judged": sum(row.judged for row in rows),
        "of": sum(row.of for row in rows),
        "ready": sum(row.judged == row.of for row in rows),
    }


@require_GET
@exercise_view
def live(_request, exercise):
    """What the screen asks every two seconds: the seats and how far they are, the phase and the time left."""
    standing = _standing(exercise)
    clock = standing["clock"]
    html = render_to_string("teach/_live.html", standing)
    return JsonResponse({"state": exercise.phase, "phase": clock.phase, "left": clock.left_seconds, "html": html})


@require_POST
@exercise_view
def do(request, exercise, deed):
    """Start, pause, resume, extend, end; open and close the worksheets."""
    if deed not in DEEDS:
        raise Http404
    try:
        DEEDS[deed](exercise)
    except Refused as refusal:
        return screen(request, exercise, refusal)
    return redirect("teach:exercise", code=exercise.code)


@require_http_methods(["GET", "HEAD", "POST"])
@exercise_view
def take_out(request, exercise):
    """Removes one seat, of somebody who should not be there or wants to be gone."""
    page = _standing(exercise)
    if request.method != "POST":
        return render(request, "teach/remove_seat.html", page)
    asked = request.POST.get("seat")
    seat = next((row.seat for row in page["rows"] if str(row.seat.pk) == asked), None)
    if seat is None:
        page["refusal"] = "Choose the seat that is taken out; it may be gone already."
        return render(request, "teach/remove_seat.html", page, status=400)
    tombstone = seats.take_out(seat)
    messages.success(request, f"{seat.nickname} is taken out; judgements that are gone: {tombstone.judgements}.")
    return redirect("teach:exercise", code=exercise.code)


@require_http_methods(["GET", "HEAD", "POST"])
@exercise_view
def erase(request, exercise):
    """Asks once, says what will be gone, and erases."""
    if request.method != "POST":
        return render(request, "teach/erase.html", _standing(exercise))
    tombstone = exercises.erase(exercise)
    messages.success(
        request,
        f"“{exercise.title}” is erased: {tombstone.members} seats with {tombstone.judgements} judgements are gone.",
    )
    return redirect("teach:home")
