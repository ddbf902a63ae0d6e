"""GET /metrics for Prometheus, with the token ASSAY_METRICS_TOKEN.

Like /health, it answers before a host name, TLS or a session is needed. Without the variable nothing is counted, and
the address does not exist.

Requests are counted by method, view and status. A label has few values: the name of a view and never a path, which
could contain the name of a collection, or a token. The state of the site names no person, collection or token.
"""

import os
import time
from collections.abc import Callable, Iterator

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from whitenoise.middleware import WhiteNoiseFileResponse

from assess.status import SiteStatus, site_status

PATH = "/metrics"
UNAUTHORISED = "This address needs the token of the site's metrics.\n"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER_METHOD = "other"  # a client may send any word
STATIC, NO_VIEW = "static", "none"
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # the bounds of the histogram
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the processes of gunicorn share their figures: assess.gunicorn_hooks


class MetricsMiddleware:
    """Counts all requests, and answers /metrics."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.figures = RequestFigures()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == PATH:
            return metrics(request, self.figures)
        return self.figures.measured(request, self.get_response)


@require_safe
def metrics(request: HttpRequest, figures: "RequestFigures") -> HttpResponse:
    """Return the figures of the requests and of the site."""
    if not _has_token(request):
        headers = {"WWW-Authenticate": "Bearer"}
        return HttpResponse(UNAUTHORISED, status=401, content_type="text/plain", headers=headers)
    return HttpResponse(figures.text() + site_figures(), content_type=CONTENT_TYPE_LATEST)


def _has_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)


class RequestFigures:
    """The figures of this process, in a registry of its own; with FOLDER, those of all processes."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._in_progress = Gauge(
            "assay_requests_in_progress",
            "Requests that are being answered.",
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._requests = Counter(
            "assay_requests", "Answered requests.", ["method", "view", "status"], registry=registry
        )
        self._seconds = Histogram(
            "assay_request_seconds", "Seconds until an answer began.", ["view"], registry=registry, buckets=SECONDS
        )

    def measured(self, request: HttpRequest, answer: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
        """Answer a request and count it."""
        began = time.perf_counter()
        with self._in_progress.track_inprogress():
            response = answer(request)
        view = _view_of(request, response)
        method = request.method if request.method in METHODS else OTHER_METHOD
        self._requests.labels(method, view, f"{response.status_code // 100}xx").inc()
        self._seconds.labels(view).observe(time.perf_counter() - began)
        return response

    def text(self) -> bytes:
        """Return the figures in the text format of Prometheus."""
        if FOLDER not in os.environ:
            return generate_latest(self._registry)
        of_all = CollectorRegistry()
        MultiProcessCollector(of_all)  # type: ignore[no-untyped-call]
        return generate_latest(of_all)


def _view_of(request: HttpRequest, response: HttpResponse) -> str:
    if isinstance(response, WhiteNoiseFileResponse):
        return STATIC
    return request.resolver_match.view_name if request.resolver_match else NO_VIEW


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
    yield _gauge("active_people", "People who used the site in the last few minutes.", status.activity.people)
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
