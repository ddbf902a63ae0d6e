"""Counts attempts under keys, and refuses more than a limit allows in a period.

**Limits.** A caller lists the limits of an attempt from the narrowest to the widest, for example of a browser, a
network and the site. Each has a key, and counts are kept for each key. A period begins at times that are the same for
everybody, with the first count, or again with each count: see `Start`. An attempt is refused while a count is as high
as its limit. If several are, the refusal names the one that ends last.

**Attempts at the same time.** `check_and_count` locks the counts, so that no more attempts than `most` are counted and
made. A caller that counts only some attempts, after it knows their outcome, uses `check` before and `count` after: n
attempts at the same time then exceed a limit by less than n, and no count is lost. Counts are always locked from the
narrowest to the widest limit, so that no two attempts wait for each other.

**What is stored.** Keyed hashes of the keys, each with a count, until the period ends. A table and not a cache: adding
to a count must be atomic across processes, and Django's database cache reads, adds and writes, and drops entries when
it is full. Ended counts are deleted every night, and when `count` begins a period of the widest limit.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from math import ceil
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from assess.errors import Refused
from assess.models import AttemptCount, User


class Start(Enum):
    """When the period of a limit begins."""

    CLOCK = "clock"  # for everybody at the same time: a period of an hour is a clock hour
    FIRST = "first"  # with the first count
    EACH = "each"  # again with each count


class Limit(NamedTuple):
    """Attempts that are counted together under `key`, and how many are allowed in a period.

    `sentence` says why an attempt is refused; `{wait}` in it becomes the remaining time. `user` is the account that the
    attempts are for, with which `forget_user` deletes the count.
    """

    key: str
    most: int
    period: timedelta
    start: Start
    sentence: str
    user: User | None = None

    @property
    def key_hash(self) -> str:
        return salted_hmac("assess.throttle", self.key, algorithm="sha256").hexdigest()

    def end(self, now: datetime) -> datetime:
        """Return the end of a period that begins now, or of the clock's present period."""
        if self.start is not Start.CLOCK:
            return now + self.period
        seconds = self.period.total_seconds()
        return datetime.fromtimestamp((now.timestamp() // seconds + 1) * seconds, UTC)


class TooManyAttempts(Refused):
    """The attempt must not be made. The client can try again after `retry_after` seconds."""

    def __init__(self, sentence: str, remaining: timedelta):
        self.retry_after = max(1, ceil(remaining.total_seconds()))
        minutes = ceil(self.retry_after / 60)
        super().__init__(sentence.format(wait=f"{minutes} minutes" if minutes > 1 else "a minute"))


def check(limits: Sequence[Limit]) -> None:
    """Raise TooManyAttempts if a limit is reached. Nothing is counted or locked."""
    if limits:
        _check(limits, _rows(limits), timezone.now())


def count(limits: Sequence[Limit]) -> None:
    """Count an attempt, whether a limit is reached or not."""
    with transaction.atomic():
        rows, now = _locked_rows(limits), timezone.now()
        begins = bool(limits) and rows[limits[-1].key_hash].ends_at <= now
        _add(limits, rows, now)
    if begins:
        delete_ended()


@transaction.atomic
def check_and_count(limits: Sequence[Limit]) -> None:
    """Count an attempt that is about to be made, or raise TooManyAttempts if a limit is reached."""
    rows, now = _locked_rows(limits), timezone.now()
    _check(limits, rows, now)
    _add(limits, rows, now)


def forget(limits: Sequence[Limit]) -> None:
    """Delete the counts of these limits."""
    for limit in limits:  # one by one, because a single statement would lock them in any order
        AttemptCount.objects.filter(key_hash=limit.key_hash).delete()


def forget_user(user: User) -> None:
    """Delete all counts of attempts for this account."""
    AttemptCount.objects.filter(user=user).delete()


def ended() -> QuerySet[AttemptCount]:
    """Return the counts that no longer matter."""
    return AttemptCount.objects.filter(ends_at__lte=timezone.now())


@transaction.atomic
def delete_ended() -> int:
    """Delete the counts that no longer matter. Returns how many."""
    # Those that are locked begin a new period now. Waiting for them could make two transactions wait for each other.
    unlocked = ended().select_for_update(skip_locked=True)
    return AttemptCount.objects.filter(pk__in=unlocked.values("pk")).delete()[0]


def _check(limits: Sequence[Limit], rows: dict[str, AttemptCount], now: datetime) -> None:
    found = [(limit, rows[limit.key_hash]) for limit in limits if limit.key_hash in rows]
    reached = [(row.ends_at, limit) for limit, row in found if row.ends_at > now and row.count >= limit.most]
    if reached:
        ends_at, limit = max(reached, key=lambda pair: pair[0])
        raise TooManyAttempts(limit.sentence, ends_at - now)


def _add(limits: Sequence[Limit], rows: dict[str, AttemptCount], now: datetime) -> None:
    for limit in limits:
        row = rows[limit.key_hash]
        is_ended = row.ends_at <= now
        row.count = 1 if is_ended else row.count + 1
        if is_ended or limit.start is Start.EACH:
            row.ends_at = limit.end(now)
    AttemptCount.objects.bulk_update(rows.values(), ["count", "ends_at"])


def _rows(limits: Sequence[Limit]) -> dict[str, AttemptCount]:
    return AttemptCount.objects.in_bulk([limit.key_hash for limit in limits], field_name="key_hash")


def _locked_rows(limits: Sequence[Limit]) -> dict[str, AttemptCount]:
    """Return the rows of the limits, locked until the transaction ends. New ones have ended."""
    now = timezone.now()
    new = [AttemptCount(key_hash=limit.key_hash, user=limit.user, ends_at=now) for limit in limits]
    # The update of an existing row changes nothing: it locks the row. Selecting it for update would find nothing if it
    # was deleted in the meantime; this statement then inserts it again.
    AttemptCount.objects.bulk_create(new, update_conflicts=True, unique_fields=["key_hash"], update_fields=["key_hash"])
    return _rows(limits)
