"""Gives each request an id, which its messages in the log, its answer and its error page have in common."""

import logging
import secrets
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseFileResponse

from assess.lib.log_id import logged_as

HEADER = "X-Request-ID"
logger = logging.getLogger("assess.requests")


class RequestLogMiddleware:
    """Comes first, so that the messages of all others have the id.

    The id is always a new one: with an id of the client's choice, strangers could imitate the messages of others.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = secrets.token_hex(6)
        with logged_as(request_id):
            began = time.perf_counter()
            response = self.get_response(request)
            if settings.LOG_REQUESTS and not isinstance(response, WhiteNoiseFileResponse):
                _log(request, response, round((time.perf_counter() - began) * 1000))
        response[HEADER] = request_id
        return response


def _log(request: HttpRequest, response: HttpResponse, milliseconds: int) -> None:
    match = request.resolver_match
    fields = {
        "method": request.method,
        "view": match.view_name if match else "",
        "status": response.status_code,
        "milliseconds": milliseconds,
    }
    # The path is in the message only, from which the filter removes the tokens of links.
    logger.info("%s %s %s in %s ms", request.method, request.path, response.status_code, milliseconds, extra=fields)
