"""Watches a running job: a thread writes its progress and heartbeat, and reads whether it is cancelled."""

import logging
import threading
from typing import Self

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import QuerySet
from django.utils import timezone

from assess.models import Job, JobState

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
        if self._stop_reason:
            raise self._stop_reason

    def save(self) -> None:
        """Mark the job as saved in the transaction of the work. Raise an exception if it may not save."""
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
