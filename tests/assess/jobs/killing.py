"""Kills the worker of a job at a moment of its work, and lets the next worker continue."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.utils import timezone

from assess.jobs.recovery import SILENCE, recover
from assess.jobs.run import run
from assess.models import Collection, Job, JobState
from tests.processes import kill_in_process

KILLS = 10


@dataclass
class Work:
    """A kind of job: how it is started in a new collection with this slug, and what it saves."""

    kind: str
    start: Callable[[str], Job]
    saved: Callable[[Collection], Any]
    _unharmed: tuple[float, Any] | None = field(default=None, init=False)

    def unharmed(self) -> tuple[float, Any]:
        """Return the seconds that the job takes, and what is saved at the end. It is measured once."""
        if self._unharmed is None:
            self._unharmed = self._measure()
        return self._unharmed

    def _measure(self) -> tuple[float, Any]:
        job = self.start("unharmed")
        started = time.monotonic()
        assert kill_in_process(lambda: run(job.pk, 1), 600).signal is None
        seconds = time.monotonic() - started
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
        return seconds, self.saved(job.collection)


def moment(work: Work, kill: int) -> float:
    """Return a random moment of the work in seconds: of ten kills, each has a tenth of the work."""
    seconds, _ = work.unharmed()
    return seconds * (kill + random.Random(f"{work.kind} {kill}").random()) / KILLS


def killed_and_continued(work: Work, kill: int) -> Job:
    """Kill the worker of a job, and return the job after the next worker has ended it.

    Everything or nothing is saved when the worker is killed, and everything at the end.
    """
    _, complete = work.unharmed()
    job = work.start("killed")
    before = work.saved(job.collection)
    kill_in_process(lambda: run(job.pk, 1), moment(work, kill))
    wait_for_server()
    job.refresh_from_db()
    assert work.saved(job.collection) == (complete if job.saved_at else before)
    _continue(job)
    assert job.state == JobState.DONE, job.error
    assert work.saved(job.collection) == complete
    return job


def wait_for_server(seconds: float = 20) -> None:
    """Wait until PostgreSQL has noticed that the worker is gone: it first ends the statement that it received."""
    if connection.vendor != "postgresql":
        return
    end = time.monotonic() + seconds
    while _other_sessions():
        assert time.monotonic() < end, "The session of the killed worker is still active."
        time.sleep(0.01)


def _other_sessions() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return cursor.fetchone()[0]


def _continue(job: Job) -> None:
    """Let a minute pass, and run the job again if it is not done."""
    Job.objects.update(heartbeat_at=timezone.now() - 2 * SILENCE)
    recover()
    job.refresh_from_db()
    if job.state == JobState.WAITING:
        run(job.pk, job.attempt + 1)
        job.refresh_from_db()
