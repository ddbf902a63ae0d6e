"""Pages with a part that a job computes: they show its progress, and ask for themselves again until it is there."""

from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from assess.access import RESEARCHERS
from assess.jobs import workers
from assess.jobs.kinds import KINDS
from assess.models import Job, Member

Response = TypeVar("Response", bound=HttpResponseBase)
WAITING = ("job", "preview")  # ids of the elements that ask for themselves


def progress_of(job: Job, member: Member) -> dict[str, Any]:
    """Return what a template needs to show the progress of a job."""
    return {
        "job": job,
        "label": KINDS[job.kind].label,
        "has_worker": workers.is_running(),
        "can_cancel": member.role in RESEARCHERS,
    }


def render_waiting(request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
    """Render a page with the progress of its `job`, or without one when nothing is missing."""
    if "job" in page:
        return render(request, template, page, status=202)
    return reload_if_waiting(request, render(request, template, page))


def reload_if_waiting(request: HttpRequest, response: Response) -> Response:
    """Let a page that waited for the job load itself again. Other requests of htmx replace a part of their page."""
    if request.headers.get("HX-Target") in WAITING:
        response["HX-Refresh"] = "true"
    return response
