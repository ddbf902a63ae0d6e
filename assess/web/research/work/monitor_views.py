"""How the work goes, and pausing and closing it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.analysis.query import set_choices
from assess.calibration.overview import below_threshold
from assess.collections.scale import lowest_relevant_grade
from assess.collections.topic_sets import describe_set, topics_in_set
from assess.errors import Refused
from assess.models import Collection, Member
from assess.web.figures.shown import ShownFigure, figure_files, shown_figure
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.views import refused_page
from assess.web.research.work.figures import draw_activity
from assess.web.undoable import undoable
from assess.work.activity import Activity
from assess.work.forecast import ASSUMPTION
from assess.work.monitor import INACTIVE_AFTER, Monitor, monitor, topic_rows
from assess.work.state import JudgingState, judging_state, set_judging_state
from assess.work.stopping_table import found_by_topic

MOST_AT_ONCE = 10_000  # assignments; with more, the page does not wait for the topics, which follow it
MOST_WITH_TOPICS = 100_000  # counting more by topic takes over a second, so the reader asks for it
DONE = {
    JudgingState.OPEN: "Judging is open.",
    JudgingState.PAUSED: "Judging is paused. Judgements that are not sent yet wait in the assessors' browsers.",
    JudgingState.CLOSED: "Judging is closed. You can open it again at any time.",
}


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def work(request: HttpRequest, member: Member) -> HttpResponse:
    """What each judge and each topic, or each of a set (`?set=`), has done.

    The page reloads itself while it is visible; the topics are not part of that.
    """
    return _page(request, member)


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal=refusal)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def set_state(request: SignedInRequest, member: Member) -> HttpResponse:
    """Open, pause or close judging."""
    state = request.POST.get("state", "")
    before = judging_state(member.collection)
    if set_judging_state(member.collection, state, request.user):
        address = reverse("research:judging_state", args=[member.collection.slug])
        undoable(request, DONE[JudgingState(state)], address, [("state", before)])
    else:
        messages.success(request, DONE[JudgingState(state)])
    return redirect("research:work", member.collection.slug)


def _page(request: HttpRequest, member: Member, refusal: Refused | str = "") -> HttpResponse:
    collection = member.collection
    shown = monitor(collection)
    page: dict[str, Any] = {
        "here": "work",
        "collection": collection,
        "member": member,
        "refusal": refusal,
        "monitor": shown,
        "figure": _figure(collection, shown.activity) if shown.activity.total else None,
        "state": judging_state(collection),
        "assumption": ASSUMPTION,
        "inactive_days": INACTIVE_AFTER.days,
        "below": below_threshold(collection),
    }
    if request.headers.get("HX-Target") == "live":  # the page updates only what changes often
        return render(request, "research/work/_live.html", page)
    page |= _topics(request, collection, shown)
    return render(request, "research/work/monitor.html", page, status=400 if refusal else 200)


def _figure(collection: Collection, activity: Activity) -> ShownFigure:
    files = figure_files("work_activity_figure", collection.slug)

    def draw(width: float) -> bytes:
        return draw_activity(activity, "svg", width=width)

    return shown_figure("activity", activity.sentence, draw, activity, files=files)


def _topics(request: HttpRequest, collection: Collection, shown: Monitor) -> dict[str, Any]:
    """Return the rows of the topics, with what judging found in each and how complete that is."""
    topic_set = request.GET.get("set", "")
    query_ids = topics_in_set(collection, topic_set)
    page: dict[str, Any] = {
        "sets": set_choices(set(collection.topics.values_list("in_set__name", flat=True).distinct())),
        "chosen_set": topic_set,
        "topic_set": describe_set(topic_set, query_ids),
        "topics": None,
        "follows": shown.work.assigned <= MOST_WITH_TOPICS,
    }
    if _shows_topics(request, shown):
        rel = lowest_relevant_grade(collection)
        found = found_by_topic(collection, rel, query_ids)
        page |= {"rel": rel, "topics": [(row, found[row.topic.pk]) for row in topic_rows(collection, query_ids)]}
    return page


def _shows_topics(request: HttpRequest, shown: Monitor) -> bool:
    return "topics" in request.GET or shown.work.assigned <= MOST_AT_ONCE
