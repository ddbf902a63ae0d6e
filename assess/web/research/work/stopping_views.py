"""When a topic may stop: gain curve, completeness, and rules that a random sample allows. For researchers only."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.analysis.query import ALL_GRADES, relevance_threshold, set_choices, threshold_choices
from assess.collections.scale import lowest_relevant_grade
from assess.collections.topic_sets import describe_set
from assess.models import Collection, Member, Topic
from assess.web.figures.shown import Download, ShownFigure, ShownTable, csv_file, figure_files, shown_figure
from assess.web.figures.tables import Column, Table
from assess.web.requests import refusals_shown_by
from assess.web.research.views import refused_page
from assess.web.research.work.figures import draw_completeness, draw_gain, drawn_completeness
from assess.web.research.work.sample_forms import DEFAULT_SIZE, GoalForm, goal_query, sample_query
from assess.work.completeness import completeness
from assess.work.sample_rules import SampleAdvice, SampleFigures, sample_advice, sample_figures
from assess.work.stopping import TopicGain, gain_of
from assess.work.stopping_table import (
    StoppingRow,
    completeness_sentence,
    recall_text,
    rule_text,
    stopping_rows,
)

if TYPE_CHECKING:
    import pandas as pd

    from pooling import CaptureRecapture

SYSTEM_COLUMNS = (
    Column("source", "system", "system"),
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
    """What each topic has, or each of a set (`?set=`)."""
    page = _page(request, member)
    topic_set = request.GET.get("set", "")
    rows = stopping_rows(member.collection, page["rel"], page["goal"], topic_set)
    names = member.collection.topics.values_list("in_set__name", flat=True)
    page |= {
        "rows": [
            {
                "gain": row.gain,
                "completeness": row.completeness,
                "figures": row.figures,
                "recall": recall_text(row.figures.recall) if row.figures else "",
                "quantile": rule_text(row.figures.quantile) if row.figures else "",
                "target": rule_text(row.figures.target) if row.figures else "",
            }
            for row in rows
        ],
        "sets": set_choices(set(names.distinct())),
        "chosen_set": topic_set,
        "topic_set": describe_set(topic_set, [row.gain.topic.query_id for row in rows]),
        "csv_query": _query(page, set=topic_set),
        "sentence": completeness_sentence(rows),
        "figure": _completeness_figure(member.collection, rows, page["query"], _query(page, set=topic_set)),
    }
    return render(request, "research/work/stopping.html", page)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def topic(request: HttpRequest, member: Member, topic_id: int) -> HttpResponse:
    """The gain curve and the completeness of a topic, and what its sample says."""
    page = _page(request, member)
    gain = topic_gain(member.collection, topic_id, page["rel"])
    estimates = completeness(gain)
    figures = sample_figures(member.collection, [gain], page["goal"]).get(gain.topic.pk)
    page |= {
        "gain": gain,
        "figure": _figure(gain, page["query"]) if gain.n_judged else None,
        "assumption": estimates.assumption if estimates else "",
        "systems": _systems(gain, estimates, page["query"]) if estimates else None,
        "curve_file": Download(csv_file("stopping_curve", member.collection.slug, topic_id, query=page["query"])),
        "figures": figures,
        "advice": None if figures else sample_advice(gain, page["goal"]),
        **(_rules(figures) if figures else {}),
    }
    page["draw_query"] = _draw_query(gain, figures, page["advice"])
    return render(request, "research/work/stopping_topic.html", page)


def _completeness_figure(
    collection: Collection, rows: Sequence[StoppingRow], query: str, query_of_files: str
) -> ShownFigure | None:
    """Return the completeness of each topic; None if no topic has an estimate."""
    if not (drawn := drawn_completeness(rows)):
        return None
    files = figure_files("stopping_completeness", collection.slug, query=query_of_files)
    keys = {row.gain.topic.query_id: row.gain.topic.pk for row in rows}

    def draw(width: float) -> bytes:
        return draw_completeness(drawn, "svg", width=width)

    def link(names: Mapping[str, str]) -> str:
        return f"{reverse('research:stopping_topic', args=[collection.slug, keys[names['topic']]])}?{query}"

    label = "Completeness of each topic by capture-recapture; the table has the same numbers."
    return shown_figure("completeness", label, draw, drawn, files=files, link=link)


def _figure(gain: TopicGain, query: str) -> ShownFigure:
    files = figure_files("stopping_figure", gain.topic.collection.slug, gain.topic.pk, query=query)

    def draw(width: float) -> bytes:
        return draw_gain(gain, "svg", width=width)

    return shown_figure("gain", gain.sentence, draw, gain.is_relevant, files=files)


def _systems(gain: TopicGain, estimates: "CaptureRecapture", query: str) -> ShownTable:
    files = csv_file("stopping_systems", gain.topic.collection.slug, gain.topic.pk, query=query)
    return ShownTable(Table("systems", _displayed(estimates.pairs), SYSTEM_COLUMNS), files)


def _rules(figures: SampleFigures) -> dict[str, Any]:
    """Return the rows of the table of rules: name, result, basis and guarantee."""
    recall, quantile, target = figures.recall, figures.quantile, figures.target
    basis = f"{figures.sample.fixed_size:,} sampled"
    return {
        "rules": [
            ("Recall of the review", recall_text(recall), f"{basis}, {recall.n_sampled:,} relevant", recall.guarantee),
            (
                f"Quantile bound (QBCB), recall {quantile.recall:g}",
                rule_text(quantile),
                f"{basis}, {quantile.n_sampled_relevant:,} relevant",
                quantile.guarantee,
            ),
            (
                "Target method",
                rule_text(target),
                f"{target.n_sampled:,} sampled, {target.n_sampled_relevant:,} relevant",
                target.guarantee,
            ),
        ]
    }


def _draw_query(gain: TopicGain, figures: SampleFigures | None, advice: SampleAdvice | None) -> str:
    """Return the query of the form that draws a sample, or enlarges one by the documents that it probably needs."""
    if figures is None:
        return sample_query((advice and advice.size) or DEFAULT_SIZE, gain.topic.query_id)
    return sample_query(figures.size_for_target, gain.topic.query_id, figures.sample.population)


def _page(request: HttpRequest, member: Member) -> dict[str, Any]:
    choices = [choice for choice in threshold_choices(member.collection) if choice[0] != ALL_GRADES]
    form, rel = GoalForm(request.GET.dict()), chosen_rel(request, member.collection)
    page = {"here": "work", "collection": member.collection, "member": member, "rel_choices": choices, "form": form}
    page |= {"rel": rel, "chosen": str(rel), "goal": form.goal()}
    return page | {"query": _query(page)}


def _query(page: dict[str, Any], **more: str) -> str:
    """Return the query string of addresses that show the same threshold and goal."""
    values = {"rel": f"{page['rel']}", **goal_query(page["goal"]), **more}
    return urlencode({name: value for name, value in values.items() if value})


def chosen_rel(request: HttpRequest, collection: Collection) -> int:
    """Return the lowest relevant grade (`?rel=`)."""
    rel = relevance_threshold(request.GET, collection)
    return lowest_relevant_grade(collection) if rel is None else rel


def topic_gain(collection: Collection, topic_id: int, rel: int) -> TopicGain:
    return gain_of(
        get_object_or_404(Topic.objects.select_related("collection"), pk=topic_id, collection=collection), rel
    )


def _displayed(pairs: "pd.DataFrame") -> "pd.DataFrame":
    """Return the columns of the page's table; numbers of documents are rounded to whole ones."""
    names = {"chapman": "estimate", "low": "from", "high": "to"}
    frame = pairs.rename(columns=names).assign(note=pairs["reason"])
    return frame.assign(**{name: frame[name].round().astype("Int64") for name in names.values()})
