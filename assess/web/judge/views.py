"""The assessor's pages: the list of topics, and the judging page."""

import uuid
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.calibration.practice import prepare
from assess.errors import Closed, Conflict, Paused, Refused
from assess.judging import progress, worklist
from assess.judging.progress import progress_for, sum_progress
from assess.judging.record import record_judgement
from assess.judging.worklist import topic_for, topics_with_progress
from assess.marginal.own_relevant import find_relevant_documents
from assess.models import Assignment, Input, JudgementEvent, Member, State, Topic
from assess.near_duplicates.by_group import judged_by_group, one_applies_to_all
from assess.pools.slots import NotNeeded
from assess.search.judge_address import back_to_results
from assess.web.judge.forms import JudgementForm, with_pasted
from assess.web.judge.page import judging_context, lists_as_json, undo_link
from assess.web.judge.render import render_page
from assess.web.requests import SignedInRequest, refusals_shown_by, wants_json

MAX_QUERY = 2_000  # characters of the filter that the page returns to
MAX_WORDS = 200  # characters of the words by which relevant documents are found


@require_safe
@member_view(ASSESSORS, or_assigned=True)
def topics(request: HttpRequest, member: Member) -> HttpResponse:
    """The assessor's topics, with the progress in each."""
    is_admitted = prepare(member)
    rows = topics_with_progress(member)
    page = {
        "here": "topics",
        "rows": rows,
        "all": sum_progress(part for _, part in rows),
        "enough": progress.ENOUGH,
        "at_least": any(part.to_claim >= progress.ENOUGH for _, part in rows),
        "has_norming": member.norming_rounds.exists(),
        "is_admitted": is_admitted,
        "following": next((topic for topic, part in rows if part.left or part.to_claim), None),
    }
    return render_page(request, member, "judge/topics.html", page)


@require_safe
@member_view(ASSESSORS, or_assigned=True)
def topic(request: SignedInRequest, member: Member, topic_id: int) -> HttpResponse:
    """The judging page with the next documents of a topic.

    `?task=` names a document to judge again, and `&full=1` shows its full text. With `&back=`, the page returns
    afterwards to the list of the assessor's judgements with this filter. `?end=1` shows the end of the topic although
    documents are left.
    """
    first = _requested_task(request)
    if not prepare(member):
        return redirect("judge:practice", member.collection.slug)
    back = _back_to_list(member, request.GET["back"]) if first and "back" in request.GET else ""
    shown = _topic_or_404(member, topic_id)
    whole, is_end = "full" in request.GET, "end" in request.GET
    return _judging_page(request, member, shown, first=first, whole=whole, back=back, is_end=is_end)


@require_GET
@member_view(ASSESSORS, or_assigned=True)
def upcoming(request: HttpRequest, member: Member, topic_id: int) -> JsonResponse:
    """More cards for an open page, other than those it already has (`?besides=`, repeated).

    `?unsent=` is how many documents of the topic the page has judged and not sent yet.

    Where the page asks what is new, the relevant documents of topics follow that are not `?known=` (repeated).
    """
    try:
        besides, unsent = _besides(request), _unsent(request)
    except Refused as refusal:
        return JsonResponse({"error": str(refusal)}, status=400)
    topic = _topic_or_404(member, topic_id)
    cards = worklist.queue(member, topic, besides, unsent)
    # Longer numbers are no keys: they do not fit into 64 bits.
    known = [int(text) for text in request.GET.getlist("known") if text.isascii() and text.isdigit() and len(text) < 19]
    marginal = worklist.relevant_before(member, topic, cards, known)
    more = {"marginal": lists_as_json(marginal)} if marginal else {}
    return JsonResponse({"cards": [card.to_dict() for card in cards]} | more)


def _besides(request: HttpRequest) -> tuple[str, ...]:
    try:
        return tuple(str(uuid.UUID(text)) for text in request.GET.getlist("besides")[: worklist.MOST_EXCLUDED])
    except ValueError:
        raise Refused("besides must be the id of a task.") from None


def _unsent(request: HttpRequest) -> int:
    text, most = request.GET.get("unsent", "0"), worklist.MOST_UNSENT
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= most):
        raise Refused(f"unsent must be a whole number between 0 and {most}, not {text[:40]!r}.")
    return int(text)


@require_GET
@member_view(ASSESSORS, or_assigned=True)
def relevant(request: HttpRequest, member: Member, topic_id: int) -> JsonResponse:
    """The assessor's relevant documents of a topic with the words `?q=`, for the question what a document adds."""
    topic = _topic_or_404(member, topic_id)
    words = request.GET.get("q", "")
    if len(words) > MAX_WORDS:
        error = f"q must have at most {MAX_WORDS} characters, not {len(words):,}."
        return JsonResponse({"error": error}, status=400)
    return JsonResponse({"documents": find_relevant_documents(member, topic.pk, words)})


@require_GET
@gzip_page  # texts may have megabytes; the response contains no secret of the reader that compression could reveal
@member_view(ASSESSORS, or_assigned=True)
def document(_request: HttpRequest, member: Member, task: uuid.UUID) -> JsonResponse:
    """The full text of a document, for a page that has only its beginning."""
    card = worklist.full_text(member, task)
    if card is None:
        raise Http404
    return JsonResponse({"text": card.text, "format": card.format})


class NotYours(Conflict):
    """The page was opened by another user. Their judgement stays in the browser until they sign in again."""


