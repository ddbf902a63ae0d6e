"""The jobs of a page, shown in place: their progress while they run, and their results for some minutes."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.jobs import workers
from assess.jobs.queue import UNFINISHED
from assess.models import Member
from assess.web.research.job_views import job_of, shown_job

RECENT = timedelta(minutes=5)
MOST = 4


def job_panel(member: Member, *kinds: str, of: Q | None = None) -> dict[str, Any]:
    """Return the unfinished and the recent jobs of these kinds, for `research/_job_panel.html`.

    `of` is a condition on the jobs, such as on their input.
    """
    recent = Q(state__in=UNFINISHED) | Q(ended_at__gt=timezone.now() - RECENT)
    found = member.collection.jobs.filter(recent, of or Q(), kind__in=kinds)
    jobs = list(found.select_related("user")[:MOST])
    if not jobs:
        return {}
    has_worker = all(job.ended_at for job in jobs) or workers.is_running()
    return {"panel": [shown_job(job, member) for job in jobs], "has_worker": has_worker}


def to_panel(page: str, member: Member, *keys: int) -> HttpResponseRedirect:
    """Redirect to the page that shows the job that was started."""
    response: HttpResponseRedirect = redirect(f"research:{page}", member.collection.slug, *keys)
    response["Location"] += "#jobs-here"
    return response


@require_safe
@member_view(RESEARCHERS)
def part(request: HttpRequest, member: Member, job_id: UUID) -> HttpResponse:
    """The progress of one job. When it has ended, the page around it loads again, because its figures have changed."""
    job = job_of(member, job_id)
    page = {"collection": member.collection, "shown": shown_job(job, member), "has_worker": workers.is_running()}
    response = render(request, "research/_job_part.html", page)
    if job.ended_at:
        response["HX-Refresh"] = "true"
    return response
