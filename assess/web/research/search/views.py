"""Search, for researchers: the index, who may search, and the recorded searches."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.models import Document, Job, JobState, Member, SearchIndex
from assess.search.index import ready_index, start_indexing
from assess.search.permission import permit_search, searchers
from assess.search.recorded import recorded_searches
from assess.web.refusals import refusals_shown_by
from assess.web.requests import SignedInRequest


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_safe
@member_view(RESEARCHERS)
def overview(request: HttpRequest, member: Member) -> HttpResponse:
    """The state of the index, the searchers, and what they searched for."""
    return _page(request, member)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def build_index(request: SignedInRequest, member: Member) -> HttpResponse:
    """Start the job that indexes the documents."""
    job = start_indexing(member.collection, request.user)
    return redirect("research:job", member.collection.slug, job.public_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def permit(request: SignedInRequest, member: Member) -> HttpResponse:
    """Let the selected assessors search, and nobody else."""
    names = permit_search(member.collection, request.POST.getlist("searchers"), request.user)
    messages.success(request, f"May search: {', '.join(names) or 'nobody'}.")
    return redirect("research:search", member.collection.slug)


def _page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    permitted = {each.pk for each in searchers(collection)}
    unfinished = Job.objects.filter(collection=collection, kind="index", state__in=(JobState.WAITING, JobState.RUNNING))
    page = {
        "collection": collection,
        "member": member,
        "here": "search",
        "index": ready_index(collection),
        "building": SearchIndex.objects.filter(collection=collection).exclude(building="").first(),
        "job": unfinished.first(),
        "documents": Document.objects.filter(collection=collection, content__isnull=False).count(),
        "assessors": [(each, each.pk in permitted) for each in active_assessors(collection)],
        "searches": recorded_searches(collection),
        "refusal": refusal,
    }
    return render(request, "research/search/overview.html", page, status=400 if refusal else 200)
