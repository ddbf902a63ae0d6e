"""Limits how many wrong codes one address can enter, because codes are short enough to be guessed.

A whole class may share one address. Therefore right codes never count, and the limit for exercise codes is one that
only a program reaches: students who mistype, or a prankster, cannot block the others. Re-entry codes are counted
separately, by exercise. Only a keyed hash of the address is stored, and only for some minutes.
"""

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.crypto import salted_hmac

from assess.errors import Refused
from assess.models import Guess

MAX_WRONG_CODES = 300  # wrong exercise codes from one address ...
MAX_WRONG_REENTRY_CODES = 30  # or wrong re-entry codes from one address for one exercise ...
WINDOW = timedelta(minutes=10)  # ... within this time


class ThrottleKey(NamedTuple):
    """Which wrong codes are counted together, and how many block further codes."""

    key: str
    limit: int


def exercise_code_key(address: str) -> ThrottleKey:
    """Return the key for exercise codes from an address."""
    return ThrottleKey(address, MAX_WRONG_CODES)


def reentry_code_key(address: str, exercise_id: int) -> ThrottleKey:
    """Return the key for re-entry codes of one exercise from an address."""
    return ThrottleKey(f"{address} {exercise_id}", MAX_WRONG_REENTRY_CODES)


def check_throttle(throttle_key: ThrottleKey) -> None:
    """Refuse if too many wrong codes were entered; the message says how long to wait."""
    since = timezone.now() - WINDOW
    rows = Guess.objects.filter(address_hash=_hash(throttle_key), at__gt=since).order_by("-at")
    limit = throttle_key.limit
    # A code is accepted again as soon as the oldest of the last `limit` wrong codes leaves the window.
    if (oldest := rows.values_list("at", flat=True)[limit - 1 : limit].first()) is not None:
        minutes = -((since - oldest) // timedelta(minutes=1))
        wait = f"{minutes} minutes" if minutes > 1 else "a minute"
        raise Refused(f"Too many wrong codes were entered from your address. Try again in {wait}.")


def record_wrong_code(throttle_key: ThrottleKey) -> None:
    """Count a wrong code, and delete wrong codes of all addresses that no longer count."""
    delete_old_guesses()
    Guess.objects.create(address_hash=_hash(throttle_key), at=timezone.now())


def delete_old_guesses() -> None:
    """Delete the wrong codes that are too old to count."""
    Guess.objects.filter(at__lte=timezone.now() - WINDOW).delete()


def _hash(throttle_key: ThrottleKey) -> str:
    return salted_hmac("assess.teaching.code_throttle", throttle_key.key, algorithm="sha256").hexdigest()
