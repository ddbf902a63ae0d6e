"""The page of a collection's runs: which of them repeat one system, for example with several seeds."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.collections.run_groups import group_runs
from assess.errors import Refused
from assess.models import Member, Run
from assess.web.figures.page import Asked, Page
from assess.web.figures.tables import Table
from assess.web.requests import RefusingForm, refusals_shown_by
from assess.web.undoable import earlier_value, undoable
from pooling.ids import MAX_ID_BYTES
from pooling.words import count


class GroupForm(RefusingForm):
    """The group of the checked runs."""

    name = forms.CharField(
        label="Group",
        required=False,
        max_length=MAX_ID_BYTES,
        help_text="The name of the system that the runs repeat. Empty: they belong to no group.",
    )


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    page = _page(member, GroupForm(request.POST, auto_id="group_%s")) | {"refusal": refusal}
    page["checked"] = set(request.POST.getlist("system"))
    return render(request, "research/runs/runs.html", page, status=400)


@require_safe
@member_view(RESEARCHERS)
def runs(request: HttpRequest, member: Member) -> HttpResponse:
    """All runs with their groups, and the form that changes groups."""
    return render(request, "research/runs/runs.html", _page(member, GroupForm(auto_id="group_%s")))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def change_group(request: HttpRequest, member: Member) -> HttpResponse:
    """Put the checked runs into a group, or into none."""
    name = GroupForm(request.POST).cleaned()["name"]
    systems = request.POST.getlist("system")
    before = {run.system: group for run, group in _rows(member) if run.system in systems}
    result = group_runs(member.collection, systems, name)
    verb = "belongs" if result.changed == 1 else "belong"
    same = f" {result.same:,} did already." if result.same else ""
    where = f"the group {name}" if name else "no group"
    text = f"{count(result.changed, 'run')} now {verb} to {where}.{same}"
    if earlier := earlier_value(before, name):
        address = reverse("research:group_runs", args=[member.collection.slug])
        undoable(request, text, address, [("name", earlier[0]), *(("system", each) for each in earlier[1])])
    else:
        messages.success(request, text)
    return redirect("research:runs", member.collection.slug)


def _rows(member: Member) -> Iterable[tuple[Run, str]]:
    """Yield each run with the name of its group."""
    prefetch_related_objects([member.collection], Prefetch("runs", Run.objects.select_related("grouped__group")))
    for run in member.collection.runs.all():
        grouped = getattr(run, "grouped", None)
        yield run, grouped.group.name if grouped else ""


def _table(asked: Asked) -> Table:
    """All runs with their groups."""
    import pandas as pd  # slow to import

    columns = ["system", "group", "lines", "topics", "score_precision", "is_baseline"]
    rows = [
        (run.system, group, run.line_count, run.topic_count, run.score_precision, run.is_baseline)
        for run, group in _rows(asked.member)
    ]
    return Table("runs", pd.DataFrame(rows, columns=columns))


RUNS = Page(tables={"runs": _table})


def _page(member: Member, form: GroupForm) -> dict[str, Any]:
    rows = list(_rows(member))
    return {
        "here": "runs",
        "collection": member.collection,
        "member": member,
        "form": form,
        "rows": rows,
        "groups": sorted({group for _, group in rows if group}),
        "checked": set(),
    }
