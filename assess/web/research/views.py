"""The researcher's pages: the collection, and the agreement of its judges.

`assess.analysis.agreement` and `assess.transfer.exports` load pandas. They are imported inside
the views, so that processes that only serve judging never load it.
"""

import csv
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from assess import audit
from assess.access import READERS, RESEARCHERS, member_view
from assess.analysis.pending import Pending, agreement_or_pending
from assess.analysis.query import (
    ALL_ROUNDS,
    chosen_round,
    relevance_threshold,
    round_choices,
    threshold_choices,
)
from assess.campaign.overview import Overview, overview
from assess.campaign.steps import Step, campaign_steps
from assess.collections.scale import lowest_relevant_grade
from assess.errors import Refused
from assess.jobs import workers
from assess.jobs.kinds import KINDS
from assess.judging.judgement_csv import harmless
from assess.models import Checkpoint, Collection, Job, Member, Role
from assess.pools.pooled_documents import missing_documents
from assess.teaching import clock
from assess.web.refusals import View, refusals_shown_by
from assess.web.requests import SignedInRequest

if TYPE_CHECKING:
    import pandas as pd

LATEST_JOBS = 5
TEXT = "text/plain; charset=utf-8"


def refused_page(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    """Say why the request was refused."""
    here = request.path.removeprefix(reverse("research:collection", args=[member.collection.slug])).partition("/")[0]
    page = {"collection": member.collection, "member": member, "here": here, "refusal": refusal}
    return render(request, "research/refused.html", page, status=400)


def figures_view_for(roles: frozenset[Role]) -> Callable[[View], View]:
    """Decorate a view of figures for members of these roles.

    An instructor may open those of an exercise only after its end. While a job computes the figures, its progress is
    shown instead, and the page asks for itself again.
    """

    def decorate(view: View) -> View:
        @require_safe
        @member_view(roles)
        @refusals_shown_by(refused_page)
        @wraps(view)
        def checked(request: HttpRequest, member: Member, **arguments: Any) -> HttpResponseBase:
            clock.check_figures(member)
            try:
                response = view(request, member, **arguments)
            except Pending as pending:
                return _pending_page(request, member, pending.job)
            if request.headers.get("HX-Request"):  # the page that waited for the job loads itself again
                response["HX-Refresh"] = "true"
            return response

        return checked

    return decorate


figures_view = figures_view_for(READERS)


def _pending_page(request: HttpRequest, member: Member, job: Job) -> HttpResponse:
    page = {"collection": member.collection, "member": member, "here": job.kind.partition("_")[0], "job": job}
    page |= {"label": KINDS[job.kind].label, "has_worker": workers.is_running()}
    return render(request, "research/pending.html", page, status=202)


@require_safe
@member_view(RESEARCHERS)
def collection(request: HttpRequest, member: Member) -> HttpResponse:
    """The content of the collection, the progress of judging, and the next step."""
    state = overview(member.collection)
    steps = _steps_with_urls(member.collection, state)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "collection",
        "overview": state,
        "steps": steps,
        "next": next((row for row in steps if row[0].is_next), None),
        "rel": lowest_relevant_grade(member.collection),
        "jobs": [(KINDS[job.kind].label, job) for job in _listed_jobs(member.collection)],
    }
    return render(request, "research/collection.html", page)


def _steps_with_urls(collection: Collection, state: Overview) -> list[tuple[Step, str, str]]:
    """Return the steps with the address of each step's page, and of its other page if it has one."""

    def address(view: str) -> str:
        return reverse(f"research:{view}", args=[collection.slug]) if view else ""

    return [(step, address(step.view), address(step.other_view)) for step in campaign_steps(collection, state)]


def _listed_jobs(collection: Collection) -> QuerySet[Job]:
    kinds = [name for name, kind in KINDS.items() if kind.is_listed]
    return collection.jobs.filter(kind__in=kinds)[:LATEST_JOBS]


@require_safe
@member_view(RESEARCHERS)
def missing(_request: HttpRequest, member: Member) -> HttpResponse:
    """The doc_ids of the pooled documents without text, one per line."""
    content = "".join(f"{doc_id}\n" for doc_id in missing_documents(member.collection))
    return download(content.encode(), "missing.txt", TEXT)


