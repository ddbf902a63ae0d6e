"""The pages of searchers: a search for a topic, its results, and opening one of them on the judging page.

Nothing here reads runs or judgements of others.
"""

import uuid
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.calibration.practice import prepare
from assess.errors import Refused
from assess.models import Member, Search, State, Topic
from assess.models.search import MAX_QUERY_LENGTH
from assess.search.find import MOST_RESULTS, page_count, results_page, search
from assess.search.index import ready_index
from assess.search.permission import may_search, open_result
from assess.web.grades import grade_buttons
from assess.web.judge.render import render_page
from assess.web.requests import RefusingForm, refusals_shown_by

RECENT = 10  # searches that the page offers again
View = Callable[..., HttpResponseBase]


class SearchForm(RefusingForm):
    """What to search for."""

    query = forms.CharField(label="Search", max_length=MAX_QUERY_LENGTH, strip=True)


def searcher_view(view: View) -> View:
    """Decorate a view for assessors who may search."""

    @wraps(view)
    def guarded(request: HttpRequest, member: Member, **arguments: object) -> HttpResponseBase:
        if not may_search(member):
            raise PermissionDenied("You may not search in this collection. Its researchers can permit it.")
        return view(request, member, **arguments)

    return member_view(ASSESSORS)(guarded)


@require_safe
@searcher_view
def topics(request: HttpRequest, member: Member) -> HttpResponse:
    """All topics of the collection, each with a link to its search page."""
    page = {"here": "search", "topics": member.collection.topics.order_by("pk")}
    return render_page(request, member, "judge/search/topics.html", page)


def _search_refused(request: HttpRequest, member: Member, topic_id: int, refusal: Refused) -> HttpResponse:
    return _search_page(request, member, _topic_or_404(member, topic_id), refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@searcher_view
@refusals_shown_by(_search_refused)
def search_topic(request: HttpRequest, member: Member, topic_id: int) -> HttpResponse:
    """The search page of a topic. A POST searches, records the search, and leads to its results."""
    topic = _topic_or_404(member, topic_id)
    if request.method != "POST":
        return _search_page(request, member, topic)
    recorded = search(member, topic, SearchForm(request.POST).cleaned()["query"])
    return redirect("judge:search_results", member.collection.slug, recorded.public_id)


def _search_page(request: HttpRequest, member: Member, topic: Topic, refusal: Refused | None = None) -> HttpResponse:
    page = {
        "here": "search",
        "topic": topic,
        "query": request.POST.get("query", ""),
        "max_length": MAX_QUERY_LENGTH,
        "is_ready": ready_index(member.collection) is not None,
        "recent": member.searches.filter(topic=topic)[:RECENT],
        "refusal": refusal,
    }
    return render_page(request, member, "judge/search/search.html", page, status=400 if refusal else 200)


@require_safe
@searcher_view
def results(request: HttpRequest, member: Member, search_id: uuid.UUID) -> HttpResponse:
    """A page of the results of a search. `?at=` is the result that was opened last: the focus is on the next one."""
    return _results_page(request, member, _search_or_404(member, search_id))


def _results_page(
    request: HttpRequest, member: Member, recorded: Search, refusal: Refused | None = None
) -> HttpResponse:
    pages = page_count(recorded)
    page_number = min(max(_number(request.GET.get("page", "1")), 1), pages)
    rows = results_page(recorded, page_number)
    at = _number(request.GET.get("at", "0"))
    grades = {button["value"]: button for button in grade_buttons(list(member.collection.grades.all()))}
    page = {
        "here": "search",
        "search": recorded,
        "topic": recorded.topic,
        "query": recorded.query,
        "max_length": MAX_QUERY_LENGTH,
        "rows": [(row, grades.get(row.relevance), row.rank == _focused(at, rows)) for row in rows],
        "is_limited": recorded.matched > len(recorded.documents) == MOST_RESULTS,
        "page_number": page_number,
        "pages": pages,
        "previous": page_number - 1,
        "next": page_number + 1 if page_number < pages else 0,
        "cannot_judge": State.CANNOT_JUDGE,
        "refusal": refusal,
    }
    return render_page(request, member, "judge/search/results.html", page, status=400 if refusal else 200)


def _focused(at: int, rows: list) -> int:  # type: ignore[type-arg]
    """Return the rank of the result after the one at which the searcher was."""
    return next((row.rank for row in rows if row.rank > at), 0) if at else 0


def _open_refused(
    request: HttpRequest, member: Member, search_id: uuid.UUID, refusal: Refused, **_: object
) -> HttpResponse:
    return _results_page(request, member, _search_or_404(member, search_id), refusal)


@require_POST
@searcher_view
@refusals_shown_by(_open_refused)
def open_one(_request: HttpRequest, member: Member, search_id: uuid.UUID, rank: int) -> HttpResponse:
    """Open a result on the judging page, which returns to the results."""
    recorded = _search_or_404(member, search_id)
    if not prepare(member):
        return redirect("judge:practice", member.collection.slug)
    assignment = open_result(member, recorded, rank)
    back = urlencode({"search": recorded.public_id, "at": rank})
    address = reverse("judge:topic", args=[member.collection.slug, recorded.topic_id])
    return redirect(f"{address}?{urlencode({'task': assignment.public_id, 'back': back})}")


def _number(text: str) -> int:
    """Return a number from an address; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def _topic_or_404(member: Member, topic_id: int) -> Topic:
    return get_object_or_404(member.collection.topics, pk=topic_id)


def _search_or_404(member: Member, search_id: uuid.UUID) -> Search:
    recorded = member.searches.select_related("topic").filter(public_id=search_id).first()
    if recorded is None:
        raise Http404
    recorded.member = member  # with its collection
    return recorded
