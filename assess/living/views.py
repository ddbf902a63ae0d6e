"""The page of new runs: what is not judged, what it costs, which conclusions are open, and the top-up."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.living.conclusions import MEASURE
from assess.living.forms import TopUpForm
from assess.living.new_runs import DEPTH, new_runs
from assess.models import JobState, Member, Role
from assess.people.invitations import DEFAULT_DAYS
from assess.people.mailed_invitations import invite_by_mail
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel

MOST_SYSTEMS = 100


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def living(request: SignedInRequest, member: Member) -> HttpResponse:
    """Show what new runs lack. A POST invites people, and starts the job that pools, assigns and reminds."""
    if request.method != "POST":
        return _page(request, member)
    values = TopUpForm(request.POST).cleaned()
    systems = _systems(request.POST.getlist("system"), member)
    address = request.build_absolute_uri(reverse("judge:topics", args=[member.collection.slug]))
    arguments = {
        "systems": systems,
        "depth": values["depth"],
        "judges": values["judges"],
        "address": address if values["remind"] else "",
        "user": request.user.pk,
    }
    with transaction.atomic():  # invited people and the job, or none: the job may run twice, and invites nobody
        invited = _invite(request, member, values["addresses"])
        queue.start("top_up", member.collection, request.user, arguments)
    if invited:
        messages.success(request, f"Invitations are being sent to {', '.join(invited)}.")
    return to_panel("living", member)


def _invite(request: SignedInRequest, member: Member, addresses: list[str]) -> list[str]:
    def link_of(token: str) -> str:
        return request.build_absolute_uri(reverse("invitation:open", args=[token]))

    return invite_by_mail(member, Role.ASSESSOR, addresses, DEFAULT_DAYS, link_of)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def conclusions(request: SignedInRequest, member: Member) -> HttpResponse:
    """Start the job that finds the conclusions that could change."""
    arguments = {"systems": _systems(request.POST.getlist("system"), member), "measure": MEASURE}
    queue.start("find_conclusions", member.collection, request.user, arguments)
    return to_panel("living", member)


def _systems(names: list[str], member: Member) -> list[str]:
    """Return the chosen systems, or those of the new runs."""
    if len(names) > MOST_SYSTEMS:
        raise Refused(f"At most {MOST_SYSTEMS} runs can be chosen.")
    known = set(member.collection.runs.filter(system__in=names).values_list("system", flat=True))
    if unknown := [name for name in names if name not in known]:
        raise Refused(f"The collection has no run of system {unknown[0][:80]}.")
    found = sorted(known) or [run.system for run in new_runs(member.collection)]
    if not found:
        raise Refused("No run is newer than the pool.")
    return found


def _page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    from assess.living.state import living_state  # loads pandas

    collection, depth = member.collection, _depth(request)
    state: Any = None
    try:
        systems = _systems(request.GET.getlist("system"), member) if request.GET.getlist("system") else []
        state = living_state(collection, systems, depth)
    except Refused as problem:
        refusal = refusal or problem
    done = collection.jobs.filter(kind="find_conclusions", state=JobState.DONE)
    found = done.filter(input__systems=state.systems).first() if state else None
    page = {
        "collection": collection,
        "member": member,
        "here": "runs",
        **job_panel(member, "top_up", "find_conclusions"),
        "state": state,
        "figure": _figure(state),
        "found": found,
        "form": TopUpForm(initial={"depth": depth, "judges": state.judges if state else 1}),
        "refusal": refusal,
    }
    return render(request, "research/living/living.html", page, status=400 if refusal else 200)


def _depth(request: HttpRequest) -> int:
    text = request.GET.get("depth", "")
    return int(text) if text.isdecimal() and text.isascii() and 1 <= int(text[:5]) <= 1_000 else DEPTH


def _figure(state: Any) -> Any:
    """Return the share that is judged, by run and topic, as a drawing for the page."""
    if not state or not state.to_judge:
        return None
    from agreement.plots import score_map
    from assess.analysis.figures import inline_svg
    from assess.web.figures.shown import DESK

    title = f"Judged among the first {state.depth}, by topic and run"
    return inline_svg(score_map(state.shares(), title, measure="share judged", width=DESK), title)
