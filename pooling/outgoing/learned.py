"""Limits that a server names in its answers, so that it is asked more slowly before it refuses.

The headers are those of OpenAI, which other servers have, too. KIND is `requests` or `tokens`:

x-ratelimit-limit-KIND
    How many are allowed until the reset.
x-ratelimit-remaining-KIND
    How many of them are left.
x-ratelimit-reset-KIND
    When all are available again, such as 1m30s, 6ms or 2 (seconds).

While at least half is left, requests begin at once. Below, what is left is spread over the time until the reset. If
nothing is left, requests wait for the reset. This uses all that a server allows, whether it gives it back steadily or
at once. Requests in flight count as if the server had not counted them.

A request costs as many tokens as recent answers used on average. A header that cannot be read is ignored. So is a reset
that is too far away to wait for: the server's refusal will say so.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

KINDS = ("requests", "tokens")
SPREAD_BELOW = 0.5  # share of the limit
WEIGHT = 0.125  # of an answer in the mean of the tokens
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?\Z")
_PART = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(ns|us|ms|s|m|h|d)")
MAX_HEADER = 60  # characters


class Reading(NamedTuple):
    """What an answer says of one kind. `limit` is 0 if it is not known."""

    limit: float
    remaining: float
    reset: float


@dataclass
class _Allowance:
    """What is left of one kind, until when, and what a request costs on average."""

    limit: float = 0.0
    left: float = math.inf
    reset_at: float = -math.inf
    cost: float = 1.0
    remaining: float | None = None

    def begins_at(self, now: float, last: float) -> float:
        """Return when the next request may begin, if the last one began then."""
        if now >= self.reset_at:
            return now
        if self.left < self.cost:
            return self.reset_at
        if self.left >= SPREAD_BELOW * self.limit:
            return now
        return last + (self.reset_at - now) / (self.left / self.cost)


class LearnedPace:
    """When requests may begin, by the limits that the answers of a server name. It can be used from several threads."""

    def __init__(self, longest: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._longest, self._clock, self._lock = longest, clock, threading.Lock()
        self._kinds = {kind: _Allowance() for kind in KINDS}
        self._last, self._in_flight = -math.inf, 0

    def wait(self) -> float:
        """Return 0 and count a request that begins now, or the seconds until one may begin."""
        with self._lock:
            now = self._clock()
            start = max(kind.begins_at(now, self._last) for kind in self._kinds.values())
            if start > now:
                return start - now
            self._last = now
            self._in_flight += 1
            for kind in self._kinds.values():
                kind.left -= kind.cost
            return 0.0

    def learn(self, headers: Mapping[str, str]) -> None:
        """Count a request as ended, and read the headers of its answer, in lower case; empty if none came."""
        with self._lock:
            self._in_flight -= 1
            for name, kind in self._kinds.items():
                found = read_limits(headers, name)
                if found and found.reset <= self._longest:
                    self._learn(name, kind, found)

    def _learn(self, name: str, kind: _Allowance, found: Reading) -> None:
        used = 0.0 if kind.remaining is None else kind.remaining - found.remaining
        if name == "tokens" and used > 0:
            kind.cost = used if kind.cost == 1 else kind.cost + WEIGHT * (used - kind.cost)
        kind.limit, kind.remaining = found.limit, found.remaining
        kind.left = found.remaining - self._in_flight * kind.cost
        kind.reset_at = self._clock() + found.reset


def read_limits(headers: Mapping[str, str], kind: str) -> Reading | None:
    """Return what the headers of an answer say of a kind, or None.

    Examples
    --------
    >>> names = ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests")
    >>> read_limits(dict(zip(names, ("60", "59", "1s"))), "requests")
    Reading(limit=60.0, remaining=59.0, reset=1.0)
    """
    texts = (headers.get(f"x-ratelimit-{name}-{kind}", "").strip() for name in ("limit", "remaining", "reset"))
    limit, remaining, reset = texts
    seconds = reset_seconds(reset)
    if seconds is None or not _NUMBER.match(remaining):
        return None
    return Reading(float(limit) if _NUMBER.match(limit) else 0.0, float(remaining), seconds)


def reset_seconds(text: str) -> float | None:
    """Return the seconds of a reset, or None if it cannot be read.

    Examples
    --------
    >>> reset_seconds("1m30s"), reset_seconds("6ms"), reset_seconds("2"), reset_seconds("soon")
    (90.0, 0.006, 2.0, None)
    """
    if len(text) > MAX_HEADER:
        return None
    if _NUMBER.match(text):
        return float(text)
    total, place = 0.0, 0
    while part := _PART.match(text, place):
        total += float(part[1]) * _SECONDS[part[2]]
        place = part.end()
    return total if text and place == len(text) else None
