"""Results that a page shows and that take long to compute: a job computes them, and the cache of results keeps them."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue, results
from assess.models import Collection, Job, JobState, User

# Until then, a page that is loaded again shows the error instead of starting the job that has just failed.
RETRY_AFTER = timedelta(minutes=1)


class Pending(Exception):  # noqa: N818 - not an error
    """A job computes the result."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.job = job


@dataclass(frozen=True)
class Started:
    """The result of a job that computed something for the cache of results: its key there."""

    key: str


def known_or_pending(kind: str, collection: Collection, user: User, key: str, arguments: dict[str, Any]) -> Any:
    """Return the result with this key, or raise Pending with the job that computes it, which starts if none runs.

    The job gets the key and the arguments. Raises Refused if it failed within the last minute.
    """
    if (result := results.get(key)) is not None:
        return result
    latest = Job.objects.filter(collection=collection, kind=kind, input__key=key).first()
    if latest and latest.state in queue.UNFINISHED:
        raise Pending(latest)
    if latest and latest.state == JobState.FAILED and _has_just_ended(latest):
        raise Refused(latest.error)
    raise Pending(queue.start(kind, collection, user, {"key": key} | arguments))


def _has_just_ended(job: Job) -> bool:
    return job.ended_at is not None and job.ended_at > timezone.now() - RETRY_AFTER
