"""Assign the pool, with a preview of each person's load, or open it to claims."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from assess.access import OWNERS, RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.judging.rules import change_rules, describe_rules, is_long
from assess.models import Collection, Member, Role
from assess.pools import unassign as unassigning
from assess.pools.pooled_documents import pool_to_assign
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.work.forms import AssignForm, ClaimsForm
from assess.web.undoable import undoable
from assess.work.monitor import overall_pace
from assess.work.preview import earlier_preview, is_large, is_live, load_bars, preview


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
    given = data if data and "policy" in data else None
    usernames = _usernames(collection) if member.role in OWNERS else {}
    form = AssignForm(collection, overall_pace(collection), given, usernames)
    page: dict[str, Any] = {
        "here": "work",
        "collection": collection,
        "member": member,
        "form": form,
        "claims_form": claims_form or ClaimsForm(collection),
        "sentence": describe_rules(collection),
        "pool": pool_to_assign(collection),
        "not_begun": 0 if collection.open_to_claims else unassigning.not_begun(collection).count(),
    }
    if not refusal and not collection.archived_at and not collection.open_to_claims:
        page |= _shown(collection, form, given or form.suggested(), usernames)
    if given and "no_preview" in page:
        refusal = page["no_preview"]
    return render(request, "research/work/assign.html", page | {"refusal": refusal}, status=400 if refusal else 200)


def _usernames(collection: Collection) -> dict[str, str]:
    """Return the account behind each pseudonym, for an owner."""
    return dict(collection.members.filter(role=Role.ASSESSOR, user__isnull=False).values_list("name", "user__username"))


def _shown(collection: Collection, form: AssignForm, data: QueryDict, usernames: Mapping[str, str]) -> dict[str, Any]:
    """Return the preview of what the form has or suggests, or the reason why there is none."""
    form = form if form.is_bound else AssignForm(collection, None, data)
    try:
        shown = _preview(collection, form, is_requested="preview" in data)
    except Refused as refusal:
        return {"no_preview": refusal}
    known = shown.get("preview")
    return shown | {"bars": load_bars(known, usernames) if known else [], "parameters": _parameters(form, data)}


def _preview(collection: Collection, form: AssignForm, *, is_requested: bool) -> dict[str, Any]:
    """Return the preview, or what it waits for: the button, or a job."""
    arguments = form.preview_arguments()
    if is_large(collection, **arguments):
        earlier = earlier_preview(collection, arguments)
        return {"preview": earlier, "is_later": earlier is None}
    if not is_requested and not is_live(collection, **arguments):
        return {"is_on_request": True}
    return {"preview": preview(collection, **arguments)}


def _parameters(form: AssignForm, data: QueryDict) -> list[tuple[str, str]]:
    """Return the submitted values of the form, which the POST repeats."""
    return [(name, value) for name in form.fields for value in data.getlist(name)]
