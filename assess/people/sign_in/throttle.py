"""Limits how many wrong passwords are checked, for each account.

**A network.** After ten wrong passwords for an account from one network (an IPv4 address, or the /64 of an IPv6
address), this account is refused unchecked from this network for 15 minutes. Other accounts are not affected, so that a
class behind one address can sign in while a student guesses. A right password deletes the count.

**Many networks.** Each network can add ten wrong passwords a day to the count of the account. At 100, which takes at
least ten networks, the account is refused unchecked for the rest of the day, except in browsers that have signed in
with it before. Such a browser has a cookie with a token, with which ten wrong passwords are checked in 15 minutes,
from any network. A password reset deletes all counts of the account.

A name that no account has is counted in the same way, so that the answers do not tell which names exist.

**What is stored.** Counts in a table, under keyed hashes of account and network, until they end. A table and not a
cache: adding to a count must be atomic across processes, and Django's database cache reads, adds and writes, and drops
entries when it is full. An attempt is counted before the password is checked, so that attempts at the same time do not
exceed the limit.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from assess import audit
from assess.errors import Refused
from assess.models import Action, SignInCount, User

LIMIT = 10  # wrong attempts of an account from one network, or with the cookie of one browser
PAUSE = timedelta(minutes=15)
TOTAL_LIMIT = 100  # wrong attempts of an account from all networks
TOTAL_PERIOD = timedelta(days=1)


class TooManyAttempts(Refused):
    """The attempt was not checked. The client can try again after `retry_after` seconds."""

    def __init__(self, sentence: str, ends_at: datetime):
        super().__init__(sentence)
        self.retry_after = max(1, ceil((ends_at - timezone.now()).total_seconds()))


class Visitor(NamedTuple):
    """Who signs in: the address of the client, its network, and the browser's tokens of the accounts it knows."""

    address: str
    network: str
    tokens: Mapping[int, str]


class Attempt(NamedTuple):
    """An attempt for an account. `name` is what was typed; `kind` separates passwords from codes."""

    user: User | None
    name: str
    visitor: Visitor
    kind: str = "password"

    @property
    def subject(self) -> str:
        return f"user {self.user.pk}" if self.user else f"name {self.name.casefold()}"

    @property
    def token(self) -> str:
        """The browser's token for this account; empty if it has never signed in with it."""
        return self.visitor.tokens.get(self.user.pk, "") if self.user else ""

    def key(self, scope: str) -> str:
        text = f"{self.kind} {scope} {self.subject}"
        return salted_hmac("assess.people.sign_in.throttle", text, algorithm="sha256").hexdigest()

    @property
    def from_network(self) -> str:
        return self.key(f"network {self.visitor.network}")

    @property
    def from_browser(self) -> str:
        return self.key(f"browser {self.token}")

    @property
    def network_today(self) -> str:
        return self.key(f"today {self.visitor.network}")

    @property
    def total(self) -> str:
        return self.key("total")


def begin(attempt: Attempt) -> None:
    """Count an attempt, or raise TooManyAttempts if it must not be checked."""
    with transaction.atomic():
        # Always in this order, so that no two attempts wait for each other.
        narrow = [_locked(attempt, attempt.from_network)]
        if attempt.token:
            narrow.append(_locked(attempt, attempt.from_browser))
        for row in narrow:
            _check(row, attempt)
        if not attempt.token:
            _check_total(attempt)
        for row in narrow:
            _add(row, PAUSE, moves=True)


def succeeded(attempt: Attempt) -> None:
    """Forget the attempts from this network and this browser."""
    SignInCount.objects.filter(key_hash__in=[attempt.from_network, attempt.from_browser]).delete()


def failed(attempt: Attempt) -> None:
    """Add the attempt to the total of the account, unless its network has added its share."""
    with transaction.atomic():
        share = _locked(attempt, attempt.network_today)
        if share.count >= LIMIT:
            return
        _add(share, TOTAL_PERIOD)
        _add(_locked(attempt, attempt.total), TOTAL_PERIOD)


@transaction.atomic
def unlock(user: User, actor: User | None = None) -> None:
    """Delete all counts of an account, so that its password is checked again from everywhere."""
    SignInCount.objects.filter(user=user).delete()
    audit.record(Action.SIGN_IN_UNLOCKED, actor=actor, person=user)


def delete_ended() -> int:
    """Delete the counts that no longer matter. Returns how many."""
    return ended().delete()[0]


def ended() -> QuerySet[SignInCount]:
    """Return the counts that no longer matter."""
    return SignInCount.objects.filter(ends_at__lte=timezone.now())


def _check(row: SignInCount, attempt: Attempt) -> None:
    if row.count >= LIMIT:
        minutes = ceil((row.ends_at - timezone.now()).total_seconds() / 60)
        wait = f"{minutes} minutes" if minutes > 1 else "a minute"
        what = f"wrong {attempt.kind}s were entered for this name from your network"
        raise TooManyAttempts(f"Too many {what}. Try again in {wait}.", row.ends_at)


def _check_total(attempt: Attempt) -> None:
    row = SignInCount.objects.filter(key_hash=attempt.total, ends_at__gt=timezone.now()).first()
    if row and row.count >= TOTAL_LIMIT:
        raise TooManyAttempts(
            f"Too many wrong {attempt.kind}s were entered for this name from many networks. Sign in with a browser in "
            "which you signed in before, or ask for a password reset.",
            row.ends_at,
        )


def _locked(attempt: Attempt, key: str) -> SignInCount:
    """Return the row of a key, locked until the transaction ends. It is empty if its period is over."""
    SignInCount.objects.get_or_create(key_hash=key, defaults={"user": attempt.user, "ends_at": timezone.now()})
    row = SignInCount.objects.select_for_update().get(key_hash=key)
    if row.ends_at <= timezone.now():
        row.count = 0
    return row


def _add(row: SignInCount, period: timedelta, *, moves: bool = False) -> None:
    """Add one. The period begins with the first attempt, or with each one if it moves."""
    if moves or not row.count:
        row.ends_at = timezone.now() + period
    row.count += 1
    row.save(update_fields=["count", "ends_at"])
