"""Visitors who enter codes: how a browser is recognised, and the answer to a wrong code.

The first wrong code sets a cookie with a random token, which scripts cannot read. A browser that does not keep it has
no limit of its own; `assess.teaching.code_throttle` describes the others.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from assess.errors import Refused
from assess.lib.client_ip import client_ip, network_of
from assess.teaching.code_throttle import TooManyWrongCodes, Visitor, WrongCode

NAME = "assay_browser"
MAX_AGE = 24 * 3600  # seconds
TOKEN_BYTES, TOKEN_LENGTH = 16, 22


def visitor_of(request: HttpRequest) -> Visitor:
    """Return the visitor that a request comes from."""
    return Visitor(_token(request), network_of(client_ip(request)))


def answer_refused_code(request: HttpRequest, response: HttpResponse, refusal: Refused | None) -> HttpResponse:
    """Complete the page that shows a refusal: 429 after too many wrong codes, a cookie after the first wrong code."""
    if isinstance(refusal, TooManyWrongCodes):
        response.status_code = 429
        response.headers["Retry-After"] = str(refusal.retry_after)
    elif isinstance(refusal, WrongCode) and not _token(request):
        _set_cookie(response)
    return response


def _token(request: HttpRequest) -> str:
    """Return the browser's token, or an empty string if the cookie is missing or was not set by this site."""
    token = request.COOKIES.get(NAME, "")
    return token if len(token) == TOKEN_LENGTH and token.isascii() else ""


def _set_cookie(response: HttpResponse) -> None:
    response.set_cookie(
        NAME,
        secrets.token_urlsafe(TOKEN_BYTES),
        max_age=MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
