"""GET /metrics for Prometheus, with the token ASSAY_METRICS_TOKEN.

Like /health, it answers before a host name, TLS or a session is needed. Without the variable nothing is counted, and
the address does not exist.
"""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from assess.web.site.request_figures import RequestFigures
from assess.web.site.site_figures import site_figures

PATH = "/metrics"
UNAUTHORISED = "This address needs the token of the site's metrics.\n"


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
def metrics(request: HttpRequest, figures: RequestFigures) -> HttpResponse:
    """Return the figures of the requests and of the site."""
    if not _has_token(request):
        headers = {"WWW-Authenticate": "Bearer"}
        return HttpResponse(UNAUTHORISED, status=401, content_type="text/plain", headers=headers)
    return HttpResponse(figures.text() + site_figures(), content_type=CONTENT_TYPE_LATEST)


def _has_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
