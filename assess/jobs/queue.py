"""Puts jobs into the queue, and cancels them."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from assess.errors import Refused
from assess.jobs.kinds import KINDS
from assess.models import Collection, Job, JobState, User

UNFINISHED = (JobState.WAITING, JobState.RUNNING)


class AlreadyRunning(Refused):
    """The collection has a job of this kind already."""


@transaction.atomic
def start(kind: str, collection: Collection, user: User | None, arguments: Mapping[str, Any]) -> Job:
    """Create a job and put it into the queue. A collection has few unfinished jobs of each kind."""
    Collection.objects.select_for_update().get(pk=collection.pk)  # of two starts, the second waits
    if Job.objects.filter(collection=collection, kind=kind, state__in=UNFINISHED).count() >= KINDS[kind].at_once:
        raise AlreadyRunning(f"“{KINDS[kind].label}” is waiting or running already. Wait for it, or cancel it.")
    job = Job.objects.create(kind=kind, collection=collection, user=user, input=dict(arguments))
    enqueue(job)
    return job


@transaction.atomic
def start_without_collection(kind: str, user: User, arguments: Mapping[str, Any]) -> Job:
    """Create a job that no collection contains. There is at most one unfinished job with this input."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of two starts, the second waits
    same = Job.objects.filter(collection=None, kind=kind, input=dict(arguments), state__in=UNFINISHED)
    if same.exists():
        raise AlreadyRunning(f"“{KINDS[kind].label}” is waiting or running already. Wait for it, or cancel it.")
    job = Job.objects.create(kind=kind, user=user, input=dict(arguments))
    enqueue(job)
    return job


def enqueue(job: Job) -> None:
    """Let a worker run the next attempt. Call it in the transaction that creates or changes the job."""
    from assess.jobs.tasks import run_job

    job.task_id = run_job.enqueue(job.pk, job.attempt + 1).id
    job.heartbeat_at = timezone.now()
    job.save(update_fields=["task_id", "heartbeat_at"])


@transaction.atomic
def cancel(job: Job) -> None:
    """Cancel a waiting job at once. A running one stops at its next report, unless it is saving already."""
    jobs = Job.objects.filter(pk=job.pk)
    jobs.filter(state=JobState.WAITING).update(state=JobState.CANCELLED, ended_at=timezone.now())
    jobs.filter(state=JobState.RUNNING, saved_at=None).update(cancel_requested=True)
