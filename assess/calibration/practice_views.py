"""The practice of a new assessor: each judgement is followed by the known grade and the reason for it."""

import uuid
from typing import Any, cast

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from assess.access import ASSESSORS, member_view
from assess.calibration.practice import find_document, next_document, prepare, result_of
from assess.collections.guidelines import guidelines_html
from assess.documents.display import displayed_text
from assess.errors import Refused
from assess.judging.record import record_judgement
from assess.models import Assignment, DocumentContent, Judgement, Member, Reason
from assess.pools.tasks import SETTLED
from assess.web.grades import grade_buttons
from assess.web.judge.forms import JudgementForm
from assess.web.judge.render import render_page
from assess.web.requests import SignedInRequest, refusals_shown_by


@require_safe
@member_view(ASSESSORS)
def current(request: SignedInRequest, member: Member) -> HttpResponse:
    """The next practice document, or the result."""
    return _page(request, member)


@require_safe
@member_view(ASSESSORS)
def answer(request: SignedInRequest, member: Member, practice: uuid.UUID) -> HttpResponse:
    """What was expected of a practice document that the assessor has judged."""
    assignment = find_document(member, practice)
    if assignment is None or assignment.state not in SETTLED:
        raise Http404
    judged = Judgement.objects.get(task=assignment.task_id, member=member, repeat=assignment.repeat)
    known, chips = assignment.task.known_grade, {each["value"]: each for each in _grades(member)}
    page = _document(member, assignment) | {
        "here": "topics",
        "expected": chips.get(known.relevance),
        "given": chips.get(judged.relevance),
        "is_hit": judged.relevance == known.relevance,
        "explanation": known.explanation,
    }
    return render_page(request, member, "judge/practice_answer.html", page)


def _refused(request: SignedInRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    return _page(request, member, refusal)


@require_POST
@member_view(ASSESSORS)
@refusals_shown_by(_refused)
def judge(request: SignedInRequest, member: Member, practice: uuid.UUID) -> HttpResponse:
    """Record the judgement of a practice document and show what was expected."""
    form = JudgementForm(request.POST)
    judgement = form.judgement_input()
    if judgement.state not in SETTLED:
        raise Refused("A practice document is graded, or cannot be judged. It cannot be postponed.")
    if find_document(member, practice) is None:
        raise Http404
    record_judgement(member, practice, judgement, form.cleaned_data["client_id"], actor=request.user)
    return redirect("judge:practice_answer", member.collection.slug, practice)


def _page(request: SignedInRequest, member: Member, refusal: Refused | str = "") -> HttpResponse:
    is_admitted = prepare(member)
    assignment = next_document(member)
    page: dict[str, Any] = {
        "here": "topics",
        "refusal": refusal,
        "is_admitted": is_admitted,
        "result": result_of(member),
    }
    if assignment:
        page |= _document(member, assignment) | {
            "client_id": uuid.uuid4(),
            "reasons": [(value, label) for value, label in Reason.choices if value != Reason.OTHER],
        }
    return render_page(request, member, "judge/practice.html", page, status=400 if refusal else 200)


def _document(member: Member, assignment: Assignment) -> dict[str, Any]:
    content = cast("DocumentContent", assignment.task.document.content)  # known grades need a text
    guidelines = member.collection.guidelines.last()
    return {
        "assignment": assignment,
        "topic": assignment.task.topic,
        "title": content.title or ("" if member.collection.hide_doc_ids else assignment.task.document.doc_id),
        "format": content.format,
        "text": displayed_text(content),
        "grades": _grades(member),
        "guidelines": guidelines,
        "guidelines_html": guidelines_html(guidelines.text) if guidelines else "",
        "result": result_of(member),
    }


def _grades(member: Member) -> list[dict[str, Any]]:
    return grade_buttons(list(member.collection.grades.all()))
