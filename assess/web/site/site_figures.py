"""The state of the site for /metrics. Nothing in it names a person, a collection or a token."""

from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from assess.status import SiteStatus, site_status


def site_figures() -> bytes:
    """Return the state of the site in the text format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(_SiteCollector())
    return generate_latest(registry)


class _SiteCollector(Collector):
    def collect(self) -> Iterator[Metric]:
        try:
            status = site_status()
        except (DatabaseError, InterfaceError):
            yield _gauge("up", "1 if the database answers; without it, the figures of the site are missing.", 0)
            return
        yield _gauge("up", "1 if the database answers; without it, the figures of the site are missing.", 1)
        yield from _of_status(status)


def _of_status(status: SiteStatus) -> Iterator[Metric]:
    yield _info(status)
    yield _gauge("problems", "What needs somebody to act, as on the page Status.", len(status.problems))
    yield from _of_jobs(status)
    yield from _of_storage(status)
    yield from _of_records(status)
    yield _gauge("active_people", "People who used the site in the last minutes.", status.activity.people)
    yield _gauge("open_collections", "Collections open for judging.", status.activity.open_collections)
    yield _gauge("judgements", "Judgements of all collections and kinds.", status.activity.judgements)


def _info(status: SiteStatus) -> Metric:
    versions = status.versions
    values = {"version": versions.assay, "python": versions.python, "database": versions.database}
    return InfoMetricFamily("assay", "The versions of Assay and of what it runs on.", values)


def _of_jobs(status: SiteStatus) -> Iterator[Metric]:
    help_text = "Background jobs that wait or run, and those that ended in the last 7 days."
    jobs = GaugeMetricFamily("assay_jobs", help_text, labels=["kind", "state"])
    for group in status.jobs.groups:
        jobs.add_metric([group.kind, group.state], group.count)
    yield jobs
    oldest = status.jobs.oldest_waiting_at
    waited = (status.at - oldest).total_seconds() if oldest else 0
    yield _gauge("oldest_waiting_job_seconds", "Seconds since the oldest waiting job was created, or 0.", waited)
    yield _gauge("workers", "Workers that run.", status.jobs.running_workers)


def _of_storage(status: SiteStatus) -> Iterator[Metric]:
    if disk := status.storage.disk:
        yield _gauge("disk_free_bytes", "Free space of the data directory.", disk.free)
        yield _gauge("disk_total_bytes", "Size of the disk of the data directory.", disk.total)
        yield _gauge("disk_minimum_bytes", "ASSAY_MIN_FREE_MB in bytes.", disk.minimum)
    if status.storage.database is not None:
        yield _gauge("database_size_bytes", "Size of the database.", status.storage.database)


def _of_records(status: SiteStatus) -> Iterator[Metric]:
    if backup := status.backup:
        age = (status.at - backup.at).total_seconds()
        yield _gauge("backup_age_seconds", "Seconds since the newest backup.", age)
        if backup.size is not None:
            yield _gauge("backup_size_bytes", "Size of the newest backup.", backup.size)
    if ledger := status.ledger:
        age = (status.at - ledger.at).total_seconds()
        yield _gauge("ledger_verification_age_seconds", "Seconds since the ledger was verified.", age)
        yield _gauge("ledger_differences", "Differences that the last verification found.", ledger.differences)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"assay_{name}", help_text, value=value)
