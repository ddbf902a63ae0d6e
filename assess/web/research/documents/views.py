"""Lists of judged documents, and the page of one document with everything that is known about its grades.

Every page that shows grades of single documents records that the member opened them, because a decision that they make
later on one of these documents is not blind. A member who is to decide a document gets a warning first.
"""

from collections.abc import Collection as Items
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from assess.access import RESEARCHERS, check_role, member_view
from assess.adjudication.openings import record_openings, unseen_to_decide
from assess.analysis.documents.filters import DocumentFilter, DocumentOrder, choices_for, read_filter
from assess.analysis.documents.pending import leverage_or_pending
from assess.analysis.thresholds import thresholds_of
from assess.jobs.pending import Pending
from assess.models import Member, Task
from assess.web.requests import SignedInRequest, View
from assess.web.research.documents.context import PAGE_SIZE, document_context, list_context, page_number
from assess.web.research.views import figures_view

if TYPE_CHECKING:
    import pandas as pd

    from agreement import Leverage


def documents_view(view: View) -> View:
    """Decorate a view that shows the grades of single documents."""

    @figures_view
    @wraps(view)
    def checked(request: HttpRequest, member: Member, **arguments: Any) -> HttpResponseBase:
        check_role(member, RESEARCHERS)
        return view(request, member, **arguments)

    return checked


@documents_view
def documents(request: SignedInRequest, member: Member) -> HttpResponse:
    """The judged documents that the query string chooses, in its order, on pages."""
    allowed = choices_for(member.collection)
    wanted = read_filter(request.GET, allowed)
    hidden = unseen_to_decide(member)
    leverage = leverage_of(request, member, wanted)
    chosen = chosen_documents(member, wanted, hidden, leverage)
    shown, pages = page_number(request.GET, chosen)
    record_openings(member, shown["task"].tolist())
    page = list_context(request, member, allowed, wanted, chosen, shown) | {"pages": pages, "hidden": len(hidden)}
    # The summary names the document that matters most.
    if leverage is not None and not hidden and not wanted.describe():
        from assess.analysis.documents.leverage import leverage_sentence  # loads pandas

        page["sentence"] = leverage_sentence(leverage, thresholds_of(request.GET))
    return render(request, "research/documents/documents.html", page)


@documents_view
def document(request: SignedInRequest, member: Member, task: int) -> HttpResponse:
    """Everything about one document of a topic: its text, grades, history, systems, and effect on the ranking."""
    shown = task_or_404(member, task)
    hidden = unseen_to_decide(member)
    page = {"collection": member.collection, "member": member, "here": "documents", "task": shown}
    if task in hidden:
        return render(request, "research/documents/warning.html", page)
    allowed = choices_for(member.collection)
    wanted = read_filter(request.GET, allowed)
    record_openings(member, [task])
    page |= document_context(request, member, shown, allowed, wanted)
    page |= _neighbours(request, member, wanted, hidden, task)
    # Like the shift page: an invalid gold or measure is an error, and a collection without runs is not.
    is_invalid = "effect_refusal" in page and request.GET.keys() & {"gold", "measure"}
    return render(request, "research/documents/document.html", page, status=400 if is_invalid else 200)


@require_POST
@member_view(RESEARCHERS)
def open_grades(request: HttpRequest, member: Member, task: int) -> HttpResponse:
    """Open the grades of a document that the member is to decide. Their decision counts as not blind."""
    record_openings(member, [task_or_404(member, task).pk])
    address = redirect("research:document", member.collection.slug, task)
    if query := request.GET.urlencode():
        address["Location"] += f"?{query}"
    return address


def task_or_404(member: Member, task: int) -> Task:
    from assess.analysis.documents.page import find_task

    if found := find_task(member.collection, task):
        return found
    raise Http404


def leverage_of(request: SignedInRequest, member: Member, wanted: DocumentFilter) -> "Leverage | None":
    """Return the effect of the disputed documents if the list is ordered by it."""
    if wanted.order != DocumentOrder.LEVERAGE:
        return None
    return leverage_or_pending(member.collection, request.user, wanted.measure, wanted.gold, wanted.of_set)


def chosen_documents(
    member: Member, wanted: DocumentFilter, hidden: Items[int], leverage: "Leverage | None"
) -> "pd.DataFrame":
    """Return the listed documents without those that the member is to decide: a list reveals how far they differ."""
    from assess.analysis.documents.listing import listed  # loads pandas

    return listed(member.collection, wanted, hidden, leverage)


def _neighbours(
    request: SignedInRequest, member: Member, wanted: DocumentFilter, hidden: Items[int], task: int
) -> dict[str, Any]:
    """Return the previous and the next document of the list; neither if the document is not in it.

    While a job computes the order of the list, return the job instead.
    """
    try:
        leverage = leverage_of(request, member, wanted)
    except Pending as pending:  # the document is shown without waiting for the list
        return {"list_page": None, "list_job": pending.job}
    tasks = chosen_documents(member, wanted, hidden, leverage)["task"].tolist()
    if task not in tasks:
        return {"list_page": None}
    at = tasks.index(task)
    page = at // PAGE_SIZE + 1
    before, after = tasks[at - 1] if at else None, tasks[at + 1] if at + 1 < len(tasks) else None
    return {"position": at + 1, "total": len(tasks), "list_page": page, "previous": before, "next": after}
