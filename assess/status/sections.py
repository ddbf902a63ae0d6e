"""The state of the site as short tables of names and values, which the page and the command show."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from assess.jobs.kinds import KINDS
from assess.models import JobState
from assess.status.jobs import JobGroup, JobsStatus
from assess.status.site import SiteStatus
from assess.status.words import age, size
from pooling.words import count

Row = tuple[str, str]
TITLES = {
    "jobs": "Background jobs",
    "storage": "Disk and database",
    "backup": "Backup",
    "ledger": "Ledger of judgements",
    "mail": "Email",
    "activity": "Use",
    "versions": "Versions",
}


@dataclass(frozen=True)
class Section:
    """One subject. `advice` says what to do about its problems."""

    name: str
    title: str
    rows: list[Row]
    advice: list[str]


def sections(status: SiteStatus) -> list[Section]:
    """Return all sections in the order in which they are shown."""
    return [
        Section(
            name, title, list(ROWS[name](status)), [each.advice for each in status.problems if each.section == name]
        )
        for name, title in TITLES.items()
    ]


def _jobs(status: SiteStatus) -> Iterator[Row]:
    jobs = status.jobs
    waited = f", the oldest for {age(jobs.oldest_waiting_at, status.at)}" if jobs.oldest_waiting_at else ""
    yield "waiting", f"{jobs.count(JobState.WAITING):,}{waited}"
    yield "running", f"{jobs.count(JobState.RUNNING):,}"
    yield "failed in the last 7 days", f"{jobs.count(JobState.FAILED):,}"
    yield from _kinds(jobs)
    for worker in jobs.workers:
        state = "running" if worker.is_running else f"last sign of life {_ago(worker.seen_at, status.at)}"
        yield f"worker {worker.name}", state
    if not jobs.workers:
        yield "workers", "none"


def _kinds(jobs: JobsStatus) -> Iterator[Row]:
    by_kind: dict[str, list[JobGroup]] = {}
    for group in jobs.groups:
        by_kind.setdefault(group.kind, []).append(group)
    for kind, groups in by_kind.items():
        label = KINDS[kind].label if kind in KINDS else kind
        yield f"job “{label}”", ", ".join(f"{group.count:,} {JobState(group.state).label}" for group in groups)


def _storage(status: SiteStatus) -> Iterator[Row]:
    storage = status.storage
    if storage.disk:
        yield "free space", f"{size(storage.disk.free)} of {size(storage.disk.total)}"
        yield "minimum", size(storage.disk.minimum)
    yield "database", size(storage.database)
    yield "uploaded files", size(storage.uploads)
    yield "stored results", size(storage.results)


def _backup(status: SiteStatus) -> Iterator[Row]:
    backup = status.backup
    if backup is None:
        yield "newest backup", "none"
        return
    yield "newest backup", _when(backup.at, status.at)
    yield "size", size(backup.size)
    if backup.is_verified is not None:
        yield "verified", "yes" if backup.is_verified else "no: it failed"
    if backup.place:
        yield "place", backup.place


def _ledger(status: SiteStatus) -> Iterator[Row]:
    ledger = status.ledger
    if ledger is None:
        yield "last verification", "never; run assay verify_ledger"
        return
    yield "last verification", _when(ledger.at, status.at)
    yield "verified", f"{count(ledger.events, 'event')} in {count(ledger.chains, 'chain')}"
    yield "differences", f"{ledger.differences:,}"


def _mail(status: SiteStatus) -> Iterator[Row]:
    mail = status.mail
    if not (mail.is_configured or mail.waiting or mail.sent or mail.failed):
        yield "mail server", "none; ASSAY_EMAIL_URL names one"
        return
    yield "mail server", "configured" if mail.is_configured else "none; ASSAY_EMAIL_URL names one"
    yield "waiting", f"{mail.waiting:,}"
    yield "sent in the last 7 days", f"{mail.sent:,}"
    yield "failed in the last 7 days", f"{mail.failed:,}"


def _activity(status: SiteStatus) -> Iterator[Row]:
    yield "people active in the last few minutes", f"{status.activity.people:,}"
    yield "collections open for judging", f"{status.activity.open_collections:,}"
    yield "judgements", f"{status.activity.judgements:,}"


def _versions(status: SiteStatus) -> Iterator[Row]:
    versions = status.versions
    yield "Assay", versions.assay
    yield "Python", versions.python
    yield "Django", versions.django
    yield "database", versions.database
    yield "last migration", versions.migration or "none"


def _when(then: datetime, now: datetime) -> str:
    return f"{then:%Y-%m-%d %H:%M} UTC, {_ago(then, now)}"


def _ago(then: datetime, now: datetime) -> str:
    return f"{age(then, now)} ago"


ROWS = {
    "jobs": _jobs,
    "storage": _storage,
    "backup": _backup,
    "ledger": _ledger,
    "mail": _mail,
    "activity": _activity,
    "versions": _versions,
}
