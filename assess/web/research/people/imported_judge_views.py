"""One imported judge: its record, what a withdrawal would leave out, withdrawing and restoring it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.models import Member
from assess.people.member_list import ImportedJudgeRow, imported_judge_for
from assess.transfer.judge_record import change_record, record_of, zeros_warnings
from assess.transfer.withdrawal import effects_of, restore_judge, withdraw_judge
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.people.forms import JudgeRecordForm
from assess.web.undoable import undoable
from pooling.words import count


def _page(request: HttpRequest, member: Member, judge_id: int, refusal: Refused | None = None) -> HttpResponse:
    row = _judge(member, judge_id)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "people",
        "row": row,
        "record": record_of(row.declared),
        "form": JudgeRecordForm(row.declared, request.POST if "kind" in request.POST else None),
        "sentences": [] if row.is_withdrawn else effects_of(row.member).sentences,
        "warnings": zeros_warnings(member.collection, [judge_id]),
        "refusal": refusal,
    }
    return render(request, "research/people/imported_judge.html", page, status=400 if refusal else 200)


def _judge(member: Member, judge_id: int) -> ImportedJudgeRow:
    row = imported_judge_for(member, judge_id)
    if row is None:
        raise Http404
    return row


@require_safe
@member_view(RESEARCHERS)
def imported_judge(request: HttpRequest, member: Member, judge_id: int) -> HttpResponse:
    """An imported judge, with the button that withdraws or restores it."""
    return _page(request, member, judge_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def withdraw(request: SignedInRequest, member: Member, judge_id: int) -> HttpResponse:
    """Leave the judge out of everything."""
    name = _judge(member, judge_id).member.name
    effects = withdraw_judge(member.collection, name, request.user)
    text = f"{name} is withdrawn: {count(effects.judgements, 'judgement')} left out."
    undoable(request, text, reverse("research:restore_judge", args=[member.collection.slug, judge_id]))
    return redirect("research:imported_judge", member.collection.slug, judge_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def restore(request: SignedInRequest, member: Member, judge_id: int) -> HttpResponse:
    """Let the judgements of the judge count again."""
    name = _judge(member, judge_id).member.name
    effects = restore_judge(member.collection, name, request.user)
    text = f"{name} is restored: {count(effects.judgements, 'judgement')} included."
    undoable(request, text, reverse("research:withdraw_judge", args=[member.collection.slug, judge_id]))
    return redirect("research:imported_judge", member.collection.slug, judge_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_page)
def change(request: SignedInRequest, member: Member, judge_id: int) -> HttpResponse:
    """Change what is recorded about the judge."""
    row = _judge(member, judge_id)
    arguments = JudgeRecordForm(row.declared, request.POST).arguments()
    changed = change_record(member.collection, row.member.name, **arguments, actor=request.user)
    messages.success(request, f"Saved the record of {row.member.name}." if changed else "Nothing has changed.")
    return redirect("research:imported_judge", member.collection.slug, judge_id)
