"""Everything that site owners want to know about their site, with what needs somebody to act."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from assess.models import Collection, Judgement, Session
from assess.people.sessions import REFRESH_AFTER
from assess.status import problems
from assess.status.jobs import JobsStatus, MailStatus, jobs_status, mail_status
from assess.status.problems import Problem
from assess.status.records import BackupStatus, LedgerStatus, last_verification, newest_backup
from assess.status.storage import StorageStatus, storage_status
from assess.status.versions import Versions, versions
from pooling.words import count

ACTIVE = timedelta(minutes=5)


@dataclass(frozen=True)
class Activity:
    """`people` have used the site in the last five minutes, or a little before.

    `open_collections` are those where judging is open. `judgements` are those of all collections and kinds.
    """

    people: int
    open_collections: int
    judgements: int


def activity(now: datetime) -> Activity:
    # The database counts the judgements in an index: a million takes less than a tenth of a second.
    return Activity(_active_people(now), _open_collections(now), Judgement.objects.count())


def _active_people(now: datetime) -> int:
    """Count everybody who was active in the last five minutes, and nobody who was not for fifteen.

    A session is written only if the last write is REFRESH_AFTER old. Its end says when that was. The end of a
    student's session says nothing: it is that of the exercise.
    """
    longest = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    written = Q(expire_date__gt=now + longest - REFRESH_AFTER - ACTIVE, expire_date__lte=now + longest)
    sessions = Session.objects.filter(written, user__isnull=False).exclude(user__memberships__seat__isnull=False)
    return sessions.values("user").distinct().count()


def _open_collections(now: datetime) -> int:
    has_not_ended = Q(judging_ends_at=None) | Q(judging_ends_at__gt=now)
    return Collection.objects.filter(has_not_ended, archived_at=None, judging_open=True, judging_closed_at=None).count()


@dataclass(frozen=True)
class SiteStatus:
    """The state of the site at a time. `backup` and `ledger` are None if there was none."""

    at: datetime
    jobs: JobsStatus
    mail: MailStatus
    storage: StorageStatus
    backup: BackupStatus | None
    ledger: LedgerStatus | None
    versions: Versions
    activity: Activity

    @property
    def problems(self) -> list[Problem]:
        """What needs somebody to act."""
        return [
            *problems.version_problems(self.versions),
            *problems.job_problems(self.jobs, self.at),
            *problems.storage_problems(self.storage),
            *problems.backup_problems(self.backup, self.activity.judgements > 0, self.at),
            *problems.ledger_problems(self.ledger),
            *problems.mail_problems(self.mail),
        ]

    @property
    def sentence(self) -> str:
        """Answer whether the site is well."""
        if not (number := len(self.problems)):
            return "The site is well: nothing needs somebody to act."
        return f"{count(number, 'thing')} {'needs' if number == 1 else 'need'} somebody to act."


def site_status() -> SiteStatus:
    now = timezone.now()
    jobs = jobs_status(now)
    return SiteStatus(
        at=now,
        jobs=jobs,
        mail=mail_status(jobs),
        storage=storage_status(),
        backup=newest_backup(),
        ledger=last_verification(),
        versions=versions(),
        activity=activity(now),
    )
