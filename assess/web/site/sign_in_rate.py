"""Refuses sign-ins of a network that sends many in a second, before they cost a session, a query or a template.

The counts are kept in the process: they bound what a flood costs a server, not how many passwords can be tried
(`assess.people.sign_in.throttle`). The sign-in page tries again by itself.
"""

import time

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse

from assess.lib.buckets import Buckets
from assess.lib.client_ip import client_ip, network_of
from assess.people.sign_in.hash_slots import SENTENCE, Busy
from assess.web.requests import wants_json
from assess.web.site.middleware import GetResponse

PER_SECOND = 10  # sign-ins of a network in a process
BURST = 20
PAGE = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Try again · Assay</title>
<p>{SENTENCE}</p><p><a href="">Open the page again</a></p></html>"""


class SignInRateMiddleware:
    """Answers 429 with `Retry-After` to the sign-ins of a network above the rate."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.buckets = Buckets(PER_SECOND, BURST)
        self.path = reverse("account:sign_in")

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a new password for which there is no place now."""
        return busy_response(request) if isinstance(exception, Busy) else None

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or request.path_info != self.path:
            return self.get_response(request)
        if self.buckets.take(network_of(client_ip(request)), time.monotonic()):
            return self.get_response(request)
        return busy_response(request)


def busy_response(request: HttpRequest) -> HttpResponse:
    """Ask the client to try again in a second."""
    response = JsonResponse({"error": SENTENCE}) if wants_json(request) else HttpResponse(PAGE)
    response.status_code = 429
    response["Retry-After"] = "1"
    response._has_been_logged = True  # type: ignore[attr-defined]  # a flood would fill the log
    return response
