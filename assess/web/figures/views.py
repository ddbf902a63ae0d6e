"""The two views of all downloads: a table as CSV or LaTeX, and a figure as SVG, PDF or PNG.

The parameters after the page come from the URL: `table` and `file_type`, `figure` and `kind`, and ids of the page.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from assess.access import RESEARCHERS, check_role
from assess.models import Member
from assess.web.figures.page import Page
from assess.web.figures.registry import PAGES
from assess.web.figures.tables import FILES, file_response, table_download
from assess.web.requests import SignedInRequest
from assess.web.research.views import figures_view_for

TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}

Respond = Callable[[Page, Any, Member], HttpResponseBase]


def download_table(
    request: HttpRequest, slug: str, *, page: str, table: str, file_type: str = "csv", **ids: Any
) -> HttpResponseBase:
    """A table of a page: as CSV, unrounded, or as LaTeX, as the page shows it."""

    def respond(declared: Page, source: Any, member: Member) -> HttpResponseBase:
        made = declared.tables[table](source)
        if made is None or (file_type == "tex" and not made.columns):
            raise Http404
        return table_download(made, file_type, declared.file_name(member, table, ids))

    is_known = table in PAGES[page].tables and file_type in FILES
    return _download(request, slug, page, table, ids, respond if is_known else None)


def download_figure(
    request: HttpRequest, slug: str, *, page: str, figure: str, kind: str, **ids: Any
) -> HttpResponseBase:
    """A figure of a page."""

    def respond(declared: Page, source: Any, member: Member) -> HttpResponseBase:
        content = declared.figures[figure](source, kind)
        return file_response(content, f"{declared.file_name(member, figure, ids)}.{kind}", TYPES[kind])

    is_known = figure in PAGES[page].figures and kind in TYPES
    return _download(request, slug, page, figure, ids, respond if is_known else None)


def _download(
    request: HttpRequest, slug: str, page: str, name: str, ids: Mapping[str, Any], respond: Respond | None
) -> HttpResponseBase:
    """Check who asks, and respond with a file made from the page's source; 404 without `respond`."""
    declared = PAGES[page]

    @figures_view_for(declared.roles, declared.refused)
    def checked(request: SignedInRequest, member: Member) -> HttpResponseBase:
        if respond is None:
            raise Http404
        if name in declared.for_researchers:
            check_role(member, RESEARCHERS)
        source = declared.source(request, member, **ids)
        return source if isinstance(source, HttpResponseBase) else respond(declared, source, member)

    return checked(request, slug=slug)
