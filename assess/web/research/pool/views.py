"""The researcher's page on the pool: choose a strategy, see what it costs, build, top up and undo.

`assess.pools.building.preview` loads pandas, so it is imported inside the view.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.jobs.pending import Pending
from assess.lib.forms import RefusingForm
from assess.models import Member, PoolBuilding, User
from assess.pools.building import strategies
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.pools.building.undo import is_long, undo_pool, undone_sentence
from assess.web.figures.shown import ShownFigure, figure_files, shown_figure
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel
from assess.web.research.pool.figures import draw_overlap, draw_sizes
from assess.web.research.pool.forms import TARGET, PoolForm
from assess.web.research.waiting import progress_of, render_waiting

if TYPE_CHECKING:
    from assess.pools.building.preview import PoolPreview

MOST_KEY = 2**63 - 1
DEPTH_STEP = 10  # the table of depths has every depth below, and multiples of it


class UndoForm(RefusingForm):
    """The pool building that the page showed as the last one."""

    building = forms.IntegerField(min_value=1, max_value=MOST_KEY)


def show_refusal(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    data = request.POST or request.GET
    page = _page(member)
    if "strategy" in data:
        page["form"] = _form(page["last"], data)
    return render(request, "research/pool/pool.html", page | {"refusal": refusal}, status=400)


def form_of_preview(request: HttpRequest) -> PoolForm:
    """Return the form that the query of a preview fills in."""
    return _form(None, request.GET)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def pool(request: SignedInRequest, member: Member) -> HttpResponse:
    """The form, and the preview that `?preview=` asks for. While a job computes it, the page shows its progress.

    `?strategy=` alone selects the fields. Without a query, the page previews a top-up if runs have arrived since the
    last pool was built.
    """
    page = _page(member, request.GET.get("strategy"))
    is_top_up = bool(page["new_runs"]) and not request.GET
    if is_top_up or "preview" in request.GET:
        form = _form(page["last"], _form_data(page["last"]) if is_top_up else request.GET)
        page |= _preview(member, request.user, form) | {"form": form, "is_top_up": is_top_up}
        page["csv_query"] = urlencode(_form_data(page["last"])) if is_top_up else request.GET.urlencode()
        if "preview" in page and page["preview"].by_depth:
            page["figure"] = _figure(member, page["preview"], page["csv_query"])
        if "preview" in page and len(page["preview"].overlap) > 1:
            page["overlap_figure"] = _overlap_figure(member, page["preview"], page["csv_query"])
    return render_waiting(request, "research/pool/pool.html", page)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def build(request: SignedInRequest, member: Member) -> HttpResponse:
    """Build the pool in the background."""
    arguments = _form(None, request.POST).arguments()
    queue.start("build_pool", member.collection, request.user, arguments)
    return to_panel("pool", member)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def undo(request: SignedInRequest, member: Member) -> HttpResponse:
    """Undo the last pool building, if it is still the one that the page showed."""
    building = UndoForm(request.POST).cleaned()["building"]
    if is_long(member.collection):
        arguments = {"building": building, "actor": request.user.pk}
        queue.start("undo_pool", member.collection, request.user, arguments)
        return to_panel("pool", member)
    messages.success(request, undone_sentence(undo_pool(member.collection, request.user, building)))
    return redirect("research:pool", member.collection.slug)


def _page(member: Member, strategy: str | None = None) -> dict[str, Any]:
    """Return what every state of the page shows."""
    collection = member.collection
    buildings = list(collection.pool_buildings.order_by("-pk"))
    last = buildings[0] if buildings else None
    runs = dict(collection.runs.values_list("system", "file_checksum"))
    return {
        "here": "pool",
        **job_panel(member, "build_pool", "undo_pool"),
        "collection": collection,
        "member": member,
        "topics": collection.topics.count(),
        "runs": len(runs),
        "can_pool": bool(runs) or collection.documents.filter(content__isnull=False).exists(),
        "buildings": [(each, strategies.describe(each.strategy, each.parameters)) for each in buildings],
        "last": last,
        "new_runs": _new_runs(last, runs),
        "form": _form(last, strategy=strategy or (None if runs else EVERY_DOCUMENT)),
    }


def _new_runs(last: PoolBuilding | None, runs: Mapping[str, str]) -> list[str]:
    """Return the systems whose runs the last pool does not know, if its strategy can be used again on them."""
    if last is None or last.strategy == EVERY_DOCUMENT or last.strategy not in strategies.names():
        return []
    return sorted(system for system, checksum in runs.items() if last.run_checksums.get(system) != checksum)


def _form(last: PoolBuilding | None, data: Mapping[str, Any] | None = None, strategy: str | None = None) -> PoolForm:
    """Return the form of a strategy: filled in with `data`, or with the parameters of the last pool or the defaults."""
    chosen = strategy or (data or {}).get("strategy") or (last and data is None and last.strategy)
    stored = last.parameters if last and last.strategy == chosen else None
    return PoolForm(chosen or strategies.DEFAULT_STRATEGY, data, stored)


def _form_data(building: PoolBuilding | None) -> dict[str, Any]:
    """Return the strategy and parameters of a pool building as the form sends them."""
    return _as_fields(building.strategy, building.parameters) if building else {}


def _as_fields(strategy: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    known = {*strategies.parameters_of(strategy), TARGET}
    fields = {name: f"{value}" for name, value in parameters.items() if name in known}
    if "strata" in fields:
        fields["strata"] = strategies.format_strata(parameters["strata"])
    return {"strategy": strategy, **fields}


def _preview(member: Member, user: User, form: PoolForm) -> dict[str, Any]:
    """Return the preview, or the job that computes it."""
    from assess.pools.building.preview import preview_or_pending  # loads pandas

    try:
        preview, computed_at = preview_or_pending(member.collection, user, form.arguments())
    except Pending as pending:
        return progress_of(pending.job, member)
    return _shown(preview, form) | {"computed_at": computed_at}


def _shown(preview: "PoolPreview", form: PoolForm) -> dict[str, Any]:
    """Return the preview with its cost, and the fields that build this pool."""
    return {
        "preview": preview,
        "cost": _cost(preview, **form.pace()),
        "by_depth": [row for row in preview.by_depth if row.depth < DEPTH_STEP or row.depth % DEPTH_STEP == 0],
        "build_fields": _as_fields(preview.strategy, preview.parameters),
        "target": form.cleaned_data.get(TARGET),
        "fitted": _fitted(form, preview),
    }


def _figure(member: Member, preview: "PoolPreview", query: str) -> ShownFigure:
    """Return the figure of sizes by depth."""
    label = "Documents per topic by depth of the pool. The table below has the same numbers."
    inputs = (preview.by_depth, preview.parameters.get("depth"), preview.mean)
    files = figure_files("pool_depths_figure", member.collection.slug, query=query)
    return shown_figure("depths", label, lambda: draw_sizes(preview, "svg"), *inputs, files=files)


def _overlap_figure(member: Member, preview: "PoolPreview", query: str) -> ShownFigure:
    """Return the figure of the documents that the runs share."""
    label = "The share of the pooled documents of each run that each other run has."
    inputs = ([row.system for row in preview.systems], preview.overlap, preview.description)
    files = figure_files("pool_overlap_figure", member.collection.slug, query=query)
    return shown_figure("overlap", label, lambda: draw_overlap(preview, "svg"), *inputs, files=files)


def _cost(preview: "PoolPreview", seconds: int, judges: int) -> dict[str, Any]:
    """Return the judgements and hours that the documents without a judgement take."""
    from pooling import plan_hours

    plan = plan_hours(preview.unjudged, judges, seconds_per_judgement=seconds)
    return {"judgements": plan.judgements, "hours": plan.hours, "seconds": seconds, "judges": judges}


def _fitted(form: PoolForm, preview: "PoolPreview") -> str:
    """Describe the parameter that a target of documents per topic led to; empty without a target."""
    if form.growing is None or form.cleaned_data.get(TARGET) is None:
        return ""
    return f"{form.parameters[form.growing].label}: {preview.parameters[form.growing]:,}"
