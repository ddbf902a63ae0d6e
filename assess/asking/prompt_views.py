"""The page of prompts: the newest version of each, an editor, and a preview on a document of the pool."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from assess.access import RESEARCHERS, member_view
from assess.asking.forms import PromptForm
from assess.asking.preview import preview_messages
from assess.asking.prompts import newest_prompt, newest_prompts, save_prompt, starting_names
from assess.errors import Refused
from assess.models import Collection, Member
from assess.web.requests import SignedInRequest, refusals_shown_by

FIELDS = ("title", "description", "narrative", "guidelines", "scale", "document", "passage", "examples")


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def prompts(request: SignedInRequest, member: Member) -> HttpResponse:
    """The prompts of the collection. A POST saves a version, or shows what a model would read."""
    if request.method != "POST" or "preview" in request.POST:
        return _page(request, member)
    form = PromptForm(request.POST)
    values = form.cleaned()
    saved = save_prompt(
        member.collection,
        values["name"],
        values["system"],
        values["user"],
        values["form"],
        form.given_criteria(),
        values["scale_order"],
        request.user,
    )
    messages.success(request, f"Saved {saved.name} as version {saved.version}.")
    address = reverse("research:prompts", args=[member.collection.slug])
    return redirect(f"{address}?{urlencode({'name': saved.name})}")


def _page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    name = request.GET.get("name", "")
    form = PromptForm(request.POST or None, initial=_initial(collection, name))
    page: dict[str, Any] = {
        "collection": collection,
        "member": member,
        "here": "model_judges",
        "prompts": newest_prompts(collection),
        "starting": [each for each in starting_names() if newest_prompt(collection, each) is None],
        "fields": [f"{{{field}}}" for field in FIELDS],
        "form": form,
        "refusal": refusal,
    }
    if request.method == "POST" and refusal is None:
        page |= _preview(collection, form)
    return render(request, "research/asking/prompts.html", page, status=400 if page["refusal"] else 200)


def _preview(collection: Collection, form: PromptForm) -> dict[str, Any]:
    """Return what a model would read, or why it cannot."""
    try:
        return {"preview": preview_messages(collection, form.cleaned(), form.given_criteria())}
    except Refused as refusal:
        return {"refusal": refusal}


def _initial(collection: Collection, name: str) -> dict[str, Any]:
    """Return the texts of the newest version of a prompt, or of a starting prompt."""
    from pooling.models import PROMPTS  # loads the HTTP client

    found = newest_prompt(collection, name) or PROMPTS.get(name) or PROMPTS["direct"]
    new = name or "own"
    texts = {"system": found.system, "user": found.user, "form": found.form, "scale_order": found.scale_order}
    return {"name": new, "criteria": ", ".join(found.criteria), **texts}
