"""The overview of a collection: a dashboard, and its figures, which the page asks for when it is shown."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.analysis.query import set_choices
from assess.analysis.reference import COMBINED_GOLDS, Judges, default_reference, has_decisions, judges_of
from assess.analysis.selection import judge_kinds
from assess.campaign.counts import counts_of
from assess.campaign.latest import latest_events
from assess.campaign.overview import AssessorProgress, overview
from assess.campaign.phases import phases
from assess.campaign.steps import campaign_steps
from assess.campaign.waiting import disputed_documents, waiting
from assess.collections.topic_sets import sets_by_topic
from assess.errors import Refused
from assess.jobs.kinds import KINDS, LISTED
from assess.jobs.pending import Pending
from assess.models import Collection, JudgeKind, Member
from assess.web.requests import SignedInRequest
from assess.web.research.agreement.figures import figures_of
from assess.web.research.agreement.views import agreement_page
from assess.web.research.shift.page import slope_figure
from assess.web.research.shift.slope import empty_panel
from assess.web.research.shift.source import Source
from assess.work.monitor import monitor

if TYPE_CHECKING:
    from agreement.reports.agreement_summary import AgreementSummary

LATEST_JOBS = 5


@require_safe
@member_view(RESEARCHERS)
def collection(request: HttpRequest, member: Member) -> HttpResponse:
    """The phases, what waits for whom, the progress of judging, and the next step."""
    state, shown = overview(member.collection), member.collection
    steps, work, counts = campaign_steps(shown, state), monitor(shown), counts_of(shown)
    done = {row.member.pk: row for row in work.judges}
    page = {
        "collection": shown,
        "member": member,
        "here": "collection",
        "overview": state,
        "phases": phases(steps),
        "steps": [(step, _address(shown, step.view), _address(shown, step.other_view)) for step in steps],
        "next": next((step for step in steps if step.is_next), None),
        "work": work,
        "judges": [(row, done.get(row.member.pk)) for row in state.assessors],
        "frame_counts": counts,
        "waiting": waiting(shown, state.assessors, counts),
        "events": latest_events(shown),
        "golds": _golds(shown, state.assessors),
        "sets": set_choices(set(sets_by_topic(shown).values())),
        "jobs": _jobs(shown),
        "can_compare": len([row for row in state.assessors if row.judged]) > 1,
        "can_rank": bool(state.runs and state.judged),
        "empty_panel": empty_panel(len(state.runs)),
    }
    if not (state.topics or state.runs or shown.archived_at):
        page["chunk_bytes"] = settings.UPLOAD_CHUNK_BYTES  # the files of an empty collection can be dropped here
    return render(request, "research/overview/overview.html", page)


def _address(collection: Collection, view: str) -> str:
    return reverse(f"research:{view}", args=[collection.slug]) if view else ""


def _golds(collection: Collection, assessors: list[AssessorProgress]) -> list[str]:
    """Return the golds that can be downloaded as qrels, the default reference first."""
    judged = {row.member.name: row.judged for row in assessors}
    judges = Judges.counted(judged, judge_kinds(collection), has_decisions(collection))
    default = default_reference(collection, judges)
    return list(dict.fromkeys([*([default.rule] if default else []), *judges.golds(), *COMBINED_GOLDS]))


def _jobs(collection: Collection) -> list[tuple[str, Any]]:
    return [(KINDS[job.kind].label, job) for job in collection.jobs.filter(kind__in=LISTED)[:LATEST_JOBS]]


@require_safe
@member_view(RESEARCHERS)
def figures(request: SignedInRequest, member: Member) -> HttpResponse:
    """The tiles of agreement, ranking and disputes with the slope chart, as far as they are known or quick.

    While a job computes one of them, its tile says so, and the page asks again.
    """
    shift, agreement = _shift(request, member), _agreement(request, member)
    page = {
        "collection": member.collection,
        "agreement": agreement,
        "shift": shift,
        "disputed": disputed_documents(member.collection),
        "is_pending": agreement.get("is_pending") or shift.get("is_pending"),
    }
    return render(request, "research/overview/figures.html", page)


def _agreement(request: SignedInRequest, member: Member) -> dict[str, Any]:
    """Return the agreement of all judges; beside models, that of people, if two or more have judged."""
    judges = judges_of(member.collection)
    of_people = judges.has_others and len(judges.people) > 1
    if of_people:
        query = request.GET.copy()
        query["kind"] = JudgeKind.HUMAN.value
        request.GET = query  # type: ignore[assignment]  # what the agreement page reads its choices from
    return {"of_people": of_people, **_figures(request, member)}


def _figures(request: SignedInRequest, member: Member) -> dict[str, Any]:
    try:
        page = agreement_page(request, member)
        figures = figures_of(page["viewer"], request.user, "agreement")
        mean = figures.together.iloc[0]
    except Pending:
        return {"is_pending": True}
    except (Refused, IndexError) as reason:
        return {"reason": str(reason)}
    return _headline(figures.summary, mean.dropna().to_dict())


def _headline(summary: "AgreementSummary", mean: dict[str, Any]) -> dict[str, Any]:
    """Return the kappa of the headline of the agreement page; with the limits of the mean if it uses the same pairs."""
    if summary.kappa is None:
        return {"reason": mean.get("value_reason", "")}
    is_of_all = len(summary.defined) == mean.get("n_averaged", 1)
    limits = {name: mean.get(name) for name in ("value_low", "value_high")} if is_of_all else {}
    return {"value": summary.kappa, "summary": summary, "n_pairs": mean.get("n_averaged", 1), **limits}


def _shift(request: SignedInRequest, member: Member) -> dict[str, Any]:
    try:
        source = Source.from_request(request, member)
        pair = source.pair
    except Pending:
        return {"is_pending": True}
    except Refused as reason:
        return {"reason": str(reason)}
    return {
        "reference": source.shift.reference,
        "against": source.against,
        "pair": pair,
        "measure": source.inputs.measure,
        "figure": slope_figure(source, [], "panel"),
        "query": source.inputs.query(reference=source.shift.reference, against=source.against),
    }
