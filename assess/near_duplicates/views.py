"""Near-duplicates: find them, choose the threshold from examples, and see which groups were judged inconsistently."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.adjudication.openings import record_openings, unseen_to_decide
from assess.analysis.query import set_choices
from assess.collections.topic_sets import describe_set, sets_by_topic, topics_in_set
from assess.errors import Refused
from assess.jobs import queue
from assess.models import Member
from assess.near_duplicates.groups import accept_threshold, preview, search_of
from assess.near_duplicates.options import DEFAULT_THRESHOLD, LOWEST_THRESHOLD, checked_threshold
from assess.web.figures.page import Asked, Page
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.documents.views import documents_view
from assess.web.research.job_panel import job_panel, to_panel
from pooling.words import count

PAGE_SIZE = 10  # groups, whose documents are shown side by side


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, DEFAULT_THRESHOLD, refusal)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def near_duplicates(request: HttpRequest, member: Member) -> HttpResponse:
    """The form that finds similar documents, and the pairs nearest to a threshold."""
    search = search_of(member.collection)
    accepted = search.threshold if search else None
    typed = request.GET.get("threshold")
    threshold = (accepted or DEFAULT_THRESHOLD) if typed is None else checked_threshold(typed)
    return _page(request, member, threshold)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def find(request: SignedInRequest, member: Member) -> HttpResponse:
    """Start the job that compares the documents."""
    arguments = {"whole": request.POST.get("whole") == "on"}
    queue.start("find_duplicates", member.collection, request.user, arguments)
    return to_panel("near_duplicates", member)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def accept(request: SignedInRequest, member: Member) -> HttpResponse:
    """Save the groups at the threshold whose examples were shown."""
    threshold = checked_threshold(request.POST.get("threshold", ""))
    groups = accept_threshold(member.collection, threshold, request.user)
    messages.success(request, f"Accepted the threshold {threshold:g}: {count(groups, 'group')}.")
    return redirect("research:near_duplicates", member.collection.slug)


@documents_view
def inconsistent(request: SignedInRequest, member: Member) -> HttpResponse:
    """The groups that were judged inconsistently, with their documents side by side; of one set with `?set=`."""
    from assess.near_duplicates.inconsistent import described, inconsistent_table  # loads pandas

    collection, hidden = member.collection, unseen_to_decide(member)
    name = request.GET.get("set", "")
    topics = topics_in_set(collection, name)
    table = inconsistent_table(collection, hidden, topics)
    total = int((table["judge"] == "").sum())
    pages = Paginator(range(total), PAGE_SIZE).get_page(request.GET.get("page"))
    groups = described(collection, table, max(pages.start_index() - 1, 0), pages.end_index())
    record_openings(member, [document["task"] for group in groups for document in group.documents])
    by_judge = table["judge"][table["judge"] != ""].value_counts()
    page = {
        "collection": collection,
        "member": member,
        "here": "documents",
        "groups": groups,
        "total": total,
        "accepted": collection.duplicate_groups.count(),
        "by_judge": sorted(by_judge.items(), key=lambda item: (-item[1], item[0])),
        "pages": pages,
        "hidden": len(hidden),
        "adjudicate": reverse("research:create_adjudication", args=[collection.slug]),
        "sets": set_choices(sets_by_topic(collection).values()),
        "chosen_set": name,
        "topic_set": describe_set(name, topics),
    }
    return render(request, "research/near_duplicates/inconsistent.html", page)


def _inconsistent_groups(asked: Asked) -> Table:
    """All groups that were judged inconsistently, one line for each judge and one for all judges.

    With `?set=`, only those of the topics of this set.
    """
    from assess.near_duplicates.inconsistent import csv_table, inconsistent_table, tasks_of  # loads pandas

    member, collection = asked.member, asked.member.collection
    topics = topics_in_set(collection, asked.request.GET.get("set", ""))
    table = inconsistent_table(collection, unseen_to_decide(member), topics)
    record_openings(member, tasks_of(collection, table))
    return Table("inconsistent-groups", csv_table(table))


INCONSISTENT_GROUPS = Page(tables={"inconsistent-groups": _inconsistent_groups})


def _page(request: HttpRequest, member: Member, threshold: float, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    search = search_of(collection)
    page = {
        "collection": collection,
        "member": member,
        "here": "documents",
        **job_panel(member, "find_duplicates"),
        "search": search,
        "groups": collection.duplicate_groups.count(),
        "documents": collection.documents.filter(content__isnull=False).count(),
        "preview": preview(search, threshold) if search else None,
        "lowest": LOWEST_THRESHOLD,
        "refusal": refusal,
    }
    return render(request, "research/near_duplicates/near_duplicates.html", page, status=400 if refusal else 200)
