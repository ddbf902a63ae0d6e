"""Runs one attempt of a job and records how it ended.

A thread watches the running job: it writes its progress and heartbeat, and reads whether it is cancelled.
"""

import ctypes
import json
import logging
import sys
import threading
from dataclasses import asdict, is_dataclass
from datetime import timedelta
from typing import Any, Self

from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from assess.errors import Refused
from assess.jobs.kinds import KINDS
from assess.jobs.queue import enqueue, forget_input
from assess.lib import long_work
from assess.lib.log_id import logged_as
from assess.lib.long_work import TryLater
from assess.lib.outages import outage_reason
from assess.models import Job, JobState
from pooling.errors import FormatError


def release_memory() -> None:
    """Return what the allocators keep for later. Without this, a worker keeps the memory of its largest job."""
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim:  # glibc only
        trim(0)


logger = logging.getLogger(__name__)

INTERVAL = 2  # seconds


class Cancelled(Exception):  # noqa: N818 - not an error
    """Somebody cancelled the job. Nothing was saved."""


class Superseded(Exception):  # noqa: N818 - not an error
    """The job was taken for dead, and another worker runs it. Nothing was saved."""


class Heartbeat:
    """The watcher of a job. The thread works apart from the job, so that long calculations do not look like a death."""

    def __init__(self, job: Job, interval: float = INTERVAL) -> None:
        self._job, self._interval = job, interval
        self._progress: tuple[str, int, int | None] = ("", 0, None)
        self._stop_reason: type[Cancelled | Superseded] | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat of {job}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def report(self, stage: str, done: int, total: int | None) -> None:
        self._progress = stage, done, total
        # Raised here, in the thread of the job: its exception rolls back the transaction of the work.
        if self._stop_reason:
            raise self._stop_reason

    def save(self) -> None:
        """Mark the job as saved in the transaction of the work. Raise an exception if it may not save."""
        # One statement tests and marks, as in `queue.cancel`: of saving and cancelling, only one succeeds.
        if not self._mine().filter(cancel_requested=False).update(saved_at=timezone.now()):
            raise Cancelled if self._mine().exists() else Superseded

    def _mine(self) -> QuerySet[Job]:
        """The job, unless another worker has begun it again."""
        return Job.objects.filter(pk=self._job.pk, attempt=self._job.attempt, state=JobState.RUNNING)

    def _beat(self) -> None:
        try:
            while not self._ended.wait(self._interval):
                self._write()
        finally:
            # Connections belong to threads, and nobody else closes that of this one.
            connection.close()

    def _write(self) -> None:
        stage, done, total = self._progress
        values = {"stage": stage, "progress_done": done, "progress_total": total}
        try:
            if not self._mine().update(heartbeat_at=timezone.now(), **values):
                self._stop_reason = Superseded
            elif self._mine().filter(cancel_requested=True, saved_at=None).exists():
                self._stop_reason = Cancelled
        except (DatabaseError, InterfaceError):  # locked or unreachable: the next beat may succeed
            logger.warning("The heartbeat of %s could not be written.", self._job, exc_info=True)
            connection.close()


UNEXPECTED = "An error occurred, and nothing was changed. The log of the worker has the details, as {log_id}."
INCOMPLETE = (
    "An error occurred after a part was changed. Start it again; the log of the worker has the details, as {log_id}."
)
DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))  # before a job is tried again
BUSY = "The database was busy or could not be written ({reason}), and nothing was changed. Try again."


def run(pk: int, attempt: int) -> None:
    """Run an attempt. Do nothing if the job was cancelled, or if somebody else has begun this attempt."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=pk, state=JobState.WAITING, attempt=attempt - 1)
    # One statement tests and changes the state: of two workers, one begins the attempt.
    if not waiting.update(state=JobState.RUNNING, attempt=attempt, started_at=now, heartbeat_at=now):
        return
    job = Job.objects.select_related("collection").get(pk=pk)
    with logged_as(log_id_of(job)), Heartbeat(job) as heartbeat, long_work.watched_by(heartbeat):
        ending = _ending(job)
    if ending:
        finish(job, **ending)
    release_memory()


def log_id_of(job: Job) -> str:
    """Return the id that the messages of a job have in the log."""
    return f"job-{job.pk}"


@transaction.atomic
def finish(job: Job, state: JobState, result: Any = None, error: str = "") -> None:
    """Record the end of the job's present attempt."""
    attempt = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=JobState.RUNNING)
    attempt.update(state=state, result=result, error=error, ended_at=timezone.now())
    forget_input(Job.objects.filter(pk=job.pk))


def end_unfinished(error: str) -> None:
    """Let all jobs that wait or run fail, unless they have saved. Their workers save nothing."""
    unfinished = Job.objects.filter(state__in=(JobState.WAITING, JobState.RUNNING))
    # First those that have saved, because the next statement lets all others fail.
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
        is_saved = Job.objects.filter(pk=job.pk, saved_at__isnull=False).exists()
        if is_saved and KINDS[job.kind].is_resumed:
            logger.exception("The job %s is not complete.", job)
            return {"state": JobState.FAILED, "error": INCOMPLETE.format(log_id=log_id_of(job))}
        if is_saved:
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
    return UNEXPECTED.format(log_id=log_id_of(job))
