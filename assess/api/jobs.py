"""Background jobs: their progress and result, and cancelling them."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status

from assess.access import RESEARCHERS
from assess.api.members import Paging, member_of, page_of
from assess.jobs import queue
from assess.models import Job, Scope

router = Router(tags=["jobs"])


class JobOut(Schema):
    """A job. `result` is what it says when it is done, `error` why it failed."""

    id: UUID
    kind: str
    state: str
    stage: str
    done: int
    total: int | None
    result: Any
    error: str


class JobPage(Schema):
    """A page of jobs."""

    results: list[JobOut]
    next: int | None


@router.get("/collections/{slug}/jobs", response=JobPage)
def jobs(request: HttpRequest, slug: str, paging: Query[Paging]) -> dict[str, Any]:
    """The jobs of a collection, the oldest first."""
    member = member_of(request, slug, RESEARCHERS)
    return page_of(Job.objects.filter(collection=member.collection_id), paging, shown_job)


@router.get("/collections/{slug}/jobs/{job_id}", response=JobOut)
def job(request: HttpRequest, slug: str, job_id: UUID) -> dict[str, Any]:
    """One job."""
    return shown_job(_job(request, slug, job_id, Scope.READ))


@router.delete("/collections/{slug}/jobs/{job_id}", response={202: JobOut})
def cancel(request: HttpRequest, slug: str, job_id: UUID) -> Status[dict[str, Any]]:
    """Cancel a job. A running one stops at its next report, unless it is saving already."""
    found = _job(request, slug, job_id, Scope.MANAGE)
    queue.cancel(found)
    found.refresh_from_db()
    return Status(202, shown_job(found))


def _job(request: HttpRequest, slug: str, job_id: UUID, scope: Scope) -> Job:
    member = member_of(request, slug, RESEARCHERS, scope)
    return get_object_or_404(Job, public_id=job_id, collection=member.collection_id)


def shown_job(job: Job) -> dict[str, Any]:
    """A job as the API shows it."""
    return {
        "id": job.public_id,
        "kind": job.kind,
        "state": job.state,
        "stage": job.stage,
        "done": job.progress_done,
        "total": job.progress_total,
        "result": job.result,
        "error": job.error,
    }
