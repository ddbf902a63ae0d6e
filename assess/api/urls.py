"""The URLs of the API. A token signs in, not a session, so the login middleware lets the requests through."""

from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from assess.api.problems import MISSING
from assess.api.repeating import repeatable
from assess.api.site import api
from assess.lib.problem import problem

app_name = "api"


@login_not_required
@require_safe
def openapi(_request: HttpRequest) -> HttpResponse:
    """The description of the API in OpenAPI 3.1. It says nothing about this site."""
    return HttpResponse(_description(), content_type="application/json")


@cache
def _description() -> bytes:
    """Describe the API once: that takes longer than most answers, and each client asks for it."""
    return JsonResponse(api.get_openapi_schema(path_prefix="/api/v1/")).content


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The endpoints with their parameters, on a page."""
    return render(request, "api/reference.html", {"groups": grouped(api.get_openapi_schema(path_prefix="/api/v1/"))})


def grouped(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the operations by tag, each with its method, path, summary and parameters."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for address, methods in schema["paths"].items():
        for method, operation in methods.items():
            sentence, _, more = operation["description"].partition(". ")
            row = {
                "method": method.upper(),
                "path": address,
                **operation,
                "sentence": sentence.rstrip("."),
                "more": more,
            }
            groups.setdefault(operation["tags"][0], []).append(row)
    return groups


@login_not_required
@csrf_exempt
def missing(_request: HttpRequest, **_: Any) -> HttpResponse:
    """No endpoint has this address."""
    return problem(404, MISSING)


def _open(patterns: list[Any]) -> list[Any]:
    for pattern in patterns:
        pattern.callback = login_not_required(csrf_exempt(repeatable(pattern.callback)))
    return patterns


urlpatterns = [
    path("openapi.json", openapi, name="openapi"),
    path("", reference, name="reference"),
    *_open(api.urls[0]),
    path("<path:rest>", missing),
]
