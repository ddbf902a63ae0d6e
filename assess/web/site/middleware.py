"""What happens to every request before and after its page: the log, limits, /health and headers.

Requests that fail before a page can be built get answers from here too. They need neither the database nor the session.
"""

import logging
import secrets
import sys
import time
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from whitenoise.middleware import WhiteNoiseFileResponse

from assess.health import check_health
from assess.lib.buckets import Buckets
from assess.lib.client_ip import client_ip, network_of
from assess.lib.log_id import current_log_id, logged_as
from assess.lib.outages import outage_reason
from assess.lib.problem import problem, wants_problem
from assess.people.sign_in.hash_slots import SENTENCE, Busy
from assess.web.requests import wants_json

RETRY_AFTER = 5  # seconds; the judging page waits as long before it sends a judgement again
UNAVAILABLE = (
    "The server cannot read or write its data at the moment. "
    f"Your last step may not be saved. Try again in {RETRY_AFTER} seconds."
)
UNEXPECTED = "An error occurred on the server. Everything that was saved is still saved. Try again."
NUL = "\0"
UTF_8 = ("", "utf-8")  # what a request may name as its charset; Django reads no other name of it
MAX_LENGTH_DIGITS = 18  # of a Content-Length; Python refuses to parse thousands of digits
NUL_SENTENCE = "The request contains a NUL character, which is not allowed. Nothing was changed."
REQUEST_ID_HEADER = "X-Request-ID"
HEALTH_PATH = "/health"
PER_SECOND = 10  # sign-ins of a network in a process
BURST = 20
BUSY_PAGE = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Try again · Assay</title>
<p>{SENTENCE}</p><p><a href="">Open the page again</a></p></html>"""
GetResponse = Callable[[HttpRequest], HttpResponse]
logger = logging.getLogger(__name__)
request_logger = logging.getLogger("assess.requests")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an uncaught exception: 503 if the data are unavailable for now, else 500.

    Django calls this function while it handles the exception, whichever view, middleware or template raised it.
    """
    reason = outage_reason(sys.exc_info()[1])
    if reason is None:
        return _unexpected_error(request)
    logger.error("Unavailable (503) at %s %r: %s", request.method, request.path, reason)
    response = error_response(request, 503, "Try again in a moment", UNAVAILABLE)
    response["Retry-After"] = str(RETRY_AFTER)
    # Django would log the traceback of each request, although the line above says everything.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _unexpected_error(request: HttpRequest) -> HttpResponse:
    if wants_problem(request) or wants_json(request):
        return error_response(request, 500, "Server error", UNEXPECTED)
    return HttpResponse(render_to_string("500.html", {"request_id": current_log_id()}), status=500)


