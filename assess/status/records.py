"""What the audit log says about the newest backup and the last verification of the whole ledger."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from assess.models import Action, AuditEvent

# A daily backup may take some time, or begin later than the day before.
SCHEDULED_AGE = timedelta(hours=26)
# Without a folder for scheduled backups, nobody knows how often this site is backed up.
UNSCHEDULED_AGE = timedelta(days=7)


@dataclass(frozen=True)
class BackupStatus:
    """`is_verified` is None if nobody verified the archive, and `place` is empty if nobody recorded it."""

    at: datetime
    size: int | None  # bytes
    is_verified: bool | None
    place: str


@dataclass(frozen=True)
class LedgerStatus:
    at: datetime
    chains: int
    events: int
    differences: int


def newest_backup() -> BackupStatus | None:
    event = _last(Action.BACKED_UP)
    if event is None:
        return None
    details = event.details
    return BackupStatus(event.at, details.get("bytes"), details.get("verified"), str(details.get("place", "")))


def last_verification() -> LedgerStatus | None:
    """Return the last verification of all collections; one of a single collection does not count."""
    event = _last(Action.LEDGER_VERIFIED)
    if event is None:
        return None
    return LedgerStatus(event.at, *(event.details[name] for name in ("chains", "events", "differences")))


def _last(action: Action) -> AuditEvent | None:
    # By the key, which is read from its end: both actions are recorded often.
    return AuditEvent.objects.filter(action=action, collection=None).order_by("-pk").first()


def allowed_age() -> timedelta:
    """Return how old the newest backup may be."""
    return SCHEDULED_AGE if settings.BACKUP_DIR else UNSCHEDULED_AGE
