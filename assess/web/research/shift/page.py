"""What all shift pages share: navigation, the form of choices, and the page of a refusal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from assess.access import RESEARCHERS
from assess.analysis.query import set_choices, suggested_measures
from assess.analysis.reference import offered_rules
from assess.analysis.shift_query import judge_names, system_names
from assess.analysis.thresholds import changed_thresholds
from assess.collections.topic_sets import describe_set, sets_by_topic
from assess.errors import Refused
from assess.models import Member
from assess.web.figures.shown import Files, ShownFigure, ShownTable, figure_files, table_files
from assess.web.figures.tables import Table
from assess.web.research.shift import named_figures
from assess.web.research.shift.slope import slope_svg
from assess.web.research.shift.source import Source
from assess.web.research.shift.tables import Link

PAGES = {
    "shift": "Ranking",
    "leaderboard": "Leaderboard",
    "shift_golds": "All golds",
    "shift_swaps": "Swaps",
    "swap": "Why swapped",
    "leverage": "Leverage",
    "shift_mixed": "Mixed",
    "shift_intervals": "Intervals",
    "shift_measures": "Measures",
    "shift_differences": "Differences",
    "shift_topics": "Topics",
    "shift_scores": "From scores",
}
FOR_RESEARCHERS = {"leverage", "shift_scores"}

Query = Mapping[str, Any] | None  # further parameters of an address


def refused(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    # Invalid parameters are an error (400). A collection that has no runs or judgements yet is not.
    status = 400 if request.GET else 200
    page = base_page(request, member) | {"refusal": refusal, "nav": navigation(member, request, _kept(request.GET))}
    return render(request, "research/shift/refused.html", page, status=status)


def shift_page(request: HttpRequest, source: Source, **content: Any) -> dict[str, Any]:
    """Return the context of a page, with the choices of its form."""
    query = source.inputs.query(reference=source.shift.reference, against=source.against)
    compared = set(source.shift.golds)
    offered = offered_rules(source.judges)
    known = {rule for rule, _ in offered}
    offered += [(gold, "") for gold in source.shift.golds if gold not in known]
    used = content.get("gold") or source.shift.reference
    return base_page(request, source.member) | {
        "source": source,
        "shift": source.shift,
        "against": source.against,
        "thresholds": source.inputs.thresholds,
        "thresholds_changed": bool(changed_thresholds(source.inputs.thresholds)),
        "reference_sentence": source.default.describe(used) if source.default else "",
        "offered_reference": used if used in known and used != source.collection.reference else "",
        "query": query,
        "nav": navigation(source.member, request, query),
        "measure": source.inputs.measure,
        "grouped_runs": len(source.groups.keys() & set(source.shift.systems)),
        "topic_set": describe_set(source.inputs.topic_set, source.inputs.topics),
        "sets": set_choices(set(sets_by_topic(source.collection).values())),
        "golds": [(rule, meaning, rule in compared) for rule, meaning in offered],
        "gold_names": [rule for rule, _ in offered],
        "judges": [(name, name in source.inputs.without_judges) for name in judge_names(source.collection)],
        "systems": [(name, name in source.inputs.without_systems) for name in system_names(source.collection)],
        **content,
    }


def base_page(request: HttpRequest, member: Member) -> dict[str, Any]:
    """Return what every page of the shift shows."""
    suggested = suggested_measures(member.collection)
    return {
        "here": "shift",
        "collection": member.collection,
        "member": member,
        "is_researcher": member.role in RESEARCHERS,
        "measures": suggested,
        "measure": request.GET.get("measure") or suggested[0],
    }


def navigation(member: Member, request: HttpRequest, query: str) -> list[tuple[str, str, bool]]:
    """Return label and address of each shift page, and whether it is the present one."""
    current = request.resolver_match.url_name if request.resolver_match else ""
    return [
        (label, reverse(f"research:{name}", args=[member.collection.slug]) + query, name == current)
        for name, label in PAGES.items()
        if name not in FOR_RESEARCHERS or member.role in RESEARCHERS
    ]


def _kept(query: QueryDict) -> str:
    """Return the query of a refused page without the measure and the golds, which may be what was refused."""
    kept = query.copy()
    for name in [name for name in kept if name not in ("without_judge", "without_system")]:
        del kept[name]
    return f"?{kept.urlencode()}" if kept else ""


def shown_table(
    source: Source, table: Table, links: dict[str, Link] | None = None, select: Any = None, query: Query = None
) -> ShownTable:
    """Return a table with links in some columns, boxes before its rows, and the addresses of its files."""
    files = table_files("shift_table", source.collection.slug, table.name, query=_query(source, query))
    return ShownTable(replace(table.with_links(links or {}), select=select), files)


def shown_figure(source: Source, name: str, query: Query = None) -> ShownFigure:
    """Return a figure, and the addresses of its files."""
    files = figure_files("shift_chart", source.collection.slug, name, query=_query(source, query))
    if name == "slope" and source.against:
        return slope_figure(source, files)
    wide, narrow = named_figures.widths_of(name)
    for_phone = named_figures.on_page(name, source, narrow) if narrow else None
    return ShownFigure(name, named_figures.on_page(name, source, wide), files, for_phone)


def slope_figure(source: Source, files: Files, size: str = "wide") -> ShownFigure:
    """Return the ranks under the reference and the compared gold, also as drawn for a phone."""
    shift, against = source.shift, source.against or source.shift.reference
    swaps = reverse("research:shift_swaps", args=[source.collection.slug]) + _query(source, None)
    wide, narrow = (slope_svg(shift, against, each, swaps) for each in (size, "narrow"))
    return ShownFigure("slope", wide, files, narrow)


def _query(source: Source, query: Query) -> str:
    """Return the query of a file with the inputs of the page, and further parameters."""
    return source.inputs.query(**({"reference": source.shift.reference, "against": source.against} | dict(query or {})))
