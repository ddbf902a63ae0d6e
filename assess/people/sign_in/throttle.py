"""Limits how many wrong passwords are checked, for each account.

**A network.** After ten wrong passwords for an account from one network (an IPv4 address, or the /64 of an IPv6
address), this account is refused unchecked from this network for 15 minutes. Other accounts are not affected, so that a
class behind one address can sign in while a student guesses. A right password deletes the count.

**Many networks.** Each network can add ten wrong passwords a day to the count of the account. At 100, which takes at
least ten networks, the account is refused unchecked for the rest of the day, except in browsers that have signed in
with it before. Such a browser has a cookie with a token, with which ten wrong passwords are checked in 15 minutes,
from any network. A password reset deletes all counts of the account.

A name that no account has is counted in the same way, so that the answers do not tell which names exist. With a new
invented name for each attempt, this limits nothing. So a network can try UNKNOWN_LIMIT such names in an hour; above it,
they are refused unchecked, and the answer then tells that the name is invented. Names of accounts are still checked, so
that others behind the same address can sign in. `assess.people.sign_in.hash_slots` limits how many passwords are
checked at the same time.

An attempt is counted before the password is checked, so that attempts at the same time do not exceed the limit.
`assess.throttle` describes what is stored.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction

from assess import audit, throttle
from assess.models import Action, User
from assess.throttle import Limit, Start, TooManyAttempts

LIMIT = 10  # wrong attempts of an account from one network, or with the cookie of one browser
PAUSE = timedelta(minutes=15)
TOTAL_LIMIT = 100  # wrong attempts of an account from all networks
TOTAL_PERIOD = timedelta(days=1)
UNKNOWN_LIMIT = 100  # names of a network that no account has ...
UNKNOWN_PERIOD = timedelta(hours=1)  # ... in this time


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

    @property
    def narrow_limits(self) -> list[Limit]:
        """The limit of the network, that of the browser if it has a token, and that of names without an account."""
        sentence = f"Too many wrong {self.kind}s were entered for this name from your network. Try again in {{wait}}."
        unknown = [] if self.user else [self._unknown_names()]
        scopes = [f"network {self.visitor.network}", *([f"browser {self.token}"] if self.token else [])]
        return [Limit(self._key(scope), LIMIT, PAUSE, Start.EACH, sentence, self.user) for scope in scopes] + unknown

    def _unknown_names(self) -> Limit:
        """The limit of all names of the network that no account has."""
        sentence = "Too many names that do not exist were entered from your network. Try again in {wait}."
        key = f"sign-in {self.kind} unknown names {self.visitor.network}"
        return Limit(key, UNKNOWN_LIMIT, UNKNOWN_PERIOD, Start.FIRST, sentence)

    @property
    def share_of_network(self) -> Limit:
        """What the network adds to the total. Above it, nothing is refused."""
        return Limit(self._key(f"today {self.visitor.network}"), LIMIT, TOTAL_PERIOD, Start.FIRST, "", self.user)

    @property
    def total(self) -> Limit:
        """The limit of all networks together."""
        sentence = (
            f"Too many wrong {self.kind}s were entered for this name from many networks. Sign in with a browser in "
            "which you signed in before, or ask for a password reset."
        )
        return Limit(self._key("total"), TOTAL_LIMIT, TOTAL_PERIOD, Start.FIRST, sentence, self.user)

    def _key(self, scope: str) -> str:
        return f"sign-in {self.kind} {scope} {self.subject}"


def check(attempt: Attempt) -> None:
    """Raise TooManyAttempts if the attempt must not be checked. Nothing is counted."""
    throttle.check([*attempt.narrow_limits, *([] if attempt.token else [attempt.total])])


@transaction.atomic
def begin(attempt: Attempt) -> None:
    """Count an attempt, or raise TooManyAttempts if it must not be checked."""
    throttle.check_and_count(attempt.narrow_limits)
    if not attempt.token:
        throttle.check([attempt.total])  # a refusal takes back what was just counted


def succeeded(attempt: Attempt) -> None:
    """Forget the attempts from this network and this browser."""
    throttle.forget(attempt.narrow_limits)


@transaction.atomic
def failed(attempt: Attempt) -> None:
    """Add the attempt to the total of the account, unless its network has added its share."""
    try:
        throttle.check_and_count([attempt.share_of_network])
    except TooManyAttempts:
        return
    throttle.count([attempt.total])


@transaction.atomic
def unlock(user: User, actor: User | None = None) -> None:
    """Delete all counts of an account, so that its password is checked again from everywhere."""
    throttle.forget_user(user)
    audit.record(Action.SIGN_IN_UNLOCKED, actor=actor, person=user)
