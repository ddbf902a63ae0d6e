"""The cookie by which the site knows a browser that has signed in before.

It is signed, lasts a year, and contains the keys of up to ten accounts, each with a random token. It opens nothing: it
only lets an account be used whose name is being attacked from many networks.
"""

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from assess.lib.client_ip import client_ip, network_of
from assess.models import User
from assess.people.sign_in.throttle import Visitor

COOKIE, SALT = "assay_known", "assess.web.account.sign_in.known_browser"
MAX_AGE = 365 * 24 * 3600  # seconds
MOST_ACCOUNTS = 10


def visitor(request: HttpRequest) -> Visitor:
    """Return who is signing in."""
    address = client_ip(request)
    return Visitor(address, network_of(address), _tokens(request))


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add the account to the browser's cookie, as the last one."""
    tokens = _tokens(request)
    token = tokens.pop(user.pk, None) or secrets.token_urlsafe(12)
    kept = [*tokens.items(), (user.pk, token)][-MOST_ACCOUNTS:]
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=SALT),
        max_age=MAX_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _tokens(request: HttpRequest) -> dict[int, str]:
    try:
        pairs: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=MAX_AGE)
    except signing.BadSignature:
        return {}
    return {int(pk): str(token) for pk, token in pairs}
