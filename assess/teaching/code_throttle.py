"""Limits how many wrong codes are checked, so that no code can be guessed and no class is locked out.

A class often shares one address with a student who guesses. Without its cookie, the browser of that student looks like
the browser of a student who has just arrived. A low limit for the network would therefore lock out the class. The limit
of a browser is low. The limits of a network and of the site follow from the chance of guessing, and codes are so long
that a server cannot check as many codes as these limits allow. Right codes are never counted.

**Chance.** A wrong code of n characters is one of 23^n, and `live` of these are codes of exercises that have not
expired. It would have been right with chance live / 23^n. There are three kinds of codes: of exercises (10 characters),
of older exercises (6 characters), and re-entry codes (10 characters, at most 200 in an exercise). Each kind gets a
third of 0.1 % per day. A period of 24 hours touches at most 25 clock hours, so the site checks in an hour at most

    limit = 0.001 / 3 / 25 * 23^n / live

wrong codes of a kind. One network can use half of it, so that it cannot use up the limit of the others, and so can all
networks together for the re-entry codes of one exercise.

    kind                           live    site, an hour   network, an hour   network, a second
    exercise, 10 characters          10       55,235,348         27,617,674               7,672
    exercise, 10 characters         100        5,523,534          2,761,767                 767
    exercise, 10 characters       1,000          552,353            276,176                  77
    re-entry, 10 characters         200        2,761,767          1,380,883                 384
    exercise, 6 characters           10              197                 98

`benchmarks.wrong_codes` measures how many wrong codes a server checks in a second: 352 on SQLite and 253 on PostgreSQL,
with two cores. With 6 characters, the limits are within reach: somebody who guesses can block codes of 6 characters,
typed or in a link, for the rest of the hour. Longer codes, and students who have a seat, are not affected.

**What is not checked.** Above a limit, a code is refused without a look at the database's codes, until the clock hour
ends (or, for a browser, the ten minutes). A text that cannot be a code, because of its length or its characters, or
because no exercise has a code of this length, is refused without being counted.

**What is stored.** Keyed hashes of the network and of the browser's token, each with a count, until the period ends.
`delete_old_attempts` deletes them; it runs every night, and with the first wrong code of an hour. A wrong code is one
short transaction. The counts are read before the code is checked and raised after it, so n simultaneous requests exceed
a limit by less than n.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.crypto import salted_hmac

from assess.errors import Refused
from assess.models import Exercise, WrongCodeCount
from assess.models.exercise import LETTERS, MAX_SEATS, REENTRY_LENGTH, not_expired

CHANCE_PER_DAY = 0.001  # that any code of the site is guessed
KINDS = 3  # of codes, which share the chance
HOURS = 25  # clock hours that 24 hours can touch
NETWORK_SHARE = 2  # a network can use 1/2 of the site's limit
HOUR = timedelta(hours=1)
MAX_WRONG_IN_BROWSER = 10  # wrong codes of one browser ...
BROWSER_PERIOD = timedelta(minutes=10)  # ... in this time


class WrongCode(Refused):
    """There is nothing with this code."""


class TooManyWrongCodes(Refused):
    """The code was not checked. The client can try again after `retry_after` seconds."""

    def __init__(self, where: str, retry_after: int):
        minutes = ceil(retry_after / 60)
        wait = f"{minutes} minutes" if minutes > 1 else "a minute"
        super().__init__(f"Too many wrong codes were entered {where}. Try again in {wait}.")
        self.retry_after = retry_after


class Visitor(NamedTuple):
    """Who enters a code: the random token of the browser, empty if it has none yet, and the network."""

    browser: str
    network: str


class Limit(NamedTuple):
    """Wrong codes that are counted together under `key`, and how many are checked in a period."""

    key: str
    most: int
    period: timedelta
    where: str

    @property
    def key_hash(self) -> str:
        return salted_hmac("assess.teaching.code_throttle", self.key, algorithm="sha256").hexdigest()

    @property
    def ends_at(self) -> datetime:
        """The end of the current period. Periods start at the same times for everybody."""
        periods = timezone.now().timestamp() // self.period.total_seconds() + 1
        return datetime.fromtimestamp(periods * self.period.total_seconds(), UTC)


# ---- limits


def exercise_code_limits(visitor: Visitor, length: int) -> list[Limit]:
    """Return the limits for exercise codes of this length; none if there is no such code to guess."""
    codes = Exercise.objects.filter(not_expired()).annotate(length=Length("code"))
    live = codes.filter(length=length).count()
    return _limits(visitor, "exercise", f"exercise {length}", wrong_codes_per_hour(length, live)) if live else []


def reentry_code_limits(visitor: Visitor, exercise_id: int) -> list[Limit]:
    """Return the limits for re-entry codes of an exercise. All exercises count as full."""
    most = wrong_codes_per_hour(REENTRY_LENGTH, MAX_SEATS)
    limits = _limits(visitor, f"return {exercise_id}", "return", most)
    limits.insert(-1, Limit(f"return {exercise_id}", most // NETWORK_SHARE, HOUR, "for this exercise"))
    return limits


def wrong_codes_per_hour(length: int, live: int) -> int:
    """Return how many wrong codes of this length the site checks in an hour if `live` codes are valid."""
    return int(CHANCE_PER_DAY / KINDS / HOURS * len(LETTERS) ** length / live)


def _limits(visitor: Visitor, browser_scope: str, scope: str, most: int) -> list[Limit]:
    """Return the limits from the narrowest to the widest. A browser without a token has no limit of its own."""
    browser = Limit(
        f"{browser_scope} browser {visitor.browser}", MAX_WRONG_IN_BROWSER, BROWSER_PERIOD, "in this browser"
    )
    network = Limit(f"{scope} network {visitor.network}", most // NETWORK_SHARE, HOUR, "from your network")
    site = Limit(scope, most, HOUR, "on this site")
    return [browser, network, site] if visitor.browser else [network, site]


# ---- check and count


def check_limits(limits: Sequence[Limit]) -> None:
    """Raise TooManyWrongCodes if a limit is reached. Otherwise the caller may check a code."""
    now = timezone.now()
    rows = WrongCodeCount.objects.filter(key_hash__in=[limit.key_hash for limit in limits], ends_at__gt=now)
    counts = {row.key_hash: row for row in rows} if limits else {}
    reached = [
        (row.ends_at, limit) for limit in limits if (row := counts.get(limit.key_hash)) and row.count >= limit.most
    ]
    if reached:
        ends_at, limit = max(reached, key=lambda pair: pair[0])
        raise TooManyWrongCodes(limit.where, max(1, ceil((ends_at - now).total_seconds())))


def count_wrong_code(limits: Sequence[Limit]) -> None:
    """Count a wrong code. The first one of an hour deletes the counts that are too old."""
    with transaction.atomic():
        # The rows are locked from the narrowest to the widest limit, so that no two requests wait for each other.
        is_new = [_raise_count(limit) for limit in limits]
    if is_new and is_new[-1]:
        delete_old_attempts()


def _raise_count(limit: Limit) -> bool:
    """Add one to the count of a limit. Returns whether it is the first of the period."""
    key = {"key_hash": limit.key_hash, "ends_at": limit.ends_at}
    rows = WrongCodeCount.objects.filter(**key)
    if rows.update(count=F("count") + 1):
        return False
    _, is_new = WrongCodeCount.objects.get_or_create(**key, defaults={"count": 1})
    if not is_new:
        rows.update(count=F("count") + 1)
    return is_new


def delete_old_attempts() -> None:
    """Delete the counts of periods that have ended."""
    WrongCodeCount.objects.filter(ends_at__lte=timezone.now()).delete()
