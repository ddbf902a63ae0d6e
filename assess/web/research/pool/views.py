"""The researcher's page on the pool: choose a strategy, see what it costs, build, top up and undo.

`assess.pools.building.preview` loads pandas, so it is imported inside the view.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.jobs import queue
from assess.jobs.pending import Pending
from assess.living.new_runs import new_runs
from assess.models import Collection, Member, PoolBuilding, User
from assess.pools.building import strategies
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.pools.building.kinds import is_quick
from assess.pools.building.undo import is_long, undo_pool, undone_sentence
from assess.pools.tasks import pooled_tasks
from assess.transfer.pool_export import FORMS
from assess.web.figures.shown import Download, ShownFigure, figure_files, shown_figure
from assess.web.requests import RefusingForm, SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel
from assess.web.research.pool.figures import draw_overlap, draw_sizes
from assess.web.research.pool.forms import TARGET, PoolForm, chosen_form
from assess.web.research.waiting import progress_of, render_waiting

if TYPE_CHECKING:
    from assess.pools.building.preview import PoolPreview, SystemShare

MOST_KEY = 2**63 - 1
MOST_BARS = 12  # runs in the chart beside the form; the table below has all
DEPTH_STEP = 10  # the table of depths has every depth below, and multiples of it


class UndoForm(RefusingForm):
    """The pool building that the page showed as the last one."""

    building = forms.IntegerField(min_value=1, max_value=MOST_KEY)


def show_refusal(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    data = request.POST or request.GET
    page = _page(member)
    page["form"] = _form(page, data if "strategy" in data else {})
    return render(request, "research/pool/pool.html", page | {"refusal": refusal}, status=400)


def form_of_preview(request: HttpRequest) -> PoolForm:
    """Return the form that the query of a preview fills in."""
    return PoolForm(request.GET.get("strategy", ""), request.GET)


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def pool(request: SignedInRequest, member: Member) -> HttpResponse:
    """The form with a preview beside it, and the strategies that `?compare=` names.

    `?strategy=` or `?kind=` alone fill in the other fields. Without a query, the page shows the last strategy, which is
    a top-up if runs have arrived since. A preview that takes long is computed by a job, but only if `?preview=` asks
    for it or for a top-up: the page shows its progress meanwhile.
    """
    page = _page(member)
    form = page["form"] = _form(page, request.GET)
    page["is_top_up"] = bool(page["new_runs"]) and not request.GET
    page["is_live"] = page["can_pool"] and is_quick(member.collection, form.chosen)
    if page["is_top_up"] or "preview" in request.GET:
        page |= _preview(member, request.user, form)
    elif page["is_live"] and page["topics"] and not member.collection.archived_at:
        page |= _preview_if_possible(member, request.user, form)
    if chosen := request.GET.getlist("compare"):
        page |= _comparison(member, request.user, form, chosen)
    return render_waiting(request, "research/pool/pool.html", page)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def build(request: SignedInRequest, member: Member) -> HttpResponse:
    """Build the pool in the background."""
    arguments = PoolForm(request.POST.get("strategy", ""), request.POST).arguments()
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


def _page(member: Member) -> dict[str, Any]:
    """Return what every state of the page shows."""
    from assess.pools.adaptive_order import summaries  # loads pandas

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
        "new_runs": _new_runs(last, collection),
        "adaptive": summaries(),
        "pair_files": _pair_files(collection),
    }


def _pair_files(collection: Collection) -> Download | None:
    """Return the addresses of the files for the menu of the page; None without a pool."""
    if not pooled_tasks(collection).exists():
        return None
    address = reverse("research:pool_pairs", args=[collection.slug])
    return Download([(form.label, f"{address}?{urlencode({'format': name})}") for name, form in FORMS.items()])


def _new_runs(last: PoolBuilding | None, collection: Collection) -> list[str]:
    """Return the systems whose runs no pool knows, if the strategy of the last one can be used again on them."""
    if last is None or last.strategy == EVERY_DOCUMENT or last.strategy not in strategies.names():
        return []
    return sorted(run.system for run in new_runs(collection))


def _form(page: Mapping[str, Any], data: Mapping[str, Any]) -> PoolForm:
    """Return the form that the page sent. What it does not say comes from the last pool or the defaults."""
    last: PoolBuilding | None = page["last"]
    default = last.strategy if last else strategies.DEFAULT_STRATEGY if page["runs"] else EVERY_DOCUMENT
    form = chosen_form(data, default=default)
    if last and form.is_filled and last.strategy == form.chosen:
        return chosen_form(data, last.parameters, default)
    return form


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
    shown = _shown(preview, form) | {"computed_at": computed_at}
    if preview.by_depth:
        shown["figure"] = _figure(member, preview, shown["csv_query"])
    if len(preview.overlap) > 1:
        shown["overlap_figure"] = _overlap_figure(member, preview, shown["csv_query"])
    return shown


def _preview_if_possible(member: Member, user: User, form: PoolForm) -> dict[str, Any]:
    """Return the preview of what nobody asked for yet, or the reason why there is none."""
    try:
        return _preview(member, user, form)
    except Refused as refusal:
        return {"no_preview": refusal}


def _comparison(member: Member, user: User, form: PoolForm, chosen: Sequence[str]) -> dict[str, Any]:
    """Return a row for each chosen strategy, or the job that computes one of them."""
    from assess.pools.building.preview import compare  # loads pandas

    try:
        previews = compare(member.collection, user, [form.of_other(name).arguments() for name in chosen])
    except Pending as pending:
        return progress_of(pending.job, member)
    rows = [(preview, _cost(preview, **form.pace())) for preview in previews]
    return {"compared": list(chosen), "comparison": rows}


def _shown(preview: "PoolPreview", form: PoolForm) -> dict[str, Any]:
    """Return the preview with its cost, and the fields that build this pool."""
    return {
        "preview": preview,
        "cost": _cost(preview, **form.pace()),
        "by_depth": [row for row in preview.by_depth if row.depth < DEPTH_STEP or row.depth % DEPTH_STEP == 0],
        "build_fields": _as_fields(preview.strategy, preview.parameters),
        "csv_query": urlencode(form.submitted()),
        "target": form.cleaned_data.get(TARGET),
        "fitted": _fitted(form, preview),
        "bars": _bars(preview),
    }


def _bars(preview: "PoolPreview") -> list[tuple["SystemShare", float, float]]:
    """Return the runs, each with the documents that it shares and those that only it has, in percent of the most."""
    most = max((row.contributed for row in preview.systems), default=0) or 1
    return [
        (row, 100 * (row.contributed - row.unique) / most, 100 * row.unique / most)
        for row in sorted(preview.systems, key=lambda row: -row.contributed)[:MOST_BARS]
    ]


def _figure(member: Member, preview: "PoolPreview", query: str) -> ShownFigure:
    """Return the figure of sizes by depth."""
    label = "Documents per topic by depth of the pool. The table below has the same numbers."
    inputs = (preview.by_depth, preview.parameters.get("depth"), preview.mean)
    files = figure_files("pool_depths_figure", member.collection.slug, query=query)
    return shown_figure(
        "depths", label, lambda _: draw_sizes(preview, "svg"), *inputs, files=files, is_phone_drawn=False
    )


def _overlap_figure(member: Member, preview: "PoolPreview", query: str) -> ShownFigure:
    """Return the figure of the documents that the runs share."""
    label = "The share of the pooled documents of each run that each other run has."
    inputs = ([row.system for row in preview.systems], preview.overlap, preview.description)
    files = figure_files("pool_overlap_figure", member.collection.slug, query=query)
    return shown_figure("overlap", label, lambda width: draw_overlap(preview, "svg", width=width), *inputs, files=files)


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
