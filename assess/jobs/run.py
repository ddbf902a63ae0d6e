"""Runs one attempt of a job and records how it ended."""

import json
import logging
from dataclasses import asdict, is_dataclass
from datetime import timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, transaction
from django.utils import timezone

from assess.errors import Refused
from assess.jobs.heartbeat import Cancelled, Heartbeat, Superseded
from assess.jobs.kinds import KINDS
from assess.jobs.memory import release_memory
from assess.jobs.queue import enqueue, forget_input
from assess.lib import long_work
from assess.lib.long_work import TryLater
from assess.lib.outages import outage_reason
from assess.models import Job, JobState
from pooling.errors import FormatError

logger = logging.getLogger(__name__)

UNEXPECTED = "An error occurred, and nothing was changed. The log of the worker has the details."
DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))  # before a job is tried again
BUSY = "The database was busy or could not be written ({reason}), and nothing was changed. Try again."


def run(pk: int, attempt: int) -> None:
    """Run an attempt. Do nothing if the job was cancelled, or if somebody else has begun this attempt."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=pk, state=JobState.WAITING, attempt=attempt - 1)
    if not waiting.update(state=JobState.RUNNING, attempt=attempt, started_at=now, heartbeat_at=now):
        return
    job = Job.objects.select_related("collection").get(pk=pk)
    with Heartbeat(job) as heartbeat, long_work.watched_by(heartbeat):
        ending = _ending(job)
    if ending:
        finish(job, **ending)
    release_memory()


@transaction.atomic
def finish(job: Job, state: JobState, result: Any = None, error: str = "") -> None:
    """Record the end of the job's present attempt."""
    attempt = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=JobState.RUNNING)
    attempt.update(state=state, result=result, error=error, ended_at=timezone.now())
    forget_input(Job.objects.filter(pk=job.pk))


def end_unfinished(error: str) -> None:
    """Let all jobs that wait or run fail, unless they have saved. Their workers save nothing."""
    unfinished = Job.objects.filter(state__in=(JobState.WAITING, JobState.RUNNING))
    unfinished.filter(saved_at__isnull=False).update(state=JobState.DONE, ended_at=timezone.now())
    unfinished.update(state=JobState.FAILED, error=error, ended_at=timezone.now())
    forget_input(Job.objects.all())


@transaction.atomic
def _postpone(job: Job, error: str) -> None:
    """Let a worker run the job again later. The error stays visible until then."""
    attempt = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=JobState.RUNNING, cancel_requested=False)
    if attempt.update(state=JobState.WAITING, error=error):
        enqueue(job, DELAYS[job.attempt - 1])
    else:
        finish(job, JobState.CANCELLED)


def _ending(job: Job) -> dict[str, Any] | None:
    """Call the function of the job. Return how it ended, or None if this attempt no longer counts."""
    try:
        about = [job.collection] if job.collection else []
        result = _as_json(KINDS[job.kind].function()(*about, **job.input))
    except Cancelled:
        return {"state": JobState.CANCELLED}
    except Superseded:
        return None
    except TryLater as error:
        if job.attempt > len(DELAYS):
            return {"state": JobState.FAILED, "error": str(error)}
        _postpone(job, str(error))
        return None
    except Exception as error:
        if Job.objects.filter(pk=job.pk, saved_at__isnull=False).exists():
            logger.exception("The job %s saved everything, but has no result.", job)
            return {"state": JobState.DONE}
        return {"state": JobState.FAILED, "error": _sentence(error, job)}
    return {"state": JobState.DONE, "result": result}


def _as_json(result: Any) -> Any:
    """Return the result of a job as JSON values; times become texts."""
    values = asdict(result) if is_dataclass(result) and not isinstance(result, type) else result
    return json.loads(json.dumps(values, cls=DjangoJSONEncoder))


def _sentence(error: Exception, job: Job) -> str:
    if isinstance(error, Refused | FormatError):
        return str(error)
    if isinstance(error, DatabaseError) and (reason := outage_reason(error)):
        return BUSY.format(reason=reason)
    logger.error("The job %s failed.", job, exc_info=error)
    return UNEXPECTED
