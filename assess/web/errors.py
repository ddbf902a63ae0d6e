"""Answers to requests that fail before a page can be built. They need neither the database nor the session."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from assess.web.requests import wants_json


def error_response(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """Return a page with one sentence, or JSON for a script."""
    if wants_json(request):
        return JsonResponse({"error": sentence}, status=status)
    return HttpResponse(render_to_string("error.html", {"title": title, "sentence": sentence}), status=status)
