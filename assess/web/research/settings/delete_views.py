"""The deletion of a collection: what will be lost, and the job, whose page is outside of the collection."""

from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess.access import OWNERS, member_view
from assess.deletion import check_confirmation, check_deletable, losses_of
from assess.errors import Refused
from assess.jobs import queue, workers
from assess.jobs.kinds import KINDS
from assess.models import Job, Member
from assess.web.requests import RefusingForm, SignedInRequest, refusals_shown_by

KIND = "delete_collection"

LOST = {  # the numbers of `Losses`, and what the page calls them
    "topics": "topics",
    "documents": "documents, with their texts",
    "runs": "runs",
    "tasks": "pooled and judged tasks",
    "assignments": "assignments",
    "judgements": "judgements, “cannot judge” and decisions included",
    "events": "events of the ledger",
    "people": "people, whose accounts stay",
    "imported_judges": "imported judges",
    "invitations": "invitations",
}


class ConfirmationForm(RefusingForm):
    """What the user types to delete a collection."""

    confirmation = forms.CharField(label="Name in addresses", max_length=100, strip=False)


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(OWNERS)
@refusals_shown_by(_refused)
def delete(request: SignedInRequest, member: Member) -> HttpResponse:
    """Show what will be lost. A POST with the collection's name starts the deletion."""
    if request.method != "POST":
        return _page(request, member)
    confirmation = ConfirmationForm(request.POST).cleaned()["confirmation"]
    check_confirmation(member.collection, confirmation)
    check_deletable(member.collection)
    arguments = {"slug": member.collection.slug, "confirmation": confirmation, "actor": request.user.pk}
    job = queue.start_without_collection(KIND, request.user, arguments)
    return redirect("deletion", job.public_id)


def _page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    losses = losses_of(member.collection)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "settings",
        "losses": [(words, getattr(losses, name)) for name, words in LOST.items()],
        "problem": _problem(member),
        "refusal": refusal,
    }
    return render(request, "research/settings/delete.html", page, status=400 if refusal else 200)


def _problem(member: Member) -> Refused | None:
    """Return why the collection cannot be deleted now."""
    try:
        check_deletable(member.collection)
    except Refused as refusal:
        return refusal
    return None


@require_safe
def deletion(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """The progress or the result of a deletion, for the user who started it."""
    shown = _job(request, job_id)
    page = {"job": shown, "label": KINDS[KIND].label, "has_worker": workers.is_running(), "result": shown.result}
    return render(request, "research/settings/deletion.html", page)


@require_POST
def cancel_deletion(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """Cancel a deletion that has not been saved yet."""
    queue.cancel(_job(request, job_id))
    return redirect("deletion", job_id)


def _job(request: SignedInRequest, job_id: UUID) -> Job:
    return get_object_or_404(Job, public_id=job_id, kind=KIND, user=request.user)
