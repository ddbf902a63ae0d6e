"""The assessor's pages: my topics, and the judging page."""

import uuid

from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from assess import judging, worklist
from assess.access import ASSESSORS, member_view
from assess.errors import Conflict, Refused
from assess.judge.forms import JudgementForm
from assess.models import Assignment, Grade, JudgementEvent, Member, Reason, State, Task, Topic

PAINTED_MS = 150  # how long a document is on the screen before a key may judge it


@require_safe
@member_view(ASSESSORS)
def topics(request, member):
    """The assessor's topics, with the progress in each."""
    rows = worklist.topics(member)
    following = next((topic for topic, progress in rows if progress.left), None)
    page = {
        "collection": member.collection,
        "rows": rows,
        "all": worklist.progress(member),
        "following": following,
    }
    return render(request, "judge/topics.html", page)


@require_safe
@member_view(ASSESSORS)
def topic(request, member, topic_id):
    """The judging page: the next documents of a topic."""
    return _page(request, member, _own_topic(member, topic_id))


@require_GET
@member_view(ASSESSORS)
def upcoming(request, member, topic_id):
    """More cards for the page that is open, besides those it has (`?besides=`, repeated)."""
    try:
        besides = tuple(str(uuid.UUID(word)) for word in request.GET.getlist("besides")[:100])
    except ValueError:
        return JsonResponse({"error": "besides: each is the id of a task"}, status=400)
    cards = worklist.upcoming(member, _own_topic(member, topic_id), besides)
    return JsonResponse({"cards": [card.to_dict() for card in cards]})


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
        event = judging.record(member, task, saying, form.cleaned_data["client_id"], actor=request.user)
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
        return JsonResponse({"error": str(refusal), "wait": isinstance(refusal, NotYours)}, status=status)
    topic = get_object_or_404(Topic, tasks__public_id=task, tasks__assignments__member=member)
    return _page(request, member, topic, status=status, refusal=str(refusal))


def _receipt(member: Member, event: JudgementEvent) -> dict:
    topic = event.judgement.task.topic
    # After an undo the page may have no more history of its own: where the next undo leads is told.
    last = worklist.last_settled(member, topic) if event.state == State.UNDONE else None
    return {
        "last": last.to_dict() if last else None,
        "state": event.state,
        "relevance": event.relevance,
        "topic": worklist.progress(member, topic).to_dict(),
        "all": worklist.progress(member).to_dict(),
    }


def _own_topic(member: Member, topic_id: int) -> Topic:
    """A topic in which the assessor has something to judge; any other is not there."""
    topic = get_object_or_404(Topic, pk=topic_id, collection=member.collection)
    if not Task.objects.filter(topic=topic, assignments__member=member).exists():
        raise Http404
    return topic


def _page(request, member: Member, topic: Topic, status: int = 200, refusal: str = ""):
    cards = worklist.upcoming(member, topic)
    last = worklist.last_settled(member, topic)
    grades = list(member.collection.grades.all())
    letters = dict(zip("nr", (grade.value for grade in grades), strict=True)) if len(grades) == 2 else {}
    guidelines = member.collection.guidelines.last()
    progress = {"topic": worklist.progress(member, topic), "all": worklist.progress(member)}
    script = {
        "cards": [card.to_dict() for card in cards],
        "last": last.to_dict() if last else None,
        "progress": {name: counts.to_dict() for name, counts in progress.items()},
        "gradeKeys": {str(grade.value): grade.value for grade in grades} | letters,
        "member": member.pk,
        "ahead": worklist.AHEAD,
        "paintedMs": PAINTED_MS,
        "guidelinesVersion": guidelines.version if guidelines else None,
        "recordUrl": _address(member, "record", task=uuid.UUID(int=0)),
        "nextUrl": _address(member, "next", topic_id=topic.pk),
    }
    page = {
        "collection": member.collection,
        "member": member,
        "topic": topic,
        "card": cards[0] if cards else None,
        "last": last,
        "grades": _buttons(grades),
        "letters": letters,
        "reasons": Reason.choices,
        "guidelines": guidelines,
        "progress": progress,
        "client_id": uuid.uuid4(),
        "undo_client_id": uuid.uuid4(),
        "script": script,
        "refusal": refusal,
    }
    return render(request, "judge/judge.html", page, status=status)


def _buttons(grades: list[Grade]) -> list[dict]:
    """The scale as the page shows it: four tones from pale to deep, spread over however many grades there are."""
    steps = max(len(grades) - 1, 1)
    return [
        {"value": grade.value, "name": grade.name, "meaning": grade.meaning, "tone": round(3 * place / steps)}
        for place, grade in enumerate(grades)
    ]


def _address(member: Member, name: str, **arguments) -> str:
    return reverse(f"judge:{name}", kwargs={"slug": member.collection.slug, **arguments})
