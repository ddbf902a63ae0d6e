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

`benchmarks.wrong_codes` measures what a wrong code costs the server: 7.6 ms of CPU time on SQLite and 9.0 ms on
PostgreSQL, so two cores check at most 263 in a second. With 6 characters, the limits are within reach: somebody who
guesses can block codes of 6 characters, typed or in a link, for the rest of the hour. Longer codes, and students who
have a seat, are not affected.

**What is not checked.** Above a limit, a code is refused without a look at the database's codes, until the clock hour
ends (or, for a browser, the ten minutes). A text that cannot be a code, because of its length or its characters, or
because no exercise has a code of this length, is refused without being counted.

The counts are read before the code is checked and raised after it, so n simultaneous requests exceed a limit by less
than n. A wrong code is one short transaction. `assess.throttle` describes what is stored: here, hashes of the network
and of the browser's token.
"""

from datetime import timedelta
from typing import NamedTuple

from django.db.models.functions import Length

from assess.errors import Refused
from assess.models import Exercise
from assess.models.exercise import LETTERS, MAX_SEATS, REENTRY_LENGTH, not_expired
from assess.throttle import Limit, Start

CHANCE_PER_DAY = 0.001  # that any code of the site is guessed
KINDS = 3  # of codes, which share the chance
HOURS = 25  # clock hours that 24 hours can touch
NETWORK_SHARE = 2  # a network can use 1/2 of the site's limit
HOUR = timedelta(hours=1)
MAX_WRONG_IN_BROWSER = 10  # wrong codes of one browser ...
BROWSER_PERIOD = timedelta(minutes=10)  # ... in this time


class WrongCode(Refused):
    """There is nothing with this code."""


class Visitor(NamedTuple):
    """Who enters a code: the random token of the browser, empty if it has none yet, and the network."""

    browser: str
    network: str


def exercise_code_limits(visitor: Visitor, length: int) -> list[Limit]:
    """Return the limits for exercise codes of this length; none if there is no such code to guess."""
    codes = Exercise.objects.filter(not_expired()).annotate(length=Length("code"))
    live = codes.filter(length=length).count()
    return _limits(visitor, "exercise", f"exercise {length}", wrong_codes_per_hour(length, live)) if live else []


def reentry_code_limits(visitor: Visitor, exercise_id: int) -> list[Limit]:
    """Return the limits for re-entry codes of an exercise. All exercises count as full."""
    most = wrong_codes_per_hour(REENTRY_LENGTH, MAX_SEATS)
    limits = _limits(visitor, f"return {exercise_id}", "return", most)
    limits.insert(-1, _limit(f"return {exercise_id}", most // NETWORK_SHARE, HOUR, "for this exercise"))
    return limits


def wrong_codes_per_hour(length: int, live: int) -> int:
    """Return how many wrong codes of this length the site checks in an hour if `live` codes are valid."""
    return int(CHANCE_PER_DAY / KINDS / HOURS * len(LETTERS) ** length / live)


def _limits(visitor: Visitor, browser_scope: str, scope: str, most: int) -> list[Limit]:
    """Return the limits from the narrowest to the widest. A browser without a token has no limit of its own."""
    browser = _limit(
        f"{browser_scope} browser {visitor.browser}", MAX_WRONG_IN_BROWSER, BROWSER_PERIOD, "in this browser"
    )
    network = _limit(f"{scope} network {visitor.network}", most // NETWORK_SHARE, HOUR, "from your network")
    site = _limit(scope, most, HOUR, "on this site")
    return [browser, network, site] if visitor.browser else [network, site]


def _limit(scope: str, most: int, period: timedelta, where: str) -> Limit:
    sentence = f"Too many wrong codes were entered {where}. Try again in {{wait}}."
    return Limit(f"code {scope}", most, period, Start.CLOCK, sentence)
