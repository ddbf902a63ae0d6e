"""A cookie with random tokens, one for each seat that the browser holds.

A token signs the student in again when the session is gone. It is valid until the student leaves the seat, the seat or
the exercise is erased, or twelve hours have passed. The session ends with its token. Scripts cannot read the cookie.
"""

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse

from assess.models import Seat, SeatToken
from assess.teaching import seats

NAME = "assay_seats"
SEPARATOR = "."  # not in a token
MAX_AGE = int(seats.TOKEN_LIFE.total_seconds())
MAX_SEATS = 5  # the newest first
BACKEND = "assess.people.backend.AccountBackend"


def sign_in(request: HttpRequest, response: HttpResponse, seat: Seat) -> None:
    """Give the browser a new token for the seat, and sign it in as the seat's user."""
    held = _held_tokens(request)
    others = {token: row for token, row in held.items() if row.seat_id != seat.pk}
    kept = list(others)[: MAX_SEATS - 1]
    seats.end_tokens([row for token, row in held.items() if token not in kept])
    token = seats.new_token(seat)
    _set_cookie(response, [token, *kept])
    sign_in_again(request, seats.valid_tokens([token])[token])


def sign_in_again(request: HttpRequest, token: SeatToken) -> None:
    """Sign in as the user of the token's seat, until the token expires."""
    login(request, token.seat.member.user, backend=BACKEND)
    request.session.set_expiry(token.expires_at)


def forget(request: HttpRequest, response: HttpResponse, seat: Seat) -> None:
    """End the browser's tokens for the seat."""
    held = _held_tokens(request)
    seats.end_tokens([row for row in held.values() if row.seat_id == seat.pk])
    _set_cookie(response, [token for token, row in held.items() if row.seat_id != seat.pk])


def held_token(request: HttpRequest, code: str | None = None) -> SeatToken | None:
    """Return the browser's token for the exercise with this code, or without a code its newest token."""
    rows = _held_tokens(request).values()
    return next((row for row in rows if code is None or row.seat.exercise.code == code), None)


def _held_tokens(request: HttpRequest) -> dict[str, SeatToken]:
    """Return the browser's valid tokens, the newest first."""
    # A cookie that this site has not set may have any length.
    tokens = request.COOKIES.get(NAME, "").split(SEPARATOR, MAX_SEATS)[:MAX_SEATS]
    return seats.valid_tokens(tokens) if tokens[0] else {}


def _set_cookie(response: HttpResponse, tokens: Sequence[str]) -> None:
    if not tokens:
        response.delete_cookie(NAME, samesite="Lax")
        return
    response.set_cookie(
        NAME,
        SEPARATOR.join(tokens),
        max_age=MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
