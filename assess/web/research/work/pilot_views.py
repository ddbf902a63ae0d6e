"""Pilots: create one, look at its agreement, undo it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.models import Member
from assess.pools.pooled_documents import pool_to_assign
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.work.forms import PilotForm
from assess.web.undoable import undoable
from assess.work.pilot import create_pilot, pilots_of, undo_pilot


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: int) -> HttpResponse:
    form = PilotForm(member.collection, request.POST if "documents" in request.POST else None)
    return _page(request, member, form, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def pilot(request: SignedInRequest, member: Member) -> HttpResponse:
    """The pilots so far; POST draws and assigns another one."""
    collection = member.collection
    if request.method != "POST":
        return _page(request, member, PilotForm(collection))
    created = create_pilot(collection, **PilotForm(collection, request.POST).cleaned(), actor=request.user)
    address = reverse("research:undo_pilot", args=[collection.slug, created.number])
    undoable(request, f"Pilot {created.number} is assigned.", address)
    return redirect("research:pilot", collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def undo(request: SignedInRequest, member: Member, number: int) -> HttpResponse:
    """Remove a pilot of which nothing is judged yet."""
    get_object_or_404(member.collection.pilots, number=number)
    undo_pilot(member.collection, number, request.user)
    messages.success(request, f"Pilot {number} is removed. Its documents are not assigned any more.")
    return redirect("research:pilot", member.collection.slug)


def _page(request: HttpRequest, member: Member, form: PilotForm, refusal: Refused | str = "") -> HttpResponse:
    page = {
        "here": "work",
        "collection": member.collection,
        "member": member,
        "refusal": refusal,
        "form": form,
        "pilots": pilots_of(member.collection),
        "pool": pool_to_assign(member.collection),
        "guidelines": member.collection.guidelines.last(),
    }
    return render(request, "research/work/pilot.html", page, status=400 if refusal else 200)
