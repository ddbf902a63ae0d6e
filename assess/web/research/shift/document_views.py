"""The shift pages that list documents: why two systems swap, and which documents have leverage."""

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from assess.access import RESEARCHERS
from assess.models import AdjudicatedTask, Member
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.shift import named_tables
from assess.web.research.shift.downloads import record_shown_grades
from assess.web.research.shift.drawing import wait_for_figures
from assess.web.research.shift.page import refused, shift_page, shown_figure, shown_table
from assess.web.research.shift.source import Source
from assess.web.research.shift.tables import Link, Record
from assess.web.research.views import figures_view, figures_view_for

FIRST = 20  # documents that a button sends to adjudication


@figures_view
@refusals_shown_by(refused)
def swap(request: SignedInRequest, member: Member) -> HttpResponse:
    """Why the order of two systems differs under two golds: topics, and documents with their contributions."""
    prefetch_related_objects([member.collection], "runs")
    source = Source.from_request(request, member)
    a, b, gold_1, gold_2 = source.swap_choice
    documents = named_tables.swap_documents(source)
    chosen = {"a": a, "b": b, "gold_1": gold_1, "gold_2": gold_2}
    rows = documents.shown_rows(request.GET, member.collection)
    record_shown_grades(source, documents, rows)
    why = source.why_swapped()
    if len(why.topics):
        wait_for_figures(source, "swap-differences")
    content = {
        "why": why,
        "sentence": _summary(source),
        "a": a,
        "b": b,
        "gold_1": gold_1,
        "gold_2": gold_2,
        "figure": shown_figure(source, "swap-differences", chosen) if len(why.topics) else None,
        "topics": shown_table(source, named_tables.swap_topics(source), query=chosen),
        "documents": shown_table(source, documents, _document_links(source, source.tasks_of(rows)), query=chosen),
    }
    return render(request, "research/shift/swap.html", shift_page(request, source, **content))


@figures_view_for(RESEARCHERS)
@refusals_shown_by(refused)
def leverage(request: SignedInRequest, member: Member) -> HttpResponse:
    """The documents whose grade moves the ranking most, to be adjudicated."""
    prefetch_related_objects([member.collection], "runs")
    source = Source.from_request(request, member)
    table = named_tables.leverage(source)
    record_shown_grades(source, table, table.shown_rows(request.GET, member.collection))
    tasks = source.tasks_of(table.data)
    taken = set(AdjudicatedTask.objects.filter(task__in=tasks.values()).values_list("task", flat=True))

    def free_task(row: Record) -> int | None:
        task = tasks.get((row["query_id"], row["doc_id"]))
        return None if task in taken else task

    links, query = _document_links(source, tasks), {"gold": source.gold}
    is_drawn = bool((table.data["pairs_swapped"] > 0).any())
    if is_drawn:
        wait_for_figures(source, "leverage")
    content = {
        "leverage": source.leverage(),
        "figure": shown_figure(source, "leverage", query) if is_drawn else None,
        "preliminary": source.preliminary(source.gold),
        "gold": source.gold,
        "documents": shown_table(source, table, links, free_task, query=query),
        "first": [task for document in _documents(table) if (task := free_task(document))][:FIRST],
        "create": reverse("research:collection", args=[member.collection.slug]) + "adjudication/create/",
    }
    return render(request, "research/shift/leverage.html", shift_page(request, source, **content))


def _documents(table: Table) -> Sequence[Record]:
    """Return the documents of a table, each once, in its order."""
    documents: list[Record] = list(table.data[["query_id", "doc_id"]].drop_duplicates().to_dict("records"))
    return documents


def _summary(source: Source) -> str:
    """Return the answer; it names a document with its grades only to those who may see the grades."""
    why = source.why_swapped()
    if not named_tables.shows_grades(source, *why.golds):
        why = replace(why, documents=why.documents.head(0))
    return why.summary()


def _document_links(source: Source, tasks: dict[tuple[str, str], int]) -> dict[str, Link]:
    """Return the links of a table's documents. Instructors may not open documents."""
    if not source.is_researcher:
        return {}
    address = reverse("research:collection", args=[source.collection.slug])

    def link(row: Record) -> str:
        task = tasks.get((row["query_id"], row["doc_id"]))
        return f"{address}documents/{task}/" if task else ""

    return {"doc_id": link}
