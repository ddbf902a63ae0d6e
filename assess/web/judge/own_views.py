"""The assessor's own pages: my judgements, what is recorded of me, and the question at the end of a topic."""

from django.contrib import messages
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.errors import Refused
from assess.judging import history as own_judgements
from assess.judging import topic_feedback as exits
from assess.judging.history import Own, Place
from assess.models import Grade, Topic
from assess.web.judge.own_forms import ExitForm, WantedForm
from assess.web.judge.page import CONFIDENCES, buttons


@require_safe
@member_view(ASSESSORS)
def judgements(request, member):
    """What I said, newest first, each with the way to judge it again."""
    grades = list(member.collection.grades.all())
    form = WantedForm(member, grades, request.GET)
    page = {"collection": member.collection, "form": form, "here": "judgements"}
    try:
        wanted = form.wanted()
        place = Place.read(request.GET["older"]) if "older" in request.GET else None
    except Refused as refusal:
        return render(request, "judge/judgements.html", page | {"refusal": refusal}, status=400)
    found = own_judgements.page(member, wanted, place)
    page |= {"wanted": wanted, "place": place, "older": found.older, "rows": _shown(found.rows, grades)}
    return render(request, "judge/judgements.html", page)


@require_safe
@member_view(ASSESSORS)
def recorded(request, member):
    """In plain words what is kept of me, with my newest lines as an example."""
    grades = list(member.collection.grades.all())
    rows = _shown(own_judgements.latest_lines(member), grades)
    page = {"collection": member.collection, "member": member, "rows": rows, "here": "recorded"}
    return render(request, "judge/recorded.html", page)


@require_safe
@member_view(ASSESSORS)
def ledger_csv(_request, member):
    """All that I said, line by line, to take along."""
    response = StreamingHttpResponse(own_judgements.ledger_csv(member), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{member.collection.slug}-my-judgements.csv"'
    return response


@require_POST
@member_view(ASSESSORS)
def leave(request, member, topic_id):
    """Keep what was answered at the end of a topic."""
    form = ExitForm(request.POST)
    try:
        topic = exits.own_topic(member, topic_id)
        exits.answer(member, topic, **form.told())
    except Topic.DoesNotExist:
        raise Http404 from None
    except Refused as refusal:
        return _asked_again(request, member, topic, refusal)
    messages.success(request, "Thank you: your answer on the topic is saved.")
    return redirect("judge:topics", slug=member.collection.slug)


def _asked_again(request, member, topic: Topic, refusal: Refused):
    """The question with what came, so that nothing has to be typed twice."""
    question = exits.question(member, topic, done=False)
    if question:
        question |= {name: request.POST.get(name, "") for name in ("difficulty", "comment", "earlier")}
    page = {"collection": member.collection, "exit": question, "topic": topic, "refusal": refusal}
    return render(request, "judge/topic_feedback.html", page, status=400)


def _shown(rows: list[Own], grades: list[Grade]) -> list[dict]:
    """Each row with its grade as the scale shows it."""
    scale, confidences = {button["value"]: button for button in buttons(grades)}, dict(CONFIDENCES)
    return [
        {"own": row, "grade": scale.get(row.relevance), "confidence": confidences.get(row.confidence)} for row in rows
    ]
