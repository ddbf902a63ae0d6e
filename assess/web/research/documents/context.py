"""The contexts of the templates of judged documents."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from assess.analysis.documents.filters import Choices, DocumentFilter, DocumentOrder
from assess.analysis.documents.pending import runs_or_pending
from assess.errors import Refused
from assess.jobs.pending import Pending
from assess.models import Collection, Member, Task, TextFormat
from assess.near_duplicates.groups import duplicates_of
from assess.search.provenance import proposals_for, search_for
from assess.web.figures.shown import Download, Files, ShownTable, table_files
from assess.web.figures.tables import Table
from assess.web.grades import grade_buttons
from assess.web.requests import SignedInRequest
from assess.web.research.documents.document_tables import effect_table, systems_table

if TYPE_CHECKING:
    import pandas as pd

PAGE_SIZE = 50
# What only some judgements have. A column without any value is not shown.
DETAILS = ("reason", "comment", "quotes", "confidence", "label_confidence", "active", "guidelines_version")
IN_FORM = {"order", "set", "topic", "judge_a", "grade_a", "judge_b", "grade_b", "distance", "page"}


def page_number(query: QueryDict, documents: "pd.DataFrame") -> tuple["pd.DataFrame", dict[str, int]]:
    """Return the documents of the page that is asked for, and the numbers of pages."""
    last = max(1, -(-len(documents) // PAGE_SIZE))
    text = query.get("page") or "1"
    if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= last):
        raise Refused(f"page must be a number from 1 to {last:,}, not {text[:20]!r}.")
    number = int(text)
    first = (number - 1) * PAGE_SIZE
    shown = documents.iloc[first : first + PAGE_SIZE]
    return shown, {"number": number, "last": last, "first": first + 1, "end": first + len(shown)}


def list_context(
    request: HttpRequest,
    member: Member,
    allowed: Choices,
    wanted: DocumentFilter,
    chosen: "pd.DataFrame",
    shown: "pd.DataFrame",
) -> dict[str, Any]:
    """Return the context of the list."""
    from assess.analysis.documents.listing import list_sentence  # loads pandas
    from assess.analysis.documents.rows import listed_rows

    chips = _chips(member.collection)
    rows = listed_rows(shown)
    in_form = {*IN_FORM, *(("gold", "measure") if wanted.order == DocumentOrder.LEVERAGE else ())}
    return _choices(allowed, wanted) | {
        "kept": _kept(request.GET, in_form),
        "collection": member.collection,
        "member": member,
        "here": "documents",
        "total": len(chosen),
        "sentence": list_sentence(member.collection, wanted, chosen),
        "rows": [(row, [(chips[grade], names) for grade, names in row.grades]) for row in rows],
        "adjudicate": _adjudicate_address(member.collection),
        "list_files": Download(table_files("documents_file", member.collection.slug, query=_query(request))),
    }


def document_context(
    request: SignedInRequest, member: Member, task: Task, allowed: Choices, wanted: DocumentFilter
) -> dict[str, Any]:
    """Return the context of the page of one document."""
    from assess.analysis.documents.page import document_page, marked_parts

    chips = _chips(member.collection)
    page = document_page(task)
    is_html = page.format == TextFormat.HTML
    return (
        _choices(allowed, wanted)
        | _effect_context(request, member, task, wanted)
        | {
            "page": page,
            "kept_with_list": _kept(request.GET, {"gold", "measure"}),
            "grades": [(chips[grade], names) for grade, names in page.by_grade],
            "judgements": [(row, chips.get(row.grade)) for row in page.judgements],
            "columns": {name for name in DETAILS if any(getattr(row, name) for row in page.judgements)},
            "parts": [] if is_html else marked_parts(page.text, page.passages),
            "spans": [[each.start, each.end] for each in page.passages] if is_html else [],
            "adjudicate": _adjudicate_address(member.collection),
            "duplicates": duplicates_of(task),
            "files": {name: Download(_files(request, member, task, name)) for name in ("judgements", "history")},
            "found_by": search_for(task),
            "proposed_by": proposals_for(task),
        }
    )


def _effect_context(request: SignedInRequest, member: Member, task: Task, wanted: DocumentFilter) -> dict[str, Any]:
    """Return the systems that retrieved the document, and its effect; or the job that prepares the runs."""
    from assess.analysis.documents.effect import document_effect  # loads pandas
    from assess.analysis.documents.systems import retrieved_by

    try:
        prepared = runs_or_pending(member.collection, request.user)
    except Pending as pending:
        return {"job": pending.job}
    except Refused as refusal:
        return {"effect_refusal": refusal}
    systems = retrieved_by(prepared, task.topic.query_id, task.document.doc_id)
    context = {
        "systems": systems,
        "systems_table": _shown(request, member, task, systems_table(systems)),
        "n_systems": len(prepared.systems),
    }
    try:
        effect = document_effect(member.collection, task, prepared, wanted.measure, wanted.gold, wanted.of_set)
    except Refused as refusal:
        return context | {"effect_refusal": refusal}
    return context | {"effect": effect, "effect_table": _shown(request, member, task, effect_table(effect))}


def _shown(request: SignedInRequest, member: Member, task: Task, table: Table) -> ShownTable:
    return ShownTable(table, _files(request, member, task, table.name))


def _files(request: SignedInRequest, member: Member, task: Task, name: str) -> Files:
    """Return the addresses of the files of a table, with the query of the page."""
    return table_files("document_file", member.collection.slug, task.pk, name, query=_query(request))


def _query(request: HttpRequest) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()


def _kept(query: QueryDict, besides: set[str]) -> list[tuple[str, str]]:
    """Return the parameters that a form keeps as hidden fields, because it has no fields for them."""
    return [(name, value) for name, values in query.lists() if name not in besides for value in values]


def _choices(allowed: Choices, wanted: DocumentFilter) -> dict[str, Any]:
    return {"allowed": allowed, "wanted": wanted, "orders": DocumentOrder.choices}


def _chips(collection: Collection) -> dict[int | None, dict[str, Any]]:
    return {grade["value"]: grade for grade in grade_buttons(list(collection.grades.all()))}


def _adjudicate_address(collection: Collection) -> str:
    return f"{reverse('research:collection', args=[collection.slug])}adjudication/create/"
