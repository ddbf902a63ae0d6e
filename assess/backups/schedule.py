"""Backs up once a day to ASSAY_BACKUP_DIR: a job that a worker starts at its first chance after ASSAY_BACKUP_TIME.

A failed backup is tried again after a minute, five, thirty and a hundred and twenty. A worker that is killed leaves no
archive, and another one begins again.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from assess.errors import Refused
from assess.jobs.queue import start
from assess.lib.long_work import TryLater, report
from assess.models import Job, Worker

KIND = "backup"


@dataclass(frozen=True)
class ScheduledBackup:
    """Where the archive is, its size, and how many older ones were deleted."""

    address: str
    size: int
    deleted: int


def start_if_due(now: datetime | None = None) -> Job | None:
    """Start the backup of this day, unless it was started already. All workers call this, and one of them starts it."""
    if not settings.BACKUP_DIR:
        return None
    day = _day(now or timezone.now()).isoformat()
    backups = Job.objects.filter(kind=KIND, input__day=day)
    if backups.exists():
        return None
    with transaction.atomic():
        list(Worker.objects.order_by("pk").select_for_update())  # of two workers, the second waits
        return None if backups.exists() else start(KIND, None, None, {"day": day})


def _day(now: datetime) -> date:
    """Return the day of the last time at which a backup was due."""
    return now.date() if now.time() >= settings.BACKUP_TIME else now.date() - timedelta(days=1)


def back_up_as_scheduled(day: str) -> ScheduledBackup:
    """Make the backup of a day: the function of the job."""
    from assess.backups.create import Kept, back_up  # loads pandas, which a worker that waits does not need

    total = 0

    def show(size: int) -> None:
        nonlocal total
        total += size
        report(f"Backing up ({day})", total)

    try:
        backup = back_up(kept=Kept(days=settings.BACKUP_DAYS), progress=show)
    except Refused as refusal:
        raise TryLater(str(refusal)) from None
    except OSError as error:
        raise TryLater(
            f"{error.filename or settings.BACKUP_DIR}: {error.strerror or error}. No backup was made."
        ) from None
    if backup.problem:
        raise Refused(backup.problem)
    return ScheduledBackup(backup.address, backup.size, len(backup.deleted))
