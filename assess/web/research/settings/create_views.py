"""The page that creates a collection."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from assess.collections.copied_settings import sources_for
from assess.collections.create import create_collection, free_slug
from assess.errors import Refused
from assess.people.creators import may_create_collections
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.settings.forms import CUSTOM, DEFAULT_START, CreateForm, grades_to_start, source_of
from assess.web.research.settings.scale_form import ScaleEditor, preview_of

SHOW_SCALE, SHOW_PREVIEW = "scale", "preview"  # the steps that only show what the user has chosen


def _refused(request: SignedInRequest, refusal: Refused) -> HttpResponse:
    return _page(request, ScaleEditor(request.POST), refusal=refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown_by(_refused)
def create(request: SignedInRequest) -> HttpResponse:
    """Create a collection, whose owner is the user. Nothing is saved while the user chooses the scale."""
    if not may_create_collections(request.user):
        raise PermissionDenied("You cannot create collections on this site. Ask its administrator.")
    if request.method != "POST":
        return _page(request, ScaleEditor(grades=grades_to_start(DEFAULT_START, None)))
    step, start = request.POST.get("step"), request.POST.get("start", DEFAULT_START)
    if step == SHOW_PREVIEW or (step == SHOW_SCALE and start == CUSTOM):
        return _page(request, ScaleEditor(request.POST), filled=request.POST.get("filled", start))
    if step == SHOW_SCALE:
        grades = grades_to_start(start, source_of(start, request.user))
        return _page(request, ScaleEditor(grades=grades), filled=start)
    return _create(request)


def _create(request: SignedInRequest) -> HttpResponse:
    values = CreateForm(sources_for(request.user), request.POST).cleaned()
    start, source = values["start"], source_of(values["start"], request.user)
    if start in (CUSTOM, values["filled"]):
        grades = ScaleEditor(request.POST).grades()
    else:  # without JavaScript, the rows still show the scale that was chosen before
        grades = list(grades_to_start(start, source))
    collection = create_collection(
        values["slug"] or free_slug(values["name"]),
        values["name"],
        grades,
        description=values["description"],
        assessor_description=values["assessor_description"],
        source=source,
        owner=request.user,
    )
    messages.success(request, f"Created {collection.name}. You are its owner.")
    return redirect("research:collection", collection.slug)


def _page(
    request: SignedInRequest, editor: ScaleEditor, *, filled: str | None = None, refusal: Refused | None = None
) -> HttpResponse:
    form = CreateForm(sources_for(request.user), request.POST if request.method == "POST" else None)
    page: dict[str, Any] = {
        "form": form,
        "filled": filled or form["filled"].value() or DEFAULT_START,
        "editor": editor,
        "preview": preview_of(editor),
        "refusal": refusal,
    }
    return render(request, "research/settings/create.html", page, status=400 if refusal else 200)
