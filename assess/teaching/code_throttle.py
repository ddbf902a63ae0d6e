"""Wrong codes, counted by where they come from: codes are short, and must not be found by trying.

A class sits behind one address, so that right codes never count, and one who mistypes, or a prankster, must not shut
the others out: at the entrance only a machine makes as many wrong guesses as close it. Re-entry codes are counted
apart, for each exercise. What is kept is a keyed hash of the address, and that for some minutes only.
"""

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.crypto import salted_hmac

from assess.errors import Refused
from assess.models import Guess

MOST_CODES = 300  # wrong codes of exercises from one address ...
MOST_REENTRY_CODES = 30  # or wrong re-entry codes from one address for one exercise ...
WINDOW = timedelta(minutes=10)  # ... within this time


class ThrottleKey(NamedTuple):
    """Where codes are tried: what is counted together, and how many wrong ones close it."""

    key: str
    most: int


def exercise_code_key(address: str) -> ThrottleKey:
    """Where codes of exercises are tried."""
    return ThrottleKey(address, MOST_CODES)


def reentry_code_key(address: str, exercise: int) -> ThrottleKey:
    """Where re-entry codes of an exercise are tried."""
    return ThrottleKey(f"{address} {exercise}", MOST_REENTRY_CODES)


def check_throttle(door: ThrottleKey) -> None:
    """Refuse whoever sent too many wrong codes; the sentence says for how long."""
    since = timezone.now() - WINDOW
    rows = Guess.objects.filter(address_hash=_hash(door), at__gt=since).order_by("-at")
    # The next code is looked at once the oldest of the last so many is out of the window.
    if (oldest := rows.values_list("at", flat=True)[door.most - 1 : door.most].first()) is not None:
        minutes = -((since - oldest) // timedelta(minutes=1))
        wait = f"{minutes} minutes" if minutes > 1 else "a minute"
        raise Refused(f"Too many wrong codes came from your address; try again in {wait}.")


def record_wrong_code(door: ThrottleKey) -> None:
    """Count a wrong code, and forget the old ones of everybody."""
    delete_old_guesses()
    Guess.objects.create(address_hash=_hash(door), at=timezone.now())


def delete_old_guesses() -> None:
    Guess.objects.filter(at__lte=timezone.now() - WINDOW).delete()


def _hash(door: ThrottleKey) -> str:
    return salted_hmac("assess.teaching.code_throttle", door.key, algorithm="sha256").hexdigest()
