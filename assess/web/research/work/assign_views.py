"""Assign the pool, with a preview of each person's load, or open it to claims."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.judging.rules import change_rules, describe_rules, is_long
from assess.models import Collection, Member
from assess.pools import unassign as unassigning
from assess.pools.pooled_documents import pool_to_assign
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.work.forms import AssignForm, ClaimsForm
from assess.web.undoable import undoable
from assess.work.monitor import overall_pace
from assess.work.preview import Preview, earlier_preview, is_large, preview


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal, request.POST or request.GET)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def assign(request: SignedInRequest, member: Member) -> HttpResponse:
    """GET shows what the parameters mean for each person; POST starts the job that saves it."""
    if request.method != "POST":
        return _page(request, member, data=request.GET)
    form = AssignForm(member.collection, None, request.POST)
    arguments = form.options() | {"preview": request.POST.get("preview", "")}
    job = queue.start("assign", member.collection, request.user, arguments)
    return redirect("research:job", member.collection.slug, job.public_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def start_preview(request: SignedInRequest, member: Member) -> HttpResponse:
    """Compute the preview of a large assignment in the background."""
    arguments = AssignForm(member.collection, None, request.POST).preview_arguments()
    job = queue.start("preview_assign", member.collection, request.user, arguments)
    return redirect("research:job", member.collection.slug, job.public_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def undo(request: SignedInRequest, member: Member) -> HttpResponse:
    """Delete the assignments that nobody has begun; if they are many, in the background."""
    if unassigning.is_long(member.collection):
        job = queue.start("unassign", member.collection, request.user, {})
        return redirect("research:job", member.collection.slug, job.public_id)
    messages.success(request, unassigning.unassigned_sentence(unassigning.unassign(member.collection)))
    return redirect("research:assign", member.collection.slug)


def _claims_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal, claims_form=ClaimsForm(member.collection, request.POST))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_claims_refused)
def claims(request: SignedInRequest, member: Member) -> HttpResponse:
    """Open the pool to claims; with `close`, assign tasks beforehand again. A large pool takes a job."""
    rules: dict[str, Any] = {"judges_per_task": None}
    if "close" not in request.POST:
        rules = ClaimsForm(member.collection, request.POST).cleaned()
    if is_long(member.collection, rules):
        job = queue.start("change_rules", member.collection, request.user, rules)
        return redirect("research:job", member.collection.slug, job.public_id)
    before = _claim_fields(member.collection)
    changed = change_rules(member.collection, **rules)
    text = " ".join([describe_rules(member.collection), *changed.notes])
    undoable(request, text, reverse("research:claims", args=[member.collection.slug]), before)
    return redirect("research:assign", member.collection.slug)


def _claim_fields(collection: Collection) -> list[tuple[str, object]]:
    """Return the fields that set the present rules of claiming again."""
    if not collection.open_to_claims:
        return [("close", 1)]
    names = ("judges_per_task", "claim_minutes", "repeat_share")
    return [(name, getattr(collection, name)) for name in names]


def _page(
    request: HttpRequest,
    member: Member,
    refusal: Refused | str = "",
    data: QueryDict | None = None,
    claims_form: ClaimsForm | None = None,
) -> HttpResponse:
    """Render the page; with parameters, the preview or the reason why there is none."""
    collection = member.collection
    form = AssignForm(collection, overall_pace(collection), data if data and "policy" in data else None)
    shown, is_later = None, False
    if form.is_bound and not refusal:
        try:
            shown, is_later = _preview(collection, form)
        except Refused as error:
            refusal = error
    page = {
        "here": "work",
        "collection": collection,
        "member": member,
        "refusal": refusal,
        "form": form,
        "claims_form": claims_form or ClaimsForm(collection),
        "preview": shown,
        "is_later": is_later,
        "parameters": _parameters(form, data) if data else [],
        "sentence": describe_rules(collection),
        "pool": pool_to_assign(collection),
        "not_begun": 0 if collection.open_to_claims else unassigning.not_begun(collection).count(),
    }
    return render(request, "research/work/assign.html", page, status=400 if refusal else 200)


def _preview(collection: Collection, form: AssignForm) -> tuple[Preview | dict[str, Any] | None, bool]:
    """Return the preview, or whether it has to be computed in the background first."""
    arguments = form.preview_arguments()
    if not is_large(collection, **arguments):
        return preview(collection, **arguments), False
    earlier = earlier_preview(collection, arguments)
    return earlier, earlier is None


def _parameters(form: AssignForm, data: QueryDict) -> list[tuple[str, str]]:
    """Return the submitted values of the form, which the POST repeats."""
    return [(name, value) for name in form.fields for value in data.getlist(name)]
