"""Answers to requests that fail before a page can be built. They need neither the database nor the session."""

import logging
import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults

from assess.lib.outages import outage_reason
from assess.web.requests import wants_json

RETRY_AFTER = 5  # seconds; the judging page waits as long before it sends a judgement again
UNAVAILABLE = (
    "The server cannot read or write its data at the moment. "
    f"Your last step may not be saved. Try again in {RETRY_AFTER} seconds."
)
logger = logging.getLogger(__name__)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an uncaught exception: 503 if the data are unavailable for now, else 500.

    Django calls this function while it handles the exception, whichever view, middleware or template raised it.
    """
    reason = outage_reason(sys.exc_info()[1])
    if reason is None:
        return defaults.server_error(request)
    logger.error("Unavailable (503) at %s %r: %s", request.method, request.path, reason)
    response = error_response(request, 503, "Try again in a moment", UNAVAILABLE)
    response["Retry-After"] = str(RETRY_AFTER)
    # Django would log the traceback of each request, although the line above says everything.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def error_response(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """Return a page with one sentence, or JSON for a script."""
    if wants_json(request):
        return JsonResponse({"error": sentence}, status=status)
    return HttpResponse(render_to_string("error.html", {"title": title, "sentence": sentence}), status=status)
