"""The views of all downloads: a table as CSV, LaTeX or Markdown, a figure as SVG, PDF or PNG, and all of them as a zip.

The parameters after the page come from the URL: `table` and `file_type`, `figure` and `kind`, and ids of the page.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from assess.access import RESEARCHERS, check_role
from assess.errors import Refused
from assess.models import Member
from assess.web.figures.page import Page
from assess.web.figures.registry import PAGES
from assess.web.figures.tables import FILES, Table, file_response, table_download, table_file
from assess.web.requests import SignedInRequest
from assess.web.research.views import figures_view_for

FIGURE_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
MOST_FILES = 60
IS_ID = re.compile("[0-9]{1,18}", re.ASCII)

Respond = Callable[[Page, Any, Member], HttpResponseBase]
Ids = Mapping[str, Any]


def download_table(
    request: HttpRequest, slug: str, *, page: str, table: str, file_type: str = "csv", **ids: Any
) -> HttpResponseBase:
    """A table of a page: as CSV, unrounded, or as LaTeX or Markdown, as the page shows it."""

    def respond(declared: Page, source: Any, member: Member) -> HttpResponseBase:
        made = declared.tables[table](source)
        if made is None or not _exists(made, file_type):
            raise Http404
        return table_download(made, file_type, declared.file_name(member, table, ids))

    is_known = table in PAGES[page].tables and file_type in FILES
    return _download(request, slug, page, [table], ids, respond if is_known else None)


def download_figure(
    request: HttpRequest, slug: str, *, page: str, figure: str, kind: str, **ids: Any
) -> HttpResponseBase:
    """A figure of a page."""

    def respond(declared: Page, source: Any, member: Member) -> HttpResponseBase:
        content = declared.figures[figure](source, kind)
        return file_response(content, f"{declared.file_name(member, figure, ids)}.{kind}", FIGURE_TYPES[kind])

    is_known = figure in PAGES[page].figures and kind in FIGURE_TYPES
    return _download(request, slug, page, [figure], ids, respond if is_known else None)


def download_zip(request: HttpRequest, slug: str, page: str) -> HttpResponseBase:
    """The tables and figures `?file=` of a page in all their forms. Ids of the page are `?id_NAME=`."""
    names = list(dict.fromkeys(request.GET.getlist("file")))[:MOST_FILES]
    ids = {key[3:]: str(value) for key, value in request.GET.items() if key.startswith("id_")}
    if page not in PAGES or not _names_of(PAGES[page]).issuperset(names):
        raise Http404
    if not all(IS_ID.fullmatch(value) for value in ids.values()):
        raise Http404

    def respond(declared: Page, source: Any, member: Member) -> HttpResponseBase:
        if not names:
            raise Refused("Name the tables and figures of the zip file, such as ?file=pairs.")
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                for end, content in _forms(declared, source, name, declared.file_name(member, name, ids)):
                    archive.writestr(f"{declared.file_name(member, name, ids)}.{end}", content)
        return file_response(file.getvalue(), f"{slug}-{page.replace('_', '-')}.zip", "application/zip")

    return _download(request, slug, page, names, {name: int(value) for name, value in ids.items()}, respond)


def _names_of(page: Page) -> set[str]:
    """Return the names of all tables and figures of a page."""
    return {*page.tables, *page.figures}


def _forms(declared: Page, source: Any, name: str, file_name: str) -> Iterator[tuple[str, bytes]]:
    """Yield each form of a table or figure with the ending of its name; none of a table that does not exist."""
    if name in declared.figures:
        for kind in FIGURE_TYPES:
            yield kind, declared.figures[name](source, kind)
    if name in declared.tables and (made := declared.tables[name](source)) is not None:
        for kind in FILES:
            if _exists(made, kind):
                yield kind, table_file(made, kind, file_name).encode()


def _exists(table: Table, file_type: str) -> bool:
    """Whether a table, which may be only a CSV file, has this form."""
    return file_type == "csv" or bool(table.columns)


def _download(
    request: HttpRequest, slug: str, page: str, names: Sequence[str], ids: Ids, respond: Respond | None
) -> HttpResponseBase:
    """Check who asks, and respond with files made from the page's source; 404 without `respond`."""
    declared = PAGES[page]

    @figures_view_for(declared.roles, declared.refused)
    def checked(request: SignedInRequest, member: Member) -> HttpResponseBase:
        if respond is None:
            raise Http404
        if declared.for_researchers.intersection(names):
            check_role(member, RESEARCHERS)
        source = declared.source(request, member, **ids)
        return source if isinstance(source, HttpResponseBase) else respond(declared, source, member)

    return checked(request, slug=slug)
