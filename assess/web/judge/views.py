"""The assessor's pages: my topics, and the judging page."""

import uuid
from dataclasses import replace

from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.errors import Conflict, Paused, Refused
from assess.judging import passages, progress, worklist
from assess.judging.progress import progress_for, sum_progress
from assess.judging.record import record_judgement
from assess.judging.worklist import topic_for, topics_with_progress
from assess.models import Assignment, JudgementEvent, Member, State, Topic
from assess.pools.slots import NotNeeded
from assess.web.judge.forms import JudgementForm
from assess.web.judge.page import before, page_of


@require_safe
@member_view(ASSESSORS)
def topics(request, member):
    """The assessor's topics, with the progress in each."""
    rows = topics_with_progress(member)
    page = {
        "collection": member.collection,
        "rows": rows,
        "all": sum_progress(part for _, part in rows),
        "enough": progress.ENOUGH,
        "at_least": any(part.to_claim >= progress.ENOUGH for _, part in rows),
        "following": next((topic for topic, part in rows if part.left or part.to_claim), None),
    }
    return render(request, "judge/topics.html", page)


@require_safe
@member_view(ASSESSORS)
def topic(request, member, topic_id):
    """The judging page: the next documents of a topic, or one named by `?task=`, to be judged again or read in
    `&full=1`."""
    return _page(request, member, _own_topic(member, topic_id), first=_named(request), whole="full" in request.GET)


@require_GET
@member_view(ASSESSORS)
def upcoming(request, member, topic_id):
    """More cards for the page that is open, besides those it has (`?besides=`, repeated)."""
    try:
        besides = tuple(str(uuid.UUID(word)) for word in request.GET.getlist("besides")[: worklist.MOST_EXCLUDED])
    except ValueError:
        return JsonResponse({"error": "besides: each is the id of a task"}, status=400)
    cards = worklist.upcoming(member, _own_topic(member, topic_id), besides)
    return JsonResponse({"cards": [card.to_dict() for card in cards]})


@require_GET
@gzip_page  # a text of five megabytes on a slow line; nothing of the reader's own is in the answer
@member_view(ASSESSORS)
def document(_request, member, task):
    """The whole text of one document, for the page that has only the beginning of it."""
    card = worklist.full_text(member, task)
    if card is None or member.collection.closed_because:
        raise Http404
    return JsonResponse({"text": card.text, "format": card.format})


@require_POST
@member_view(ASSESSORS)
def record(request, member, task):
    """Take one judgement, from the page's script or from the plain form."""
    form = JudgementForm(request.POST)
    wants_json = request.accepts("application/json") and not request.accepts("text/html")
    try:
        saying = form.saying()
        if form.cleaned_data["member"] != member.pk:
            raise NotYours(
                "This page was opened by somebody else, and you are signed in; nothing was saved under your name."
            )
        event = record_judgement(
            member,
            task,
            passages.with_pasted(saying, member, task, form.pasted),
            form.cleaned_data["client_id"],
            actor=request.user,
            seen_version=form.cleaned_data.get("seen_version"),
        )
    except Assignment.DoesNotExist:
        raise Http404 from None
    except Refused as refusal:
        return _refused(request, member, task, refusal, wants_json)
    if wants_json:
        return JsonResponse(_receipt(member, event))
    return redirect("judge:topic", slug=member.collection.slug, topic_id=event.judgement.task.topic_id)


class NotYours(Conflict):
    """The page belongs to somebody else than who is signed in: what they judged waits for them."""


def _refused(request, member: Member, task: uuid.UUID, refusal: Refused, wants_json: bool):
    status = 409 if isinstance(refusal, Conflict) else 400
    if wants_json:
        kinds = {"wait": NotYours, "later": Paused, "drop": NotNeeded}
        answer = {"error": str(refusal)} | {name: isinstance(refusal, kind) for name, kind in kinds.items()}
        if answer["drop"]:  # a claim that lapsed: how far the assessor is has changed under the page
            own = Assignment.objects.get(public_id=task, member=member)
            answer["topic"] = progress_for(member, own.topic_id).to_dict()
        return JsonResponse(answer, status=status)
    assignment = get_object_or_404(Assignment.objects.select_related("topic"), public_id=task, member=member)
    # What was written goes back into the form, above the same document, unless that one has its judges by now.
    back = {} if isinstance(refusal, NotNeeded) else {"first": task, "refused": JudgementForm(request.POST)}
    return _page(request, member, assignment.topic, status=status, refusal=str(refusal), **back)


def _receipt(member: Member, event: JudgementEvent) -> dict:
    return {
        "state": event.state,
        "relevance": event.relevance,
        "version": event.version,
        "overwrote": _overwrote(event),
        **_where_undo_leads(member, event),
        "topic": progress_for(member, event.judgement.task.topic_id).to_dict(),
    }


def _where_undo_leads(member: Member, event: JudgementEvent) -> dict:
    """After an undo, for the page may have no more history of its own."""
    if event.state != State.UNDONE:
        return {"last": None, "before": None}
    topic = event.judgement.task.topic
    last = worklist.last_settled(member, topic)
    return {"last": last.to_dict() if last else None, "before": before(member, topic, last)}


def _overwrote(event: JudgementEvent) -> dict | None:
    """What the page had not seen and now replaced, if anything: said on another page in the meantime."""
    if event.seen_version is None or event.seen_version == event.version - 1:
        return None
    return {"state": event.before_state, "relevance": event.before_relevance}


def _own_topic(member: Member, topic_id: int) -> Topic:
    topic = topic_for(member, topic_id)
    if topic is None:
        raise Http404
    return topic


def _named(request) -> uuid.UUID | None:
    try:
        return uuid.UUID(request.GET["task"]) if request.GET.get("task") else None
    except ValueError:
        raise Http404 from None


def _page(request, member: Member, topic: Topic, status: int = 200, refusal: str = "", refused=None, **wanted):
    """The judging page; the `refused` form was about its first document."""
    try:
        sheet = worklist.sheet(member, topic, **wanted)
    except Assignment.DoesNotExist:
        raise Http404 from None
    if refused and sheet.cards:
        sheet.cards[0] = replace(sheet.cards[0], **refused.told_back())
    page = page_of(member, sheet, request.user) | {"refusal": refusal, "refused": refused}
    return render(request, "judge/judge.html", page, status=status)
