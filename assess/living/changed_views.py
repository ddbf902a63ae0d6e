"""The page of changed texts: the judgements of former texts, both texts side by side, and what happens to them."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.living.changed_texts import changed_texts, compare
from assess.living.judge_again import keep_changes, list_again
from assess.models import KeptChange, Member
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel

MOST = 200  # changes and decisions that the page lists
ACTIONS = ("again", "keep", "list")


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def changed(request: SignedInRequest, member: Member) -> HttpResponse:
    """Show the stale judgements; with `?change=KEY`, both texts of a change. A POST decides about changes, or all."""
    if request.method != "POST":
        return _page(request, member)
    keys, collection = _keys(request.POST), member.collection
    match _action(request.POST):
        case "again":
            changed_texts(collection).chosen(keys)  # refused now, and not in the job
            queue.start("judge_again", collection, request.user, {"changes": keys, "user": request.user.pk})
            return to_panel("changed_texts", member)
        case "keep":
            keep_changes(collection, keys, request.user)
        case _:
            list_again(collection, _number(request.POST.get("kept", "")), request.user)
    return redirect("research:changed_texts", collection.slug)


def _action(posted: QueryDict) -> str:
    action = posted.get("action", "")
    if action not in ACTIONS:
        raise Refused(f"The action must be one of {', '.join(ACTIONS)}, not {action[:80]!r}.")
    return action


def _keys(posted: QueryDict) -> list[str]:
    """Return the chosen changes; none stands for all, which the form says."""
    keys = posted.getlist("change")
    if len(keys) > MOST:
        raise Refused(f"At most {MOST} changes can be chosen. Without a choice, all are meant.")
    return keys


def _number(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) < 19):
        raise Refused(f"The decision must be a number, not {text[:80]!r}.")
    return int(text)


def _page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    found = changed_texts(collection)
    key = request.GET.get("change", "")
    chosen = next((change for change in found.changes if change.key == key), None)
    kept = KeptChange.objects.filter(task__topic__collection=collection).order_by("-pk")
    page: dict[str, Any] = {
        "collection": collection,
        "member": member,
        "here": "texts",
        **job_panel(member, "judge_again"),
        "found": found,
        "changes": found.changes[:MOST],
        "n_more": len(found.changes[MOST:]),
        "chosen": chosen,
        "comparison": compare(chosen) if chosen else None,
        "kept": kept.select_related("task__topic", "task__document", "by")[:MOST],
        "refusal": refusal,
    }
    return render(request, "research/living/changed_texts.html", page, status=400 if refusal else 200)
