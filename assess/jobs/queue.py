"""Puts jobs into the queue, and cancels them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from assess.errors import Refused
from assess.jobs.kinds import KINDS
from assess.models import Collection, Job, JobState, User

RUN_JOB = "assess.jobs.tasks.run_job"  # imported when it is needed, because running a job may enqueue it again
UNFINISHED = (JobState.WAITING, JobState.RUNNING)


class AlreadyRunning(Refused):
    """The collection has a job of this kind already."""


@transaction.atomic
def start(kind: str, collection: Collection | None, user: User | None, arguments: Mapping[str, Any]) -> Job:
    """Create a job and put it into the queue. A collection has few unfinished jobs of each kind.

    Jobs without a collection, such as emails, are not limited.
    """
    if collection:
        _refuse_too_many(kind, collection)
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
    return start(kind, None, user, arguments)


def _refuse_too_many(kind: str, collection: Collection) -> None:
    Collection.objects.select_for_update().get(pk=collection.pk)  # of two starts, the second waits
    if Job.objects.filter(collection=collection, kind=kind, state__in=UNFINISHED).count() >= KINDS[kind].at_once:
        raise AlreadyRunning(f"“{KINDS[kind].label}” is waiting or running already. Wait for it, or cancel it.")


def enqueue(job: Job, delay: timedelta | None = None) -> None:
    """Let a worker run the next attempt, now or later. Call it in the transaction that creates or changes the job."""
    run_job = import_string(RUN_JOB)
    task = run_job.using(run_after=timezone.now() + delay) if delay else run_job
    job.task_id = task.enqueue(job.pk, job.attempt + 1).id
    job.heartbeat_at = timezone.now()
    job.save(update_fields=["task_id", "heartbeat_at"])


@transaction.atomic
def cancel(job: Job) -> None:
    """Cancel a waiting job at once. A running one stops at its next report, unless it is saving already."""
    jobs = Job.objects.filter(pk=job.pk)
    # Conditions instead of saved rows, and in this order: the second finds a job that a worker begins in between.
    jobs.filter(state=JobState.WAITING).update(state=JobState.CANCELLED, ended_at=timezone.now())
    jobs.filter(state=JobState.RUNNING, saved_at=None).update(cancel_requested=True)
    forget_input(jobs)


def forget_input(jobs: QuerySet[Job]) -> None:
    """Delete the input of those jobs that have ended and whose input is confidential."""
    confidential = [name for name, kind in KINDS.items() if kind.is_confidential]
    jobs.filter(kind__in=confidential, ended_at__isnull=False).update(input={})
