"""What needs somebody to act, with what they can do. A problem belongs to a section of the page Status."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from assess.models import JobState
from assess.status.jobs import JobsStatus, MailStatus
from assess.status.records import BackupStatus, LedgerStatus, allowed_age
from assess.status.storage import StorageStatus
from assess.status.versions import Versions
from assess.status.words import age, size
from pooling.words import count

# Emails that the mail server refuses are tried again for two and a half hours; other jobs begin sooner.
LONGEST_WAIT = timedelta(hours=3)


@dataclass(frozen=True)
class Problem:
    section: str
    sentence: str
    advice: str


def job_problems(jobs: JobsStatus, now: datetime) -> Iterator[Problem]:
    if not jobs.running_workers:
        number = jobs.count(JobState.WAITING)
        waiting = f", and {count(number, 'job')} {'waits' if number == 1 else 'wait'}" if number else ""
        advice = "Start the service assay-worker, or run assay worker."
        yield Problem("jobs", f"No worker is running{waiting}.", advice)
    elif jobs.oldest_waiting_at and jobs.oldest_waiting_at < now - LONGEST_WAIT:
        sentence = f"A job has waited for {age(jobs.oldest_waiting_at, now)}."
        yield Problem("jobs", sentence, "Look at the log of the worker. A second worker runs jobs at the same time.")


def mail_problems(mail: MailStatus) -> Iterator[Problem]:
    failed, sent = mail.failed_of_last_day, mail.sent_of_last_day
    if failed and failed >= sent:  # a single wrong address among many is no problem of the site
        sentence = (
            f"{count(failed, 'email')} failed in the last day, and {sent:,} {'was' if sent == 1 else 'were'} sent."
        )
        yield Problem("mail", sentence, "The log of the worker has the reasons. ASSAY_EMAIL_URL names the mail server.")


def storage_problems(storage: StorageStatus) -> Iterator[Problem]:
    if storage.disk is None:
        yield Problem("storage", "The data directory cannot be read.", "Look at the server's disks.")
    elif storage.disk.is_low:
        free, minimum = size(storage.disk.free), size(storage.disk.minimum)
        sentence = f"The disk has {free} of free space; the minimum is {minimum}."
        advice = "Delete files, move old backups to another machine, or get a larger disk."
        yield Problem("storage", sentence, advice)


def backup_problems(backup: BackupStatus | None, has_judgements: bool, now: datetime) -> Iterator[Problem]:
    advice = "Set ASSAY_BACKUP_DIR, and the worker backs up once a day. Or run assay backup."
    if backup is None:
        if has_judgements:  # a new site has nothing to lose yet
            yield Problem("backup", "There is no backup of this site.", advice)
        return
    if backup.at < now - allowed_age():
        yield Problem("backup", f"The newest backup is {age(backup.at, now)} old.", advice)
    if backup.is_verified is False:
        yield Problem("backup", "The newest backup failed its verification.", "Make another one: run assay backup.")


def ledger_problems(ledger: LedgerStatus | None) -> Iterator[Problem]:
    if ledger and ledger.differences:
        sentence = f"The ledger of judgements has {count(ledger.differences, 'difference')}."
        yield Problem("ledger", sentence, "Run assay verify_ledger, which prints each of them.")


def version_problems(versions: Versions) -> Iterator[Problem]:
    if not versions.are_tables_current:
        advice = "Run assay migrate, and start the server again."
        yield Problem("versions", "The database is not up to date with this version of Assay.", advice)
