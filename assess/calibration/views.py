"""Calibration: documents with known grades, the practice of new assessors, and hidden checks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.calibration import practice
from assess.calibration.forms import KnownGradesForm, RulesForm
from assess.calibration.known_grades import add_known_grades, decided_rows, read_rows, remove_known_grade
from assess.errors import Refused
from assess.models import Collection, KnownGrade, Member
from assess.web.figures.page import Asked, MakeTable, Page
from assess.web.figures.shown import ShownTable, table_files
from assess.web.figures.tables import Column, Table
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.set_filter import SetFilter, set_filter
from assess.web.research.views import refused_page
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

FIGURES = (
    Column("percent_agreement", "P(A)"),
    Column("pooled_kappa", "pooled kappa"),
    Column("cohen_kappa", "unpooled (Cohen)"),
)
UNGRADED = "Documents that could not be judged are no hits, and count in no coefficient."


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    return _page(request, member, refusal)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def calibration(request: HttpRequest, member: Member) -> HttpResponse:
    """The known grades, the rules, and every assessor's practice and checks; with `?set=`, checks on this set."""
    return _page(request, member)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def change(request: SignedInRequest, member: Member) -> HttpResponse:
    """Change the rules of practice and checks."""
    from assess.calibration.overview import change_calibration

    change_calibration(member.collection, request.user, **RulesForm(member.collection, request.POST).cleaned())
    messages.success(request, "The rules are saved.")
    return redirect("research:calibration", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def add(request: SignedInRequest, member: Member) -> HttpResponse:
    """Add known grades: pasted or uploaded CSV, or all decided documents."""
    values = KnownGradesForm(request.POST, request.FILES).cleaned()
    rows = decided_rows(member.collection) if values["decided"] else read_rows(values["content"])
    added = add_known_grades(member.collection, rows, values["use"], request.user)
    messages.success(request, f"{count(added, 'known grade')} added.")
    return redirect("research:calibration", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def remove(request: SignedInRequest, member: Member, known: int) -> HttpResponse:
    """Remove a known grade that nobody has judged."""
    get_object_or_404(KnownGrade, pk=known, task__topic__collection=member.collection)
    remove_known_grade(member.collection, known, request.user)
    messages.success(request, "The known grade is removed.")
    return redirect("research:calibration", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def admit(request: SignedInRequest, member: Member) -> HttpResponse:
    """Admit an assessor whatever the result of their practice is."""
    name = request.POST.get("name", "")
    practice.admit(member.collection, name, request.user)
    messages.success(request, f"{name} may judge now.")
    return redirect("research:calibration", member.collection.slug)


def _page(request: HttpRequest, member: Member, refusal: Refused | str = "") -> HttpResponse:
    from assess.calibration.overview import below_threshold, known_documents, waiting

    collection = member.collection
    known = known_documents(collection)
    posted = request.POST if request.method == "POST" else None
    chosen = set_filter(request, collection)
    page = {
        "here": "work",
        "collection": collection,
        "member": member,
        "refusal": refusal,
        "known": known,
        "uses": [(use, [each for each in known if each.use == use]) for use in ("practice", "check")],
        "below": below_threshold(collection),
        "waiting": waiting(collection),
        "decided": len(decided_rows(collection)),
        "rules": RulesForm(collection, posted if posted and "practice" in posted else None),
        "form": KnownGradesForm(posted if posted and "use" in posted else None),
        **chosen.context(),
        "tables": {
            name: _shown(make(collection, chosen.query_ids), collection, chosen) for name, make in TABLES.items()
        },
    }
    return render(request, "research/work/calibration.html", page, status=400 if refusal else 200)


def _shown(table: Table, collection: Collection, chosen: SetFilter) -> ShownTable:
    """Return a table with the addresses of its files; none without rows."""
    query = urlencode({"set": chosen.chosen_set}) if chosen.topic_set else ""
    files = table_files("calibration_file", collection.slug, table.name, query=query)
    return ShownTable(table, files if table.n_rows else [])


def _practice_table(collection: Collection, _query_ids: Sequence[str]) -> Table:
    """Practice decides whom to admit, so it always covers all topics."""
    from assess.calibration.overview import people_frame

    columns = (
        Column("judge", "assessor", "text"),
        Column("state", "state", "text"),
        Column("documents", "documents", "count"),
        Column("done", "judged", "count"),
        Column("hits", "hits", "count"),
        *FIGURES,
    )
    return Table("practice", people_frame(collection), columns, f"Hits have the known grade. {UNGRADED}")


def _checks_table(collection: Collection, query_ids: Sequence[str]) -> Table:
    from assess.calibration.overview import checks_table

    columns = (
        Column("judge", "assessor", "text"),
        Column("done", "checks judged", "count"),
        Column("hits", "hits", "count"),
        *FIGURES,
    )
    return Table(
        "checks", checks_table(collection, query_ids), columns, f"Hidden checks with the known grades. {UNGRADED}"
    )


def _time_table(collection: Collection, query_ids: Sequence[str]) -> Table:
    columns = (
        Column("judge", "assessor", "text"),
        Column("window", "window", "count"),
        Column("first_at", "from", "text"),
        Column("last_at", "to", "text"),
        Column("n", "checks", "count"),
        Column("hits", "hits", "count"),
        Column("accuracy", "accuracy"),
        Column("accuracy", "accuracy, drawn", "range"),
    )
    caption = (
        "The accuracy of each assessor over time, in windows of ten checks in the order of judging. Times are UTC."
    )
    return Table("time", _time_frame(collection, query_ids), columns, caption)


def _time_frame(collection: Collection, query_ids: Sequence[str]) -> "pd.DataFrame":
    from assess.calibration.overview import accuracy_over_time, known_and_given
    from assess.models import JudgementKind

    frame = accuracy_over_time(known_and_given(collection, JudgementKind.CHECK, query_ids))
    times = {name: frame[name].map(lambda moment: f"{moment:%Y-%m-%d %H:%M}") for name in ("first_at", "last_at")}
    return frame.assign(**times, accuracy_reason=None)


TABLES = {"practice": _practice_table, "checks": _checks_table, "time": _time_table}


def _download(make: Callable[[Collection, Sequence[str]], Table]) -> MakeTable:
    def of_set(asked: Asked) -> Table:
        """The table; with `?set=`, of checks on topics of a set."""
        collection = asked.member.collection
        return make(collection, set_filter(asked.request, collection).query_ids)

    return of_set


CALIBRATION = Page(file="calibration-{name}", tables={name: _download(make) for name, make in TABLES.items()})
