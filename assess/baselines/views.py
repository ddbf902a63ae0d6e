"""The page of baseline runs, and the job that makes them."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from assess.access import RESEARCHERS, member_view
from assess.baselines.options import DEFAULT_DEPTH, FIELDS, MAX_DEPTH, SYSTEMS, check_options
from assess.errors import Refused
from assess.jobs import queue
from assess.models import Member
from assess.web.requests import RefusingForm, SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel


class BaselinesForm(RefusingForm):
    """Which baselines to make."""

    systems = forms.MultipleChoiceField(
        label="Systems", choices=list(SYSTEMS.items()), widget=forms.CheckboxSelectMultiple, initial=list(SYSTEMS)
    )
    fields_of_query = forms.ChoiceField(label="Query", choices=list(FIELDS.items()))
    depth = forms.IntegerField(
        label="Documents for each topic", min_value=1, max_value=MAX_DEPTH, initial=DEFAULT_DEPTH
    )


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def baselines(request: SignedInRequest, member: Member) -> HttpResponse:
    """Show the baseline runs. A POST starts a job that makes them."""
    if request.method != "POST":
        return _page(request, member)
    values = BaselinesForm(request.POST).cleaned()
    arguments = {"systems": values["systems"], "fields": values["fields_of_query"], "depth": values["depth"]}
    check_options(**arguments)
    queue.start("make_baselines", member.collection, request.user, arguments)
    return to_panel("baselines", member)


def _page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    form = BaselinesForm(request.POST if request.method == "POST" else None)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "runs",
        **job_panel(member, "make_baselines"),
        "form": form,
        "runs": member.collection.runs.filter(is_baseline=True),
        "topics": member.collection.topics.count(),
        "documents": member.collection.documents.filter(content__isnull=False).count(),
        "refusal": refusal,
    }
    return render(request, "research/baselines/baselines.html", page, status=400 if refusal else 200)
