"""When a topic may stop: its gain curve, its completeness, and what each method assumes. For researchers only."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.analysis.query import ALL_GRADES, relevance_threshold, threshold_choices
from assess.collections.scale import lowest_relevant_grade
from assess.models import Collection, Member, Topic
from assess.web.refusals import refusals_shown_by
from assess.web.research.tables import Column, Table, csv_download
from assess.web.research.views import refused_page
from assess.web.research.work.chart import gain_chart
from assess.work.stopping import TopicGain, completeness, curve_frame, gain_of, gains

if TYPE_CHECKING:
    import pandas as pd

SYSTEM_COLUMNS = (
    Column("source", "system", "text"),
    Column("n_source", "relevant found", "count"),
    Column("n_other", "by all others", "count"),
    Column("n_common", "by both", "count"),
    Column("estimate", "relevant in all (Chapman)", "count"),
    Column("from", "from", "count"),
    Column("to", "to", "count"),
    Column("completeness", "completeness", "change"),
    Column("note", "note", "text"),
)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def stopping(request: HttpRequest, member: Member) -> HttpResponse:
    """The relevant documents found in each topic."""
    page = _page(request, member)
    return render(request, "research/work/stopping.html", page | {"gains": gains(member.collection, page["rel"])})


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def topic(request: HttpRequest, member: Member, topic_id: int) -> HttpResponse:
    """The gain curve and the completeness of a topic."""
    page = _page(request, member)
    gain = _gain(member.collection, topic_id, page["rel"])
    estimates = completeness(gain)
    page |= {
        "gain": gain,
        "chart": gain_chart(gain.curve.found.tolist()) if gain.n_judged else None,
        "assumption": estimates.assumption if estimates else "",
        "table": Table("systems", _displayed(estimates.pairs), SYSTEM_COLUMNS) if estimates else None,
    }
    return render(request, "research/work/stopping_topic.html", page)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def curve_csv(request: HttpRequest, member: Member, topic_id: int) -> HttpResponse:
    """The gain curve of a topic."""
    gain = _gain(member.collection, topic_id, _rel(request, member.collection))
    return csv_download(curve_frame(gain), f"{member.collection.slug}-gain-{gain.topic.pk}.csv")


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def systems_csv(request: HttpRequest, member: Member, topic_id: int) -> HttpResponse:
    """The completeness of a topic by capture-recapture; only a header if fewer than two systems contributed."""
    import pandas as pd

    gain = _gain(member.collection, topic_id, _rel(request, member.collection))
    estimates = completeness(gain)
    frame = pd.DataFrame(columns=["source"]) if estimates is None else estimates.pairs
    frame.insert(0, "query_id", gain.topic.query_id)
    return csv_download(frame, f"{member.collection.slug}-completeness-{gain.topic.pk}.csv")


def _page(request: HttpRequest, member: Member) -> dict[str, Any]:
    choices = [choice for choice in threshold_choices(member.collection) if choice[0] != ALL_GRADES]
    page = {"here": "work", "collection": member.collection, "member": member, "rel_choices": choices}
    rel = _rel(request, member.collection)
    return page | {"rel": rel, "chosen": str(rel)}


def _rel(request: HttpRequest, collection: Collection) -> int:
    """Return the lowest relevant grade (`?rel=`)."""
    rel = relevance_threshold(request.GET, collection)
    return lowest_relevant_grade(collection) if rel is None else rel


def _gain(collection: Collection, topic_id: int, rel: int) -> TopicGain:
    return gain_of(
        get_object_or_404(Topic.objects.select_related("collection"), pk=topic_id, collection=collection), rel
    )


def _displayed(pairs: "pd.DataFrame") -> "pd.DataFrame":
    """Return the columns of the page's table; numbers of documents are rounded to whole ones."""
    names = {"chapman": "estimate", "low": "from", "high": "to"}
    frame = pairs.rename(columns=names).assign(note=pairs["reason"])
    return frame.assign(**{name: frame[name].round().astype("Int64") for name in names.values()})
