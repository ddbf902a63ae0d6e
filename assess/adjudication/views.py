"""Adjudications: choose disputed documents, see the decisions, take back what is not decided."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from agreement.choices import PEOPLE
from assess.access import RESEARCHERS, member_view
from assess.adjudication.adjudicate import adjudicate_or_start, adjudications_of, undo_adjudication
from assess.adjudication.choose import DOCUMENTS, MOST_KEY
from assess.adjudication.forms import AdjudicationForm
from assess.adjudication.openings import opened_tasks, tasks_to_decide
from assess.adjudication.overview import AdjudicationRow, adjudication_rows
from assess.analysis.reference import ADJUDICATED, MAJORITY, judges_of
from assess.errors import Refused
from assess.models import Collection, Job, Member
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel
from assess.web.research.set_filter import SetFilter, set_filter
from assess.web.research.views import refused_page
from assess.web.undoable import undoable
from pooling.words import count

MOST_SELECTED = 1_000


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: int) -> HttpResponse:
    form = AdjudicationForm(member.collection, request.POST if "choice" in request.POST else None)
    return _page(request, member, form, refusal)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def adjudication(request: HttpRequest, member: Member) -> HttpResponse:
    """The adjudications so far, how far the judges agree with the decisions, and the form for another one.

    With `?set=`, only the documents and decisions on topics of this set.
    """
    return _page(request, member, AdjudicationForm(member.collection))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def create(request: SignedInRequest, member: Member) -> HttpResponse:
    """Choose documents and assign them. Without adjudicators, the selected documents are shown with the form first."""
    tasks = _selected(request)
    if tasks and "adjudicators" not in request.POST:
        return _page(request, member, AdjudicationForm(member.collection), selected=tasks)
    options = AdjudicationForm(member.collection, request.POST).options()
    arguments = options | {"tasks": tasks if options["by"] == DOCUMENTS else []}
    created = adjudicate_or_start(member.collection, request.user, **arguments)
    if isinstance(created, Job):
        return to_panel("adjudication", member)
    text = f"Adjudication {created.number}: {count(created.documents, 'document')} assigned."
    undoable(request, text, reverse("research:undo_adjudication", args=[member.collection.slug, created.number]))
    return redirect("research:adjudication", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def undo(request: SignedInRequest, member: Member, number: int) -> HttpResponse:
    """Take back the documents of an adjudication that are not decided."""
    get_object_or_404(member.collection.adjudications, number=number)
    removed = undo_adjudication(member.collection, number, request.user)
    messages.success(request, f"{count(removed, 'document')} of adjudication {number} taken back.")
    return redirect("research:adjudication", member.collection.slug)


def _selected(request: HttpRequest) -> list[int]:
    texts = request.POST.getlist("task")
    if len(texts) > MOST_SELECTED:
        raise Refused(f"Select at most {MOST_SELECTED:,} documents, not {len(texts):,}.")
    if wrong := [text for text in texts if not (text.isascii() and text.isdigit() and int(text[:20]) <= MOST_KEY)]:
        raise Refused(f"task must be the number of a document, not {wrong[0][:40]!r}.")
    return [int(text) for text in texts]


def _rows(collection: Collection, number: int, chosen: SetFilter) -> list[AdjudicationRow]:
    rows = adjudication_rows(collection, number)
    return [row for row in rows if not chosen.query_ids or row.query_id in chosen.query_ids]


def _shift_golds(collection: Collection) -> dict[str, str]:
    """Return the parameters with which the shift pages compare the decisions with the majority."""
    by_rule = {rule.removeprefix(PEOPLE): rule for rule in judges_of(collection).golds()}
    golds = {"reference": by_rule.get(ADJUDICATED), "against": by_rule.get(MAJORITY)}
    return {name: rule for name, rule in golds.items() if rule}


def _page(
    request: HttpRequest,
    member: Member,
    form: AdjudicationForm,
    refusal: Refused | str = "",
    selected: list[int] | None = None,
) -> HttpResponse:
    from assess.adjudication.decisions import agreement_with_decisions  # loads pandas

    collection = member.collection
    summaries = adjudications_of(collection)
    has_decisions = any(summary.decided for summary in summaries)
    chosen = set_filter(request, collection)
    page: dict[str, Any] = {
        "here": "adjudication",
        "collection": collection,
        "member": member,
        "refusal": refusal,
        **job_panel(member, "adjudicate"),
        "form": form,
        "selected": selected or [],
        "opened": len(opened_tasks(member, selected)) if selected else 0,
        "documents": sum(summary.documents for summary in summaries),
        "decided": sum(summary.decided for summary in summaries),
        **chosen.context(),
        "adjudications": [(summary, _rows(collection, summary.number, chosen)) for summary in summaries],
        "judges": agreement_with_decisions(collection, chosen.query_ids) if has_decisions else [],
        "document_address": reverse("research:collection", args=[collection.slug]) + "documents/",
        "shift_golds": _shift_golds(collection),
        "own_open": len(tasks_to_decide(member)),
    }
    return render(request, "research/adjudication/adjudication.html", page, status=400 if refusal else 200)
