"""The pages on the agreement of judges. Modules that load pandas are imported inside the views."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from assess.access import RESEARCHERS
from assess.analysis.judges.assisted import AssistedJudgements, assisted_judgements
from assess.analysis.query import Filters
from assess.analysis.thresholds import changed_thresholds
from assess.collections.scale import is_frozen
from assess.collections.sight import sighted_names
from assess.collections.topic_sets import describe_set
from assess.models import Member, Role
from assess.web.figures.shown import Download, ShownTable, table_files
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest
from assess.web.research.agreement.charts import CHARTS, chart_files
from assess.web.research.agreement.figures import drawn_or_pending, figures_of
from assess.web.research.agreement.page_tables import TABLES, Viewer, pairs_of_matrix
from assess.web.research.views import figures_view
from pooling.words import with_minus

if TYPE_CHECKING:
    from agreement.thresholds import Thresholds
    from assess.analysis.judges.similarity import Matrix
    from assess.analysis.judges.time import TimeFigures


CELL, MARGIN = 20, 4
LETTER = 7.2  # the width of a letter of a name, at most
MOST_WITH_NUMBERS = 60
MOST_LETTERS = 34
LONGEST_NUMBER = 2  # figures, in the usual size


def matrix_svg(viewer: Viewer, matrix: "Matrix") -> SafeString:
    """Return the kappas below the diagonal, each with a link to the pair, and the names on the diagonal.

    A link cannot be reached with the Tab key: with many judges there are hundreds. The table against a reference has
    links to all pairs too.
    """
    size = len(matrix.judges)
    longest = max(min(len(name), MOST_LETTERS) for name in matrix.judges)
    width, height = size * CELL + round(longest * LETTER) + 2 * MARGIN, size * CELL
    names = (_name(name, position) for position, name in enumerate(matrix.judges))
    content = "".join((*names, *(_cell(viewer, matrix, *cell) for cell in matrix.cells)))
    return mark_safe(  # noqa: S308 - the names are escaped
        f'<svg class="matrix" viewBox="0 0 {width} {height}" style="--natural: {width}px" role="group" '
        f'aria-label="Pooled kappa of each pair of {size} judges, as a triangle; similar judges are next to each '
        f'other.">{content}</svg>'
    )


def _name(name: str, position: int) -> str:
    shown = name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"
    x, y = position * CELL + MARGIN, position * CELL + CELL * 0.7
    return f'<text x="{x}" y="{y:.0f}" class="judge">{escape(shown)}</text>'


def _cell(viewer: Viewer, matrix: "Matrix", row: int, column: int, kappa: float | None, n: int) -> str:
    a, b = matrix.judges[row], matrix.judges[column]
    x, y = column * CELL, row * CELL
    if not n:
        return f'<rect x="{x}" y="{y}" class="empty"/>'
    level = "none" if kappa is None else f"k{min(max(int(kappa * 10), 0), 9)}"
    text = "?" if kappa is None else with_minus(f"{kappa * 100:z.0f}")
    value = "undefined" if kappa is None else with_minus(f"{kappa:z.3f}")
    number = _number(text, x, y) if len(matrix.judges) <= MOST_WITH_NUMBERS else ""
    href = f"{viewer.ids[a]}/{viewer.ids[b]}/{viewer.filters}"
    return (
        f'<a href="{escape(href)}" tabindex="-1" class="{level}"><title>{escape(a)} and {escape(b)}: {value}, n = {n}'
        f'</title><rect x="{x}" y="{y}"/>{number}</a>'
    )


def _number(text: str, x: int, y: int) -> str:
    style = ' class="long-number"' if len(text) > LONGEST_NUMBER else ""
    return f'<text x="{x + CELL / 2:.0f}" y="{y + 14}"{style}>{text}</text>'


@figures_view
def agreement(request: SignedInRequest, member: Member) -> HttpResponse:
    """Every pair of judges, or with many judges a matrix; each judge against a reference; all judges together."""
    page = agreement_page(request, member)
    figures = figures_of(page["viewer"], request.user, "agreement")
    makers = {} if figures.has_few_judges else {"pairs": lambda _viewer, figures: pairs_of_matrix(figures)}
    page |= {"figures": figures, "tables": _tables(page["viewer"], "agreement", figures, makers)}
    page["variance"] = [(row.source, f"{100 * row.share:.0f}") for row in figures.study.to_frame().itertuples()]
    page["sighted"] = sighted_names(member.collection)
    if figures.reference and figures.reference.name != member.collection.reference:
        page["offered_reference"] = figures.reference.name
    if figures.matrix:
        page["matrix"] = matrix_svg(page["viewer"], figures.matrix)
    drawn = drawn_or_pending(page["viewer"], request.user, "agreement", figures)
    return render(request, "research/agreement/agreement.html", page | drawn)


@figures_view
def topics(request: SignedInRequest, member: Member) -> HttpResponse:
    """Agreement in each topic."""
    from assess.analysis.judges.sentences import topics_sentence  # loads pandas

    return _data_page(request, member, "topics", topics_sentence)


@figures_view
def golds(request: SignedInRequest, member: Member) -> HttpResponse:
    """Rules of golds, by how well they predict judgements that were set aside."""
    from assess.analysis.judges.held_out import golds_sentence  # loads pandas

    return _data_page(request, member, "golds", golds_sentence)


@figures_view
def judges(request: SignedInRequest, member: Member) -> HttpResponse:
    """What each judge did, and the imports of judges."""
    from assess.analysis.imported_judges import import_rows  # loads pandas
    from assess.analysis.judges.sentences import judges_sentence

    collection = member.collection
    others = {"imported": import_rows(collection), "sighted": sighted_names(collection)}
    return _data_page(request, member, "judges", judges_sentence, lambda *_: others)


@figures_view
def time(request: SignedInRequest, member: Member) -> HttpResponse:
    """Agreement in the order of judging, and by the pace of the judges."""
    from assess.analysis.judges.sentences import time_sentence  # loads pandas

    return _data_page(request, member, "time", time_sentence, _pace)


def _pace(viewer: Viewer, figures: "TimeFigures") -> dict[str, Any]:
    from assess.analysis.judges.sentences import pace_sentence  # loads pandas

    return {"pace_sentence": pace_sentence(figures.judges, viewer.thresholds)}


def _data_page(
    request: SignedInRequest,
    member: Member,
    name: str,
    sentence: Callable[[Any, "Thresholds"], str],
    others: Callable[[Viewer, Any], dict[str, Any]] = lambda _viewer, _figures: {},
) -> HttpResponse:
    page = agreement_page(request, member)
    figures = figures_of(page["viewer"], request.user, name)
    page |= {"figures": figures, "tables": _tables(page["viewer"], name, figures), "tab": name}
    page["sentence"] = sentence(figures, page["viewer"].thresholds)
    page |= drawn_or_pending(page["viewer"], request.user, name, figures)
    return render(request, f"research/agreement/{name}.html", page | others(page["viewer"], figures))


def _tables(
    viewer: Viewer, page: str, figures: Any, others: Mapping[str, Callable[[Viewer, Any], Table]] = MappingProxyType({})
) -> dict[str, ShownTable]:
    """Return the tables of a page; `others` are made by other functions than those of TABLES."""
    makers = {name: others.get(name, make) for name, (of_page, make) in TABLES.items() if of_page == page}
    made = {name: make(viewer, figures) for name, make in makers.items()}
    slug = viewer.member.collection.slug
    return {
        name: ShownTable(table, table_files("agreement_table", slug, table.name, query=viewer.filters))
        for name, table in made.items()
        if table is not None
    }


def _figure_files(viewer: Viewer) -> dict[str, Download]:
    """Return the files of each figure."""
    return {name: Download(chart_files(viewer, name)) for name in CHARTS}


def agreement_page(request: HttpRequest, member: Member) -> dict[str, Any]:
    filters = Filters(member.collection)
    viewer = Viewer.from_query(member, request.GET, filters)
    return {
        "here": "agreement",
        "tab": "agreement",
        "collection": member.collection,
        "member": member,
        "filters": filters,
        "viewer": viewer,
        "rel": "all" if viewer.selection.rel is None else str(viewer.selection.rel),
        "round": request.GET.get("round") or "all",
        "version": request.GET.get("guidelines", ""),
        "query": viewer.filters,
        "thresholds": viewer.thresholds,
        "thresholds_changed": bool(changed_thresholds(viewer.thresholds)),
        "figure_files": _figure_files(viewer),
        "topic_set": describe_set(viewer.selection.topic_set, viewer.selection.topics),
        "assisted": _assisted(filters, viewer),
        "chosen_topics": request.GET.getlist("topic"),
        "may_open_documents": member.role in RESEARCHERS,
        "is_researcher": member.role in RESEARCHERS,
        "is_judged": is_frozen(member.collection),
    }


def _assisted(filters: Filters, viewer: Viewer) -> AssistedJudgements:
    """Count the assisted judgements. The filter has asked whether there are any; without them, nothing more is read."""
    if not filters.assisted:
        return AssistedJudgements(part=viewer.selection.assisted)
    return assisted_judgements(filters.collection, viewer.selection)


def judge_or_404(member: Member, pk: int) -> Member:
    return get_object_or_404(Member, pk=pk, collection=member.collection, role=Role.ASSESSOR)
