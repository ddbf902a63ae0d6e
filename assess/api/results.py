"""What the judgements say: judgements and golds as files, and every table and figure of the pages, byte for byte."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router, Schema
from pydantic import Field

from assess import audit
from assess.access import RESEARCHERS, check_role
from assess.api.members import member_of, user_of
from assess.collections.topic_sets import topics_in_set
from assess.models import Member
from assess.teaching import clock
from assess.web.figures.page import Page
from assess.web.figures.registry import PAGES
from assess.web.figures.tables import FILES, TYPES, table_file
from assess.web.figures.views import FIGURE_TYPES

router = Router(tags=["results"])
CSV, TEXT = "text/csv; charset=utf-8", "text/plain; charset=utf-8"
LONGEST_RULE = 200


class GoldNames(Schema):
    """The rules of golds that can be written, and the default reference."""

    golds: list[str]
    reference: str | None


class PageOut(Schema):
    """A page with its tables and figures, and the ids that it needs in the query."""

    page: str
    tables: list[str]
    figures: list[str]


class JudgementChoices(Schema):
    """Which judgements: of a set of topics, and with those of withdrawn judges."""

    set: str = Field("", max_length=20)
    withdrawn: bool = False


class GoldChoices(Schema):
    """Which grades: of a set of topics; binary, with 1 for the grade `rel` and above."""

    set: str = Field("", max_length=20)
    rel: int | None = Field(None, ge=0, le=9)


@router.get("/collections/{slug}/judgements", response={200: str})
def judgements(request: HttpRequest, slug: str, choices: Query[JudgementChoices]) -> HttpResponse:
    """The judgements as CSV. The export is recorded in the audit log."""
    from assess.transfer.exports import export_judgements, record_export

    member = member_of(request, slug, RESEARCHERS)
    topics_in_set(member.collection, choices.set)  # refuses an unknown set, before the export is recorded
    record_export(member.collection, audit.judgements_subject(choices.set), user_of(request), choices.withdrawn)
    return HttpResponse(export_judgements(member.collection, choices.set, choices.withdrawn), content_type=CSV)


@router.get("/collections/{slug}/golds", response=GoldNames)
def golds(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The golds of a collection."""
    from assess.analysis.reference import default_reference, judges_of

    collection = member_of(request, slug, RESEARCHERS).collection
    judges = judges_of(collection)
    reference = default_reference(collection, judges)
    return {"golds": judges.golds(), "reference": reference.rule if reference else None}


@router.get("/collections/{slug}/golds/{rule}", response={200: str})
def gold(request: HttpRequest, slug: str, rule: str, choices: Query[GoldChoices]) -> HttpResponse:
    """A gold as qrels; binary with `rel`. The export is recorded in the audit log."""
    from assess.transfer.exports import export_qrels, record_export

    member = member_of(request, slug, RESEARCHERS)
    content = export_qrels(member.collection, rule[:LONGEST_RULE], choices.rel, choices.set)
    record_export(member.collection, audit.qrels_subject(rule), user_of(request))
    return HttpResponse(content, content_type=TEXT)


@router.get("/collections/{slug}/pages", response=list[PageOut])
def pages(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The pages with tables and figures, for the next two."""
    member_of(request, slug, RESEARCHERS)
    return [{"page": name, "tables": list(page.tables), "figures": list(page.figures)} for name, page in PAGES.items()]


@router.get("/collections/{slug}/tables/{page}/{table}.{ending}", response={200: str})
def table(request: HttpRequest, slug: str, page: str, table: str, ending: str) -> HttpResponseBase:
    """A table of a page as csv, tex or md: the same bytes as there. The query is that of the page.

    202 while a job computes it: then ask again. Pages of one pair, topic or document have their ids in the query too.
    """

    def respond(declared: Page, source: Any) -> HttpResponse:
        made = declared.tables[table](source)
        if made is None or not (ending == "csv" or made.columns):
            raise Http404
        name = declared.file_name(source_member(source, member), table, ids)
        return HttpResponse(table_file(made, ending, name), content_type=f"{TYPES[ending]}; charset=utf-8")

    member, declared, ids = _page(request, slug, page, table, "tables", ending in FILES)
    return _made(request, member, declared, ids, respond)


@router.get("/collections/{slug}/figures/{page}/{figure}.{ending}", response={200: str})
def figure(request: HttpRequest, slug: str, page: str, figure: str, ending: str) -> HttpResponseBase:
    """A figure of a page as svg, pdf or png: the same bytes as there. The query is that of the page."""

    def respond(declared: Page, source: Any) -> HttpResponse:
        return HttpResponse(declared.figures[figure](source, ending), content_type=FIGURE_TYPES[ending])

    member, declared, ids = _page(request, slug, page, figure, "figures", ending in FIGURE_TYPES)
    return _made(request, member, declared, ids, respond)


def source_member(source: Any, member: Member) -> Member:
    """The member of a page's source, which knows the collection's names."""
    return getattr(source, "member", member)


def _page(
    request: HttpRequest, slug: str, page: str, name: str, kind: str, is_known: bool
) -> tuple[Member, Page, dict[str, int]]:
    """Return who asks for which page, and the ids in the query; 404 if there is no such page, table or figure."""
    declared = PAGES.get(page)
    member = member_of(request, slug, declared.roles if declared else RESEARCHERS)
    if declared is None or not is_known or name not in getattr(declared, kind):
        raise Http404
    if name in declared.for_researchers:
        check_role(member, RESEARCHERS)
    clock.check_figures(member)
    ids = {key[3:]: str(value) for key, value in request.GET.items() if key.startswith("id_")}
    if not all(value.isascii() and value.isdigit() and len(value) < 19 for value in ids.values()):
        raise Http404
    return member, declared, {key: int(value) for key, value in ids.items()}


def _made(
    request: HttpRequest,
    member: Member,
    declared: Page,
    ids: dict[str, int],
    respond: Callable[[Page, Any], HttpResponse],
) -> HttpResponseBase:
    try:
        source = declared.source(request, member, **ids)
    except TypeError:  # an id is missing, or one too many
        raise Http404 from None
    return source if isinstance(source, HttpResponseBase) else respond(declared, source)