@require_safe
@member_view(RESEARCHERS)
def judgements_csv(request: SignedInRequest, member: Member) -> HttpResponse:
    """The raw judgements."""
    from assess.transfer.exports import export_judgements, record_export

    # The checkpoint comes first: a deletion requires that the file has all events up to it.
    checkpoint = record_export(member.collection, "judgements", request.user)
    content = export_judgements(member.collection)
    return download(content, f"{member.collection.slug}-judgements.csv", checkpoint=checkpoint)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def qrels(request: SignedInRequest, member: Member) -> HttpResponse:
    """The gold of the rule `?gold=` as qrels; binary with `&rel=`."""
    from assess.transfer.exports import export_qrels, record_export

    rule = request.GET.get("gold", "majority")
    rel = relevance_threshold(request.GET, member.collection) if request.GET.get("rel") else None
    content = export_qrels(member.collection, rule, rel)
    checkpoint = record_export(member.collection, audit.qrels_subject(rule), request.user)
    return download(content, f"{member.collection.slug}.qrels", TEXT, checkpoint)


@figures_view
def agreement(request: SignedInRequest, member: Member) -> HttpResponse:
    """Every pair of judges, every topic, and the average pair."""
    rounds = round_choices(member.collection)
    pilot = chosen_round(request.GET, rounds)
    rel = relevance_threshold(request.GET, member.collection)
    figures = agreement_or_pending(member.collection, request.user, rel, pilot)
    ids = dict(member.collection.members.values_list("name", "pk"))
    page = (
        _analysis_page(request, member, "agreement")
        | _rounds_page(request, rounds)
        | {
            "figures": figures,
            "pairs": [(row, ids[row.a], ids[row.b], figures.summary.is_early(row.a, row.b)) for row in figures.pairs],
        }
    )
    return render(request, "research/agreement.html", page)


@figures_view
def agreement_csv(request: HttpRequest, member: Member) -> HttpResponse:
    """The figures of the pairs, unrounded."""
    from assess.analysis.agreement import pairwise_frame

    pilot = chosen_round(request.GET, round_choices(member.collection))
    frame = pairwise_frame(member.collection, relevance_threshold(request.GET, member.collection), pilot)
    return csv_download(frame, f"{member.collection.slug}-agreement.csv")


@figures_view
def pair(request: HttpRequest, member: Member, a: int, b: int) -> HttpResponse:
    """The contingency table of two judges, with all steps of the calculation."""
    from assess.analysis.agreement import pair_figures

    first, second = _judge(member, a), _judge(member, b)
    if first == second:
        raise Http404
    rel = relevance_threshold(request.GET, member.collection)
    rounds = round_choices(member.collection)
    figures = pair_figures(member.collection, first.name, second.name, rel, chosen_round(request.GET, rounds))
    page = _analysis_page(request, member, "agreement") | _rounds_page(request, rounds) | {"figures": figures}
    return render(request, "research/pair.html", page)


def _analysis_page(request: HttpRequest, member: Member, here: str) -> dict[str, Any]:
    return {
        "here": here,
        "collection": member.collection,
        "member": member,
        "rel": request.GET.get("rel") or str(lowest_relevant_grade(member.collection)),
        "rel_choices": threshold_choices(member.collection),
    }


def _rounds_page(request: HttpRequest, rounds: list[Any]) -> dict[str, Any]:
    """Return the choices of `?round=`; none if the collection has no pilot."""
    choices = [(value, label) for value, label, _ in rounds] if len(rounds) > 1 else []
    return {"rounds": choices, "round": request.GET.get("round") or ALL_ROUNDS}


def _judge(member: Member, pk: int) -> Member:
    return get_object_or_404(Member, pk=pk, collection=member.collection, role=Role.ASSESSOR)


def download(
    content: bytes, name: str, content_type: str = "text/csv; charset=utf-8", checkpoint: Checkpoint | None = None
) -> HttpResponse:
    """Send a file. The checkpoint of the ledger is a header, because the formats have no place for it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if checkpoint:
        headers["Assay-Checkpoint"] = checkpoint.hash
    return HttpResponse(content, content_type=content_type, headers=headers)


def csv_download(frame: "pd.DataFrame", name: str) -> HttpResponse:
    response = download(b"", name)
    writer = csv.writer(response, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False):
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return response