def _record_refused(request: SignedInRequest, member: Member, task: uuid.UUID, refusal: Refused) -> HttpResponse:
    status = 409 if isinstance(refusal, Conflict) else 400
    if wants_json(request):
        kinds = {"wait": NotYours, "later": Paused, "closed": Closed, "drop": NotNeeded}
        answer: dict[str, Any] = {"error": str(refusal)}
        answer |= {name: isinstance(refusal, kind) for name, kind in kinds.items()}
        if answer["drop"]:  # the claim lapsed, so the progress that the page shows is out of date
            assignment = Assignment.objects.get(public_id=task, member=member)
            answer["topic"] = progress_for(member, assignment.topic_id).to_dict()
        return JsonResponse(answer, status=status)
    assignment = get_object_or_404(Assignment.objects.select_related("topic"), public_id=task, member=member)
    if isinstance(refusal, NotNeeded):  # the document has all its judgements, so the page moves on
        return _judging_page(request, member, assignment.topic, status=status, refusal=str(refusal))
    refused = JudgementForm(request.POST)
    return _judging_page(
        request, member, assignment.topic, status=status, refusal=str(refusal), refused=refused, first=task
    )


@require_POST
@member_view(ASSESSORS, or_assigned=True)
@refusals_shown_by(_record_refused)
def record(request: SignedInRequest, member: Member, task: uuid.UUID) -> HttpResponse:
    """Record one judgement, from the page's script or from the plain form."""
    form = JudgementForm(request.POST)
    judgement = form.judgement_input()
    if form.cleaned_data["member"] != member.pk:
        raise NotYours("Another user opened this page. Nothing was saved under your name.")
    try:
        event = record_judgement(
            member,
            task,
            with_pasted(judgement, member, task, form.pasted),
            form.cleaned_data["client_id"],
            actor=request.user,
            seen_version=form.cleaned_data.get("seen_version"),
            suggestion=form.cleaned_data.get("suggestion"),
        )
    except Assignment.DoesNotExist:
        raise Http404 from None
    if wants_json(request):
        return JsonResponse(_receipt(member, event))
    return redirect(_address_after(member, event, request.POST.get("back")))


def _address_after(member: Member, event: JudgementEvent, back: str | None) -> str:
    """Return where the plain form goes on. A document that is postponed again would come back at once."""
    if back is not None:
        return _back_to_list(member, back)
    address = reverse("judge:topic", args=[member.collection.slug, event.judgement.task.topic_id])
    return f"{address}?end=1" if event.state == event.before_state == State.LATER else address


def _back_to_list(member: Member, query: str) -> str:
    """Return the address of the assessor's judgements with this filter, whatever the text contains.

    If the query names a search, return the address of its results.
    """
    if found := back_to_results(member, query[:MAX_QUERY]):
        return found
    address = reverse("judge:judgements", args=[member.collection.slug])
    return f"{address}?{QueryDict(query[:MAX_QUERY], encoding='utf-8').urlencode()}" if query else address


def _receipt(member: Member, event: JudgementEvent) -> dict[str, Any]:
    return {
        "state": event.state,
        "relevance": event.relevance,
        "version": event.version,
        "overwrote": _overwritten_judgement(event),
        "by_group": judged_by_group(event) if one_applies_to_all(member.collection) else [],
        **_next_undo(member, event),
        "topic": progress_for(member, event.judgement.task.topic_id).to_dict(),
    }


def _next_undo(member: Member, event: JudgementEvent) -> dict[str, Any]:
    """After an undo, return what the next undo goes back to, because the page may have no history left."""
    if event.state != State.UNDONE:
        return {"last": None, "before": None}
    topic = event.judgement.task.topic
    last = worklist.last_settled(member, topic)
    return {"last": last.to_dict() if last else None, "before": undo_link(member, topic, last)}


def _overwritten_judgement(event: JudgementEvent) -> dict[str, Any] | None:
    """Return the judgement that another page recorded in the meantime, if this event replaced one.

    One by group is none of another page: the assessor judged a near-duplicate just before.
    """
    if event.seen_version is None or event.seen_version == event.version - 1:
        return None
    before = JudgementEvent.objects.filter(judgement=event.judgement_id, version=event.version - 1)
    if before.filter(input=Input.GROUP).exists():
        return None
    return {"state": event.before_state, "relevance": event.before_relevance}


def _topic_or_404(member: Member, topic_id: int) -> Topic:
    topic = topic_for(member, topic_id)
    if topic is None:
        raise Http404
    return topic


def _requested_task(request: HttpRequest) -> uuid.UUID | None:
    try:
        return uuid.UUID(request.GET["task"]) if request.GET.get("task") else None
    except ValueError:
        raise Http404 from None


def _judging_page(
    request: SignedInRequest,
    member: Member,
    topic: Topic,
    *,
    first: uuid.UUID | None = None,
    whole: bool = False,
    back: str = "",
    is_end: bool = False,
    status: int = 200,
    refusal: str = "",
    refused: JudgementForm | None = None,
) -> HttpResponse:
    """Render the judging page, with the document `first` on top. `refused` is a form about that document."""
    try:
        sheet = worklist.sheet(member, topic, first=first, whole=whole, alone=is_end or bool(back))
    except Assignment.DoesNotExist:
        raise Http404 from None
    if refused and sheet.cards:
        sheet.cards[0] = replace(sheet.cards[0], **refused.refilled_values())
    page = judging_context(member, sheet, request.user, back) | {"refusal": refusal, "refused": refused}
    return render_page(request, member, "judge/judge.html", page, status=status)
