"""The assessor's own pages: their judgements, what is recorded about them, and the question at the end of a topic.

An invalid value is refused, not ignored.
"""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.errors import Refused
from assess.judging import history
from assess.judging.feedback import assigned_topic, feedback_question, save_feedback
from assess.judging.history import SHOWN, STATES, Cursor, JudgementFilter, OwnJudgement, latest_events, topics
from assess.models import Grade, Member, Topic
from assess.web.grades import grade_buttons
from assess.web.judge.page import CONFIDENCES
from assess.web.judge.render import render_page
from assess.web.requests import RefusingForm, refusals_shown_by

MAX_SEARCH_LENGTH = 200
MAX_TITLE_LENGTH = 60


class JudgementFilterForm(forms.Form):
    """Which of the assessor's judgements to list."""

    topic = forms.ModelChoiceField(Topic.objects.none(), required=False, empty_label="all topics")
    state = forms.ChoiceField(
        label="Judgement", required=False, choices=[("", "all"), *((state.value, STATES[state]) for state in SHOWN)]
    )
    grade = forms.ChoiceField(required=False)
    q = forms.CharField(label="Words in title, id or comment", required=False, max_length=MAX_SEARCH_LENGTH)

    def __init__(self, member: Member, grades: Iterable[Grade], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        topic_field = cast("forms.ModelChoiceField[Topic]", self.fields["topic"])
        topic_field.queryset = topics(member)
        topic_field.label_from_instance = _topic_label  # type: ignore[assignment,method-assign]
        cast("forms.ChoiceField", self.fields["grade"]).choices = [
            ("", "all"),
            *((grade.value, f"{grade.value} {grade.name}") for grade in grades),
        ]
        if member.collection.hide_doc_ids:
            self.fields["q"].label = "Words in title or comment"
        cast("forms.TextInput", self.fields["q"].widget).input_type = "search"

    def judgement_filter(self) -> JudgementFilter:
        """Return the filter, or raise Refused with the first error."""
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{name}={self.data[name][:40]}: {problem}")
        values = self.cleaned_data
        return JudgementFilter(
            topic=values["topic"].pk if values["topic"] else None,
            state=values["state"],
            grade=int(values["grade"]) if values["grade"] else None,
            text=values["q"],
        )


def _topic_label(topic: Topic) -> str:
    return Truncator(f"{topic.query_id} {topic.title}").chars(MAX_TITLE_LENGTH)


class TopicFeedbackForm(RefusingForm):
    """The answer to the question at the end of a topic. `assess.judging.feedback` validates it."""

    difficulty = forms.IntegerField(required=False)
    comment = forms.CharField(required=False)
    earlier = forms.BooleanField(required=False)


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
    page = {"rows": rows, "here": "recorded", "is_assisted": history.is_assisted(member)}
    return render_page(request, member, "judge/recorded.html", page)


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
