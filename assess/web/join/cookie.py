"""A signed cookie with the seats that a browser holds. It signs a student in again when the session is gone.

The cookie cannot be forged and scripts cannot read it. Erased seats in it are ignored.
"""

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth import login
from django.core import signing
from django.http import HttpRequest, HttpResponse

from assess.models import Seat
from assess.models.exercise import not_expired

NAME = "assay_seats"
SALT = "assess.web.join.seats"
MAX_AGE = 30 * 24 * 3600  # seconds
MAX_SEATS = 5  # the newest first
BACKEND = "assess.people.backend.AccountBackend"


def held_seat_ids(request: HttpRequest) -> list[int]:
    """Return the primary keys of the browser's seats, newest first."""
    try:
        ids: list[int] = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT, max_age=MAX_AGE)
    except signing.BadSignature:
        return []
    return ids


def sign_in(request: HttpRequest, response: HttpResponse, seat: Seat) -> None:
    """Sign in as the seat's user, and add the seat to the cookie."""
    login(request, seat.member.user, backend=BACKEND)
    others = [pk for pk in held_seat_ids(request) if pk != seat.pk]
    _set_cookie(response, [seat.pk, *others][:MAX_SEATS])


def forget(request: HttpRequest, response: HttpResponse, seat: Seat) -> None:
    """Remove the seat from the cookie."""
    _set_cookie(response, [pk for pk in held_seat_ids(request) if pk != seat.pk])


def _set_cookie(response: HttpResponse, seat_ids: Sequence[int]) -> None:
    if not seat_ids:
        response.delete_cookie(NAME, samesite="Lax")
        return
    response.set_cookie(
        NAME,
        signing.dumps(list(seat_ids), salt=SALT),
        max_age=MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def remembered_seat(request: HttpRequest, code: str | None = None) -> Seat | None:
    """Return the browser's seat in the exercise with this code, or without a code its newest seat."""
    ids = held_seat_ids(request)
    if not ids:
        return None
    rows = Seat.objects.select_related("exercise__collection", "member__user", "member__collection")
    seats = rows.filter(not_expired("exercise__"), pk__in=ids)
    if code is not None:
        seats = seats.filter(exercise__code=code)
    return min(seats, key=lambda seat: ids.index(seat.pk), default=None)
