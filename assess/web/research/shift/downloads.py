"""The tables of the shift pages as CSV and LaTeX, and the figures as SVG, PDF and PNG."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse

from assess.access import RESEARCHERS
from assess.adjudication.openings import record_openings
from assess.lib.latex import latex_table
from assess.models import Member
from assess.web.requests import SignedInRequest
from assess.web.research.shift import named_figures, named_tables
from assess.web.research.shift.source import Source
from assess.web.research.shift.tables import PageTable
from assess.web.research.tables import csv_download
from assess.web.research.views import download, figures_view

FIGURE_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
LATEX = "application/x-latex; charset=utf-8"


@figures_view
def shift_csv(request: SignedInRequest, member: Member) -> HttpResponse:
    """The scores and ranks of every system under every gold, unrounded."""
    frame = named_tables.ranks(Source.from_request(request, member)).frame
    return csv_download(frame, f"{member.collection.slug}-shift.csv")


@figures_view
def shift_figure(request: SignedInRequest, member: Member, kind: str) -> HttpResponse:
    """The slope chart of two golds (`?reference=` and `?against=`) as SVG, PDF or PNG."""
    return _figure(Source.from_request(request, member), "slope", kind)


@figures_view
def table(request: SignedInRequest, member: Member, table_file: str) -> HttpResponse:
    """A table of a shift page as CSV, unrounded, or as LaTeX, as on the page."""
    name, _, kind = table_file.partition(".")
    tables = named_tables.OF_READERS | named_tables.OF_RESEARCHERS
    if name not in tables or kind not in ("csv", "tex"):
        raise Http404
    if name in named_tables.OF_RESEARCHERS and member.role not in RESEARCHERS:
        raise PermissionDenied("Your role in this collection does not allow this table. It is for: owner, researcher.")
    source = Source.from_request(request, member)
    shown = tables[name](source)
    record_shown_grades(source, shown)
    file_name = f"{member.collection.slug}-{name}.{kind}"
    if kind == "csv":
        return csv_download(shown.frame, file_name)
    return download(latex_table(shown.as_shown(), shown.caption, f"tab:{name}").encode(), file_name, LATEX)


@figures_view
def figure(request: SignedInRequest, member: Member, figure_file: str) -> HttpResponse:
    """A figure of a shift page."""
    name, _, kind = figure_file.partition(".")
    return _figure(Source.from_request(request, member), name, kind)


def _figure(source: Source, name: str, kind: str) -> HttpResponse:
    if name not in named_figures.FIGURES or kind not in FIGURE_TYPES:
        raise Http404
    return HttpResponse(named_figures.FIGURES[name](source, kind), content_type=FIGURE_TYPES[kind])


def record_shown_grades(source: Source, shown: PageTable, most: int | None = None) -> None:
    """Record that the member saw the grades of one judge, if a table of documents shows them."""
    golds = source.swap_choice[2:] if shown.name == "swap-documents" else (source.gold,)
    if shown.name not in ("swap-documents", "leverage") or not named_tables.names_a_judge(*golds):
        return
    if source.is_researcher:
        record_openings(source.member, source.tasks_of(shown.frame.head(most or shown.n_rows)).values())
