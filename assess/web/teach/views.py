"""The instructor's pages: the list of exercises, a new exercise, and the screen from which an exercise is run."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from assess.errors import Refused
from assess.models import Collection, Exercise, Role
from assess.models.collection import new_seed
from assess.teaching import clock, exercises, seats
from assess.teaching.exercise_sources import source_collections
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.lesson.new_exercise import settings_of, warnings_about
from assess.web.requests import refusals_shown_by
from assess.web.teach.access import SignedInRequest, exercise_view
from assess.web.teach.forms import ExerciseForm
from assess.web.teach.join_address import join_address
from assess.web.teach.progress import progress_of
from pooling.words import count

READ_OR_POST = ["GET", "HEAD", "POST"]
EXTENSION = 5  # minutes
ACTIONS: dict[str, Callable[[Exercise], None]] = {
    "start": clock.start,
    "pause": clock.pause,
    "resume": clock.resume,
    "extend": lambda exercise: clock.extend(exercise, EXTENSION),
    "end": clock.end,
    "open-worksheets": lambda exercise: clock.open_worksheets(exercise, True),
    "close-worksheets": lambda exercise: clock.open_worksheets(exercise, False),
}


# ---- list and create


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """The instructor's exercises, and the collections that the instructor can show to a class."""
    memberships = request.user.memberships.filter(role=Role.INSTRUCTOR, collection__exercise__isnull=True)
    page = {
        "exercises": exercises.exercises_for(request.user),
        "memberships": memberships.select_related("collection").order_by("collection__name"),
        "can_make": source_collections(request.user).exists(),
    }
    return render(request, "teach/home.html", page)


def new_page(request: SignedInRequest, refusal: Refused | None = None, warnings: Sequence[str] = ()) -> HttpResponse:
    """Render the form of a new exercise, after a refusal or warnings with what the user typed."""
    sources = _sources(request)
    form = _form(request, sources)
    page: dict[str, Any] = {"sources": sources, "source": form.source, "form": form, "warnings": warnings}
    if refusal:
        page["refusal"] = refusal
    return render(request, "teach/new.html", page, status=400 if refusal else 200)


@require_http_methods(READ_OR_POST)
@refusals_shown_by(new_page)
def new(request: SignedInRequest) -> HttpResponse:
    """Create an exercise from one form. `?source=SLUG` names its collection; an empty `?source=` means pasted text."""
    if request.method != "POST":
        return new_page(request)
    form = _form(request, _sources(request))
    spec = form.spec()
    spec.check()
    seed = new_seed()  # the warnings are about the documents that this seed draws
    if not form.is_confirmed and (warnings := warnings_about(request.user, spec, seed)):
        return new_page(request, warnings=warnings)
    return redirect("teach:exercise", code=exercises.make(request.user, spec, seed).code)


def _sources(request: SignedInRequest) -> list[Collection]:
    sources = list(source_collections(request.user))
    if not sources:
        raise PermissionDenied("Only the owner, a researcher or an instructor of a collection can create an exercise.")
    return sources


def _form(request: SignedInRequest, sources: list[Collection]) -> ExerciseForm:
    original = _original(request)
    source = _source(request, sources, original)
    return ExerciseForm(source, request.POST if request.method == "POST" else None, original)


def _original(request: SignedInRequest) -> ExerciseSpec | None:
    """Return the settings of the exercise of this instructor that the URL names to be duplicated."""
    code = request.GET.get("copy")
    return settings_of(get_object_or_404(exercises.exercises_for(request.user), code=code)) if code else None


def _source(request: SignedInRequest, sources: list[Collection], original: ExerciseSpec | None) -> Collection | None:
    """Return the collection that the URL names, or that of the exercise to duplicate.

    Without both, it is the first one. None means pasted text.
    """
    slug = request.GET.get("source")
    if slug is None and original:
        return next((collection for collection in sources if collection.slug == original.source), None)
    if slug is None:
        return sources[0]
    source = next((collection for collection in sources if collection.slug == slug), None)
    if slug and source is None:
        raise Http404
    return source


# ---- run


def exercise_page(
    request: HttpRequest, exercise: Exercise, refusal: Refused | None = None, **_url_arguments: str
) -> HttpResponse:
    """Render the screen of an exercise: how to join, the progress of each student, and the next actions."""
    page = progress_of(exercise) | {
        "join": join_address(request, exercise),
        "extend_words": f"+ {EXTENSION} minutes",
        "refusal": refusal or "",
    }
    return render(request, "teach/exercise.html", page, status=400 if refusal else 200)


@require_safe
@exercise_view
def exercise(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """The screen of an exercise."""
    return exercise_page(request, exercise)


@require_GET
@exercise_view
def live(_request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """What the open pages request every two seconds: the progress of each seat, the phase and the time left."""
    progress = progress_of(exercise)
    current = progress["clock"]
    html = render_to_string("teach/_live.html", progress)
    return JsonResponse(
        {"state": progress["state"], "phase": current.phase, "left": current.left_seconds, "html": html}
    )


@require_POST
@exercise_view
@refusals_shown_by(exercise_page)
def action(_request: HttpRequest, exercise: Exercise, action: str) -> HttpResponse:
    """Start, pause, resume, extend or end the exercise; open or close its worksheets."""
    if action not in ACTIONS:
        raise Http404
    ACTIONS[action](exercise)
    return redirect("teach:exercise", code=exercise.code)


# ---- erase


def remove_seat_page(request: HttpRequest, exercise: Exercise, refusal: Refused | None = None) -> HttpResponse:
    """Render the list of seats, one of which can be removed."""
    page = progress_of(exercise)
    if refusal:
        page["refusal"] = refusal
    return render(request, "teach/remove_seat.html", page, status=400 if refusal else 200)


@require_http_methods(READ_OR_POST)
@exercise_view
@refusals_shown_by(remove_seat_page)
def remove_seat(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """Remove one seat, because the student wants to be erased or should not be there."""
    if request.method != "POST":
        return remove_seat_page(request, exercise)
    pk = request.POST.get("seat")
    seat = next((row.seat for row in seats.seat_progress(exercise) if str(row.seat.pk) == pk), None)
    if seat is None:
        raise Refused("Choose the seat to remove. It may already have been removed.")
    tombstone = seats.remove_seat(seat, exercise.instructor)
    messages.success(request, f"{seat.nickname} was removed, with {count(tombstone.judgements, 'judgement')}.")
    return redirect("teach:exercise", code=exercise.code)


@require_http_methods(READ_OR_POST)
@exercise_view
def erase(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    """GET shows what will be erased and asks for confirmation. POST erases it."""
    if request.method != "POST":
        return render(request, "teach/erase.html", progress_of(exercise))
    tombstone = exercises.erase(exercise, actor=exercise.instructor)
    messages.success(
        request,
        f"“{exercise.title}” was erased, with {count(tombstone.members, 'seat')} and "
        f"{count(tombstone.judgements, 'judgement')}.",
    )
    return redirect("teach:home")
