"""GET /health for monitors, proxies and containers.

It answers before every other middleware, because a monitor asks this server directly: by any host name, without TLS,
and without a session.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assess.lib.health import check_health

PATH = "/health"


@require_safe
@never_cache
def health(_request: HttpRequest) -> HttpResponse:
    """200 if all checks pass, else 503."""
    checks = check_health()
    healthy = all(checks.values())
    answer = {"status": "ok" if healthy else "failing", "checks": checks}
    return JsonResponse(answer, status=200 if healthy else 503)


class HealthMiddleware:
    """Answers /health, and passes on all other requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return health(request) if request.path_info == PATH else self.get_response(request)
