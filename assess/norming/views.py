"""Norming rounds: begin one, move it on, see the agreement before and after the discussion."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from assess.access import RESEARCHERS, member_view
from assess.adjudication.forms import NormingForm
from assess.errors import Refused
from assess.models import Member, NormingRound
from assess.norming.rounds import NEXT_PHASE, Phase, begin_norming, move_on, progress_of, undo_norming
from assess.web.requests import SignedInRequest, refusals_shown_by

BUTTONS = {
    Phase.BEFORE: "Show the votes to the group",
    Phase.DISCUSSION: "Let the group judge again",
    Phase.AFTER: "End the round",
}


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: int) -> HttpResponse:
    form = NormingForm(member.collection, request.POST if "documents" in request.POST else None)
    return _page(request, member, form, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def norming(request: SignedInRequest, member: Member) -> HttpResponse:
    """The rounds so far; POST begins another one."""
    collection = member.collection
    if request.method != "POST":
        return _page(request, member, NormingForm(collection))
    values = NormingForm(collection, request.POST).cleaned()
    topic = values["topic"] or None
    begun = begin_norming(collection, values["documents"], values["people"], topic, request.user)
    messages.success(request, f"Norming round {begun.number} is assigned.")
    return redirect("research:norming", collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def move(request: SignedInRequest, member: Member, number: int) -> HttpResponse:
    """Move a round from the phase that the page showed to the next one."""
    get_object_or_404(member.collection.norming_rounds, number=number)
    moved = move_on(member.collection, number, request.POST.get("phase", ""), request.user)
    messages.success(request, f"Norming round {number} is now: {moved.get_phase_display()}.")
    return redirect("research:norming", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def undo(request: SignedInRequest, member: Member, number: int) -> HttpResponse:
    """Remove a round of which nothing is judged yet."""
    get_object_or_404(member.collection.norming_rounds, number=number)
    undo_norming(member.collection, number, request.user)
    messages.success(request, f"Norming round {number} is removed.")
    return redirect("research:norming", member.collection.slug)


def _page(request: HttpRequest, member: Member, form: NormingForm, refusal: Refused | str = "") -> HttpResponse:
    page = {
        "here": "adjudication",
        "collection": member.collection,
        "member": member,
        "refusal": refusal,
        "form": form,
        "rounds": [_round(each) for each in member.collection.norming_rounds.order_by("-number")],
    }
    return render(request, "research/adjudication/norming.html", page, status=400 if refusal else 200)


def _round(norming: NormingRound) -> dict[str, Any]:
    from assess.norming.results import norming_result, vote_rows  # loads pandas

    phase = Phase(norming.phase)
    has_votes_to_show = phase != Phase.BEFORE
    return {
        "norming": norming,
        "people": list(norming.members.values_list("name", flat=True)),
        "progress": progress_of(norming),
        "button": BUTTONS.get(phase, ""),
        "next": NEXT_PHASE.get(phase, ""),
        "result": norming_result(norming) if has_votes_to_show else None,
        "rows": vote_rows(norming) if has_votes_to_show else [],
    }
