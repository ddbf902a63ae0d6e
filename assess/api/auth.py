"""Who sends a request: the user of the token in its `Authorization` header.

Sessions do not open the API, so that no page of another site can use it through a signed-in browser.
"""

import time
from datetime import timedelta

from django.http import HttpRequest
from ninja.security import HttpBearer

from assess.lib.buckets import Buckets
from assess.models import ApiToken
from assess.people.tokens import token_of
from assess.throttle import TooManyAttempts

PER_SECOND, BURST = 50, 200  # requests of a token in a process
LONGEST = 200  # characters of a token
TOO_MANY = f"This token sends more than {PER_SECOND} requests a second. Try again in a second."

_buckets = Buckets(PER_SECOND, BURST)


class TokenAuth(HttpBearer):
    """Sets the user of the request to that of the token; raises InvalidToken with the reason."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        found = token_of(token[:LONGEST])
        if not _buckets.take(str(found.pk), time.monotonic()):
            raise TooManyAttempts(TOO_MANY, timedelta(seconds=1))
        request.user = found.user
        return found
