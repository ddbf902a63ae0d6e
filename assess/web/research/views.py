"""The researcher's page of the collection, its downloads, and what the pages of figures share.

`assess.transfer.exports` loads pandas. It is imported inside the views, so that processes that only serve judging never
load it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import READERS, RESEARCHERS, member_view
from assess.analysis.query import relevance_threshold
from assess.analysis.reference import default_gold
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused
from assess.jobs.pending import Pending
from assess.models import Checkpoint, Job, Member, Role
from assess.pools.pooled_documents import missing_documents
from assess.teaching import clock
from assess.web.requests import SignedInRequest, View, refusals_shown_by
from assess.web.research.waiting import progress_of, reload_if_waiting, render_waiting

LATEST_JOBS = 5
TEXT = "text/plain; charset=utf-8"


def refused_page(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    """Say why the request was refused."""
    here = request.path.removeprefix(reverse("research:collection", args=[member.collection.slug])).partition("/")[0]
    page = {"collection": member.collection, "member": member, "here": here, "refusal": refusal}
    return render(request, "research/refused.html", page, status=400)


def figures_view_for(roles: frozenset[Role], refused: View = refused_page) -> Callable[[View], View]:
    """Decorate a view of figures for members of these roles. `refused` shows why a request was refused.

    An instructor may open those of an exercise only after its end. While a job computes the figures, its progress is
    shown instead, and the page reloads itself.
    """

    def decorate(view: View) -> View:
        @require_safe
        @member_view(roles)
        @refusals_shown_by(refused)
        @wraps(view)
        def checked(request: HttpRequest, member: Member, **arguments: Any) -> HttpResponseBase:
            clock.check_figures(member)
            try:
                return reload_if_waiting(request, view(request, member, **arguments))
            except Pending as pending:
                return _pending_page(request, member, pending.job)

        return checked

    return decorate


figures_view = figures_view_for(READERS)


def _pending_page(request: HttpRequest, member: Member, job: Job) -> HttpResponse:
    page = {"collection": member.collection, "member": member, "here": job.kind.partition("_")[0]}
    return render_waiting(request, "research/pending.html", page | progress_of(job, member))


@require_safe
@member_view(RESEARCHERS)
def missing(_request: HttpRequest, member: Member) -> HttpResponse:
    """The doc_ids of the pooled documents without text, one per line."""
    content = "".join(f"{doc_id}\n" for doc_id in missing_documents(member.collection))
    return download(content.encode(), "missing.txt", TEXT)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def judgements_csv(request: SignedInRequest, member: Member) -> HttpResponse:
    """The raw judgements; of one set of topics with `?set=`, and with those of withdrawn judges with `?withdrawn=1`."""
    from assess.transfer.exports import export_judgements, record_export

    topic_set, with_withdrawn = request.GET.get("set", ""), request.GET.get("withdrawn") == "1"
    topics_in_set(member.collection, topic_set)  # refuses an unknown set, before the export is recorded
    # The checkpoint comes first: a deletion requires that the file has all events up to it.
    subject = audit.judgements_subject(topic_set)
    checkpoint = record_export(member.collection, subject, request.user, with_withdrawn)
    content = export_judgements(member.collection, topic_set, with_withdrawn)
    return download(content, f"{member.collection.slug}-judgements.csv", checkpoint=checkpoint)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def qrels(request: SignedInRequest, member: Member) -> HttpResponse:
    """The gold of the rule `?gold=`, or the default reference, as qrels.

    It is binary with `&rel=`, and of one set of topics with `&set=`.
    """
    from assess.transfer.exports import export_qrels, record_export

    rule = request.GET.get("gold") or default_gold(member.collection)
    rel = relevance_threshold(request.GET, member.collection) if request.GET.get("rel") else None
    content = export_qrels(member.collection, rule, rel, request.GET.get("set", ""))
    checkpoint = record_export(member.collection, audit.qrels_subject(rule), request.user)
    return download(content, f"{member.collection.slug}.qrels", TEXT, checkpoint)


def download(
    content: bytes, name: str, content_type: str = "text/csv; charset=utf-8", checkpoint: Checkpoint | None = None
) -> HttpResponse:
    """Send a file. The checkpoint of the ledger is a header, because the formats have no place for it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if checkpoint:
        headers["Assay-Checkpoint"] = checkpoint.hash
    return HttpResponse(content, content_type=content_type, headers=headers)
