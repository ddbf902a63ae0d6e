"""Search, for researchers: the index, who may search, and the recorded searches."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.adjudication.openings import record_openings, unseen_to_decide
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Document, Job, JobState, Member, SearchIndex
from assess.search.index import ready_index, start_indexing
from assess.search.permission import permit_search, searchers
from assess.search.recorded import RecordedSearch, recorded_searches, searches_of
from assess.search.searches_csv import written
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.documents.views import documents_view
from assess.web.research.job_panel import job_panel, to_panel

PAGE_SIZE = 50  # searches


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_safe
@member_view(RESEARCHERS)
def overview(request: HttpRequest, member: Member) -> HttpResponse:
    """The state of the index, the searchers, and what they searched for, on pages."""
    return _page(request, member)


@documents_view
def searches_file(_request: HttpRequest, member: Member) -> HttpResponse:
    """All searches with the documents that were opened, as CSV."""
    searches = recorded_searches(member.collection, hidden=unseen_to_decide(member))
    _record_openings(member, searches)
    headers = {"Content-Disposition": f'attachment; filename="{member.collection.slug}-searches.csv"'}
    return HttpResponse(written(searches), content_type="text/csv; charset=utf-8", headers=headers)


def _record_openings(member: Member, searches: list[RecordedSearch]) -> None:
    """Record that the member sees how searchers judged single documents."""
    tasks = [document.task for search in searches for document in search.documents]
    for start in range(0, len(tasks), BATCH):
        record_openings(member, tasks[start : start + BATCH])


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def build_index(request: SignedInRequest, member: Member) -> HttpResponse:
    """Start the job that indexes the documents."""
    start_indexing(member.collection, request.user)
    return to_panel("search", member)


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
    pages = Paginator(searches_of(collection).only("pk"), PAGE_SIZE).get_page(request.GET.get("page"))
    hidden = unseen_to_decide(member)
    searches = recorded_searches(collection, max(pages.start_index() - 1, 0), pages.end_index(), hidden)
    _record_openings(member, searches)
    unfinished = Job.objects.filter(collection=collection, kind="index", state__in=(JobState.WAITING, JobState.RUNNING))
    page = {
        "collection": collection,
        "member": member,
        "here": "search",
        **job_panel(member, "index"),
        "index": ready_index(collection),
        "building": SearchIndex.objects.filter(collection=collection).exclude(building="").first(),
        "job": unfinished.first(),
        "documents": Document.objects.filter(collection=collection, content__isnull=False).count(),
        "assessors": [(each, each.pk in permitted) for each in active_assessors(collection)],
        "searches": searches,
        "pages": pages,
        "hidden": len(hidden),
        "refusal": refusal,
    }
    return render(request, "research/search/overview.html", page, status=400 if refusal else 200)