def error_response(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """Return a page with one sentence, or JSON for a script. Errors of the server name the request, as in the log."""
    request_id = {"request_id": current_log_id()} if status >= 500 else {}
    if wants_problem(request):
        return problem(status, sentence, **request_id)
    if wants_json(request):
        return JsonResponse({"error": sentence, **request_id}, status=status)
    page = {"title": title, "sentence": sentence, **request_id}
    return HttpResponse(render_to_string("error.html", page), status=status)


class RequestLogMiddleware:
    """Gives each request an id, which its messages in the log, its answer and its error page have in common.

    It comes first, so that the messages of all others have the id.
    The id is always a new one: with an id of the client's choice, strangers could imitate the messages of others.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = secrets.token_hex(6)
        with logged_as(request_id):
            began = time.perf_counter()
            response = self.get_response(request)
            if settings.LOG_REQUESTS and not isinstance(response, WhiteNoiseFileResponse):
                _log_request(request, response, round((time.perf_counter() - began) * 1000))
        response[REQUEST_ID_HEADER] = request_id
        return response


def _log_request(request: HttpRequest, response: HttpResponse, milliseconds: int) -> None:
    match = request.resolver_match
    fields = {
        "method": request.method,
        "view": match.view_name if match else "",
        "status": response.status_code,
        "milliseconds": milliseconds,
    }
    # The path is in the message only, from which the filter removes the tokens of links.
    request_logger.info(
        "%s %s %s in %s ms", request.method, request.path, response.status_code, milliseconds, extra=fields
    )


class NoStoreMiddleware:
    """Forbids browsers and proxies to store any response except a static file.

    After signing out, the Back button shows nothing. The middleware comes first, so that it sees errors and redirects
    of all others.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not isinstance(response, WhiteNoiseFileResponse):
            patch_cache_control(response, no_store=True, private=True)
        return response


class ScriptRedirectMiddleware:
    """Answers a form that a script sends with the address of a redirect in the header `X-Location`.

    If the script followed the redirect, it would read the next page, and the messages on it would be shown to nobody.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.headers.get("X-Form") == "script" and "Location" in response:
            response["X-Location"] = response["Location"]
            del response["Location"]
            response.status_code = 204
        return response


class BodyLimitMiddleware:
    """Refuses a body that is too long or of unknown length, before anything reads it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.refusal(request) or self.get_response(request)

    def refusal(self, request: HttpRequest) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or ""
        # Chunked bodies: browsers never send forms so, and no limit could be checked before they are read.
        if not length and "HTTP_TRANSFER_ENCODING" in request.META:
            sentence = "The request does not state the length of its body. Nothing was changed."
            return error_response(request, 411, "Length required", sentence)
        # isdigit alone is true for digits that int() does not accept, such as ².
        if length and not (length.isascii() and length.isdigit()):
            sentence = "The Content-Length of the request is not a whole number. Nothing was changed."
            return error_response(request, 400, "Bad request", sentence)
        # First the limit of all pages, so that most requests need no look at the address.
        if len(length) <= MAX_LENGTH_DIGITS and int(length or 0) <= settings.MAX_BODY_BYTES:
            return None
        limit = max_body_bytes(request.path_info)
        if len(length) <= MAX_LENGTH_DIGITS and int(length) <= limit:
            return None
        sentence = f"The request is too large: this page accepts {limit:,} bytes at most. Nothing was changed."
        return error_response(request, 413, "Too large", sentence)


def max_body_bytes(path: str) -> int:
    """Return how many bytes the page at a path accepts."""
    try:
        name = resolve(path).view_name
    except Resolver404:
        name = ""
    limit: int = settings.MAX_BODY_BYTES_BY_VIEW.get(name, settings.MAX_BODY_BYTES)
    return max(limit, settings.MAX_BODY_BYTES)


class NulMiddleware:
    """Answers 404 to a NUL in the path, and 400 to one in the query string or a cookie.

    PostgreSQL refuses text with a NUL, and SQLite does not. Forms check their own fields and keep what the user typed.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path_info:
            raise Http404
        if any(NUL in text for text in _unparsed(request)):
            return error_response(request, 400, "Bad request", NUL_SENTENCE)
        return self.get_response(request)


def _unparsed(request: HttpRequest) -> tuple[str, ...]:
    """Return the query string and the cookies with NULs in place of their escapes."""
    query, cookies = request.META.get("QUERY_STRING", ""), request.META.get("HTTP_COOKIE", "")
    return query.replace("%00", NUL), cookies.replace("\\000", NUL)  # cookies have octal escapes


class CharsetMiddleware:
    """Answers 415 to a request that says it is written in another charset than UTF-8.

    Browsers send forms in the charset of the page. With another one, Django could not even read the CSRF token, and the
    error would fill the log.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "")
        if charset.strip("\"' ").lower() in UTF_8:
            return self.get_response(request)
        sentence = "The request is not written in UTF-8, the only charset that this site reads. Nothing was changed."
        return error_response(request, 415, "Unsupported charset", sentence)


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
    """Answers GET /health for monitors, proxies and containers, and passes on all other requests.

    It comes early, because a monitor asks this server directly: by any host name, without TLS, and without a session.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return health(request) if request.path_info == HEALTH_PATH else self.get_response(request)


class SignInRateMiddleware:
    """Answers 429 with `Retry-After` to the sign-ins of a network above the rate, before they cost a query.

    The counts are kept in the process: they bound what a flood costs a server, not how many passwords can be tried
    (`assess.people.sign_in.throttle`). The sign-in page tries again by itself.
    """

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
    response = JsonResponse({"error": SENTENCE}) if wants_json(request) else HttpResponse(BUSY_PAGE)
    response.status_code = 429
    response["Retry-After"] = "1"
    response._has_been_logged = True  # type: ignore[attr-defined]  # a flood would fill the log
    return response
