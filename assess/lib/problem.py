"""An error as an RFC 9457 problem, which the API answers with."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

CONTENT_TYPE = "application/problem+json"
API = "/api/"  # below which errors are problems, also those of middleware


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """Return a problem with a sentence."""
    content = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    return JsonResponse(content, status=status, content_type=CONTENT_TYPE)


def wants_problem(request: HttpRequest) -> bool:
    """Whether a request is one of the API."""
    return request.path_info.startswith(API)
