"""Move the open work of somebody to others, and remind people of theirs."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess import mail
from assess.access import OWNERS, RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.jobs.pending import Pending
from assess.models import Member
from assess.pools.reassign import reassign as reassign_work
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.waiting import progress_of, render_waiting
from assess.web.research.work.forms import ReassignForm
from assess.work.reassigning import arguments_of, is_long, moves_sentence, preview_or_pending
from assess.work.remind import remind as send_reminders
from assess.work.remind import reminders


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal, reassign_form=ReassignForm(member.collection, request.POST or request.GET))


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def people(request: SignedInRequest, member: Member) -> HttpResponse:
    """Open work of each person. `?giver=` and `?takers=` show what reassigning would do."""
    if "giver" not in request.GET:
        return _page(request, member)
    form = ReassignForm(member.collection, request.GET)
    giver, takers = _chosen(form)
    try:
        result = preview_or_pending(member.collection, request.user, giver, takers)
    except Pending as pending:
        return _page(request, member, reassign_form=form, **progress_of(pending.job, member))
    preview = moves_sentence(result) if result.moves_anything else f"Nothing of {giver} can move."
    shown: dict[str, Any] = {"giver": giver, "takers": takers, "preview": preview, "can_move": result.moves_anything}
    return _page(request, member, reassign_form=form, **shown)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def reassign(request: SignedInRequest, member: Member) -> HttpResponse:
    """Move the open work of one assessor to others; if it is much, in the background."""
    giver, takers = _chosen(ReassignForm(member.collection, request.POST))
    if is_long(giver):
        job = queue.start("reassign", member.collection, request.user, arguments_of(giver, takers))
        return redirect("research:job", member.collection.slug, job.public_id)
    messages.success(request, moves_sentence(reassign_work(member.collection, giver, takers)))
    return redirect("research:work_people", member.collection.slug)


def _remind_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_remind_refused)
def remind(request: SignedInRequest, member: Member) -> HttpResponse:
    """Send an email to the people of each `name`, or to all with open work (`which=all`, or without a name)."""
    which = request.POST.get("which", "")
    names = [] if which == "all" else request.POST.getlist("name")
    if which == "chosen" and not names:
        raise Refused("Nobody is chosen. Check the people to remind.")
    reminded = send_reminders(member.collection, _judging_address(request, member), names, request.user)
    messages.success(request, reminded.sentence())
    return redirect("research:work_people", member.collection.slug)


def _chosen(form: ReassignForm) -> tuple[Member, list[Member]]:
    values = form.cleaned()
    return values["giver"], list(values["takers"])


def _judging_address(request: HttpRequest, member: Member) -> str:
    return request.build_absolute_uri(reverse("judge:topics", args=[member.collection.slug]))


def _page(request: HttpRequest, member: Member, refusal: Refused | str = "", **context: Any) -> HttpResponse:
    collection = member.collection
    page = {
        "here": "work",
        "collection": collection,
        "member": member,
        "refusal": refusal,
        "reassign_form": ReassignForm(collection),
        "reminders": reminders(collection, _judging_address(request, member)),
        "has_mail": mail.is_configured(),
        "shows_addresses": member.role in OWNERS,
    }
    if refusal:
        return render(request, "research/work/people.html", page | context, status=400)
    return render_waiting(request, "research/work/people.html", page | context)
