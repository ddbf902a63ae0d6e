"""The seats that a browser holds, in a signed cookie: it signs a student in again when the session is gone.

Nobody can make such a cookie, no script can read it, and a seat that was erased is found by nothing.
"""

from django.conf import settings
from django.contrib.auth import login
from django.core import signing

from assess.models import Seat
from assess.models.exercise import still_kept

NAME = "assay_seats"
SALT = "assess.web.join.seats"
LONGEST = 30 * 24 * 3600  # seconds
MOST = 5  # exercises; the newest first
BACKEND = "assess.people.backend.AccountBackend"


def held(request) -> list[int]:
    """Ids of the browser's seats, the newest first."""
    try:
        return signing.loads(request.COOKIES.get(NAME, ""), salt=SALT, max_age=LONGEST)
    except signing.BadSignature:
        return []


def take(request, response, seat: Seat) -> None:
    """Sit down: sign in as the seat's user, and let the browser remember it."""
    login(request, seat.member.user, backend=BACKEND)
    keep(response, [seat.pk, *(pk for pk in held(request) if pk != seat.pk)][:MOST])


def leave(request, response, seat: Seat) -> None:
    """Let the browser forget the seat."""
    keep(response, [pk for pk in held(request) if pk != seat.pk])


def keep(response, seats: list[int]) -> None:
    if not seats:
        response.delete_cookie(NAME, samesite="Lax")
        return
    response.set_cookie(
        NAME,
        signing.dumps(seats, salt=SALT),
        max_age=LONGEST,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def remembered(request, code: str | None = None) -> Seat | None:
    """The seat that the browser holds in the exercise of that code, or its newest one."""
    pks = held(request)
    if not pks:
        return None
    rows = Seat.objects.select_related("exercise__collection", "member__user", "member__collection")
    found = rows.filter(still_kept("exercise__"), pk__in=pks)
    if code is not None:
        found = found.filter(exercise__code=code)
    return min(found, key=lambda seat: pks.index(seat.pk), default=None)
