"""Background jobs by kind and state, the workers that run them, and the emails among the jobs."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q

from assess import mail
from assess.jobs.workers import SILENCE
from assess.models import Job, JobState, Worker

WEEK, DAY = timedelta(days=7), timedelta(days=1)
UNFINISHED = (JobState.WAITING, JobState.RUNNING)
ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True)
class JobGroup:
    """How many jobs of a kind are in a state now, or if it is an end, got there in the last week and the last day."""

    kind: str
    state: str
    count: int
    of_last_day: int
    oldest_at: datetime  # when the first of them was created


@dataclass(frozen=True)
class WorkerStatus:
    name: str
    seen_at: datetime
    is_running: bool


@dataclass(frozen=True)
class JobsStatus:
    groups: list[JobGroup]
    workers: list[WorkerStatus]

    def count(self, state: str) -> int:
        return sum(group.count for group in self.groups if group.state == state)

    @property
    def oldest_waiting_at(self) -> datetime | None:
        """When the job was created that has waited for the longest time."""
        return min((group.oldest_at for group in self.groups if group.state == JobState.WAITING), default=None)

    @property
    def running_workers(self) -> int:
        return sum(worker.is_running for worker in self.workers)


@dataclass(frozen=True)
class MailStatus:
    """`sent` and `failed` are those of the last week, and of the last day."""

    is_configured: bool
    waiting: int
    sent: int
    failed: int
    sent_of_last_day: int
    failed_of_last_day: int


def jobs_status(now: datetime) -> JobsStatus:
    """Count the jobs that are not finished or ended in the last week, and list the workers of the last day."""
    # By the last sign of life, which has an index with the state: a job ends within seconds of it.
    shown = Q(state__in=UNFINISHED) | Q(state__in=ENDED, heartbeat_at__gt=now - WEEK)
    groups = (
        Job.objects.filter(shown)
        .order_by("kind", "state")
        .values_list("kind", "state")
        .annotate(
            number=Count("pk"), of_last_day=Count("pk", filter=Q(ended_at__gt=now - DAY)), oldest=Min("created_at")
        )
    )
    workers = Worker.objects.order_by("-heartbeat_at").values_list("name", "heartbeat_at")
    return JobsStatus(
        groups=[JobGroup(*group) for group in groups],
        workers=[WorkerStatus(name, seen_at, seen_at > now - SILENCE) for name, seen_at in workers],
    )


def mail_status(jobs: JobsStatus) -> MailStatus:
    """Return the figures of emails, each of which is a job."""
    by_state = {group.state: group for group in jobs.groups if group.kind == mail.KIND}

    def count(*states: str) -> int:
        return sum(by_state[state].count for state in states if state in by_state)

    def of_last_day(state: str) -> int:
        return by_state[state].of_last_day if state in by_state else 0

    return MailStatus(
        is_configured=mail.is_configured(),
        waiting=count(*UNFINISHED),
        sent=count(JobState.DONE),
        failed=count(JobState.FAILED),
        sent_of_last_day=of_last_day(JobState.DONE),
        failed_of_last_day=of_last_day(JobState.FAILED),
    )
