"""Everything that site owners want to know about their site, with what needs somebody to act."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from assess.status import problems
from assess.status.activity import Activity, activity
from assess.status.jobs import JobsStatus, MailStatus, jobs_status, mail_status
from assess.status.problems import Problem
from assess.status.records import BackupStatus, LedgerStatus, last_verification, newest_backup
from assess.status.storage import StorageStatus, storage_status
from assess.status.versions import Versions, versions
from pooling.words import count


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
