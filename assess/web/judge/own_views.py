"""The assessor's own pages: their judgements, what is recorded about them, and the question at the end of a topic."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.errors import Refused
from assess.judging import history
from assess.judging.history import Cursor, OwnJudgement, latest_events
from assess.judging.topics.feedback import assigned_topic, feedback_question, save_feedback
from assess.models import Grade, Member, Topic
from assess.web.grades import grade_buttons
from assess.web.judge.own_forms import JudgementFilterForm, TopicFeedbackForm
from assess.web.judge.page import CONFIDENCES
from assess.web.judge.render import render_page
from assess.web.refusals import refusals_shown_by


def _judgements_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    form = JudgementFilterForm(member, list(member.collection.grades.all()), request.GET)
    page = {"form": form, "here": "judgements", "refusal": refusal}
    return render_page(request, member, "judge/judgements.html", page, status=400)


@require_safe
@member_view(ASSESSORS, or_assigned=True)
@refusals_shown_by(_judgements_refused)
def judgements(request: HttpRequest, member: Member) -> HttpResponse:
    """The assessor's judgements, newest first, each with a link to judge the document again."""
    grades = list(member.collection.grades.all())
    form = JudgementFilterForm(member, grades, request.GET)
    selected = form.judgement_filter()
    cursor = Cursor.read(request.GET["older"]) if "older" in request.GET else None
    part = history.page(member, selected, cursor)
    page = {
        "form": form,
        "here": "judgements",
        "wanted": selected,
        "place": cursor,
        "older": part.older,
        "rows": _rows_with_grades(part.rows, grades),
    }
    return render_page(request, member, "judge/judgements.html", page)


@require_safe
@member_view(ASSESSORS, or_assigned=True)
def recorded(request: HttpRequest, member: Member) -> HttpResponse:
    """What is recorded about the assessor, with their latest ledger events as an example."""
    grades = list(member.collection.grades.all())
    rows = _rows_with_grades(latest_events(member), grades)
    return render_page(request, member, "judge/recorded.html", {"rows": rows, "here": "recorded"})


@require_safe
@member_view(ASSESSORS, or_assigned=True)
def ledger_csv(_request: HttpRequest, member: Member) -> StreamingHttpResponse:
    """All ledger events of the assessor."""
    response = StreamingHttpResponse(history.ledger_csv(member), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{member.collection.slug}-my-judgements.csv"'
    return response


def _feedback_refused(request: HttpRequest, member: Member, topic_id: int, refusal: Refused) -> HttpResponse:
    """Show the question again, with the submitted answer."""
    topic = _assigned_topic_or_404(member, topic_id)
    question = feedback_question(member, topic, done=False)
    if question:
        question |= {name: request.POST.get(name, "") for name in ("difficulty", "comment", "earlier")}
    page = {"feedback": question, "topic": topic, "refusal": refusal}
    return render_page(request, member, "judge/topic_feedback.html", page, status=400)


@require_POST
@member_view(ASSESSORS, or_assigned=True)
@refusals_shown_by(_feedback_refused)
def save_topic_feedback(request: HttpRequest, member: Member, topic_id: int) -> HttpResponse:
    """Save the answer to the question at the end of a topic."""
    topic = _assigned_topic_or_404(member, topic_id)
    save_feedback(member, topic, **TopicFeedbackForm(request.POST).cleaned())
    messages.success(request, "Thank you. Your answer is saved.")
    address = reverse("judge:topic", args=[member.collection.slug, topic.pk])
    return redirect(f"{address}?end=1")  # with the link to the next topic


def _assigned_topic_or_404(member: Member, topic_id: int) -> Topic:
    try:
        return assigned_topic(member, topic_id)
    except Topic.DoesNotExist:
        raise Http404 from None


def _rows_with_grades(rows: Iterable[OwnJudgement], grades: list[Grade]) -> list[dict[str, Any]]:
    """Return each row with its grade as the scale shows it."""
    buttons = {button["value"]: button for button in grade_buttons(grades)}
    confidences = dict(CONFIDENCES)
    return [
        {
            "own": row,
            "grade": None if row.relevance is None else buttons.get(row.relevance),
            "confidence": None if row.confidence is None else confidences.get(row.confidence),
        }
        for row in rows
    ]
