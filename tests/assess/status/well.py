"""A site where nothing needs somebody to act."""

from datetime import timedelta

from django.utils import timezone

from assess.models import Action, AuditEvent, Job, JobState, Worker

GIGABYTE = 10**9
DETAILS = {"bytes": 5 * GIGABYTE, "verified": True, "place": "/srv/backups"}


def make_well(settings) -> None:
    """A worker, a backup and a verification of just now, and an empty disk."""
    settings.MIN_FREE_MB = 1
    Worker.objects.create(name="web-1:42")
    back_up()
    verify()


def back_up(age: timedelta = timedelta(0), **details) -> None:
    at = timezone.now() - age
    AuditEvent.objects.create(action=Action.BACKED_UP, subject="a.zip", at=at, details=DETAILS | details)


def verify(differences: int = 0) -> None:
    details = {"chains": 2, "events": 7, "differences": differences}
    AuditEvent.objects.create(action=Action.LEDGER_VERIFIED, details=details)


def add_job(state: JobState, kind: str = "assign", age: timedelta = timedelta(0), **fields) -> Job:
    """A job that was created, or that has ended, this long ago."""
    then = timezone.now() - age
    ended = None if state in ("waiting", "running") else then
    values = {"created_at": then, "heartbeat_at": then, "ended_at": ended} | fields
    return Job.objects.create(kind=kind, state=state, **values)
