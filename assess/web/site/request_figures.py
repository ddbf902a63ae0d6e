"""Counts requests for /metrics, by method, view and status.

A label has few values: the name of a view and never a path, which could contain the name of a collection, or a token.
"""

import os
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from whitenoise.middleware import WhiteNoiseFileResponse

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER_METHOD = "other"  # a client may send any word
STATIC, NO_VIEW = "static", "none"
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # the bounds of the histogram
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the processes of gunicorn share their figures: assess.gunicorn_hooks


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
