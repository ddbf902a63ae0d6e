"""GET /health for monitors, proxies and containers.

It answers before every other middleware, because a monitor asks this server directly: by any host name, without TLS,
and without a session.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assess.health import check_health

PATH = "/health"


@require_safe
@never_cache
def health(_request: HttpRequest) -> HttpResponse:
    """200 if this server can answer requests, else 503.

    Without a worker the status is "degraded", but 200: jobs wait, and a proxy must not take the server out for this.
    """
    checks = check_health()
    able = all(passed for name, passed in checks.items() if name != "worker")
    status = "ok" if all(checks.values()) else "degraded" if able else "failing"
    return JsonResponse({"status": status, "checks": checks}, status=200 if able else 503)


class HealthMiddleware:
    """Answers /health, and passes on all other requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return health(request) if request.path_info == PATH else self.get_response(request)
