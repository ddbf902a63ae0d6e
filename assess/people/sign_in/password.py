"""Checks a name and a password, with the throttle, and records failures in the audit log."""

from collections.abc import Callable

from django.contrib.auth import authenticate

from assess.models import Action, User
from assess.people.sign_in import throttle
from assess.people.sign_in.accounts import account_for
from assess.people.sign_in.hash_slots import admitted
from assess.people.sign_in.log import record_failure
from assess.people.sign_in.throttle import Attempt, Visitor
from assess.throttle import TooManyAttempts


def user_with_password(name: str, password: str, visitor: Visitor) -> User | None:
    """Return the active user with this name or email address and this password, or None.

    Raises TooManyAttempts if the password was not checked.
    """
    attempt = Attempt(account_for(name), name, visitor)
    _refuse_above(throttle.check, attempt)  # before it takes a place of others
    with admitted(visitor.network, is_account=attempt.user is not None):
        _refuse_above(throttle.begin, attempt)
        return _checked(attempt, password)


def _refuse_above(limit: Callable[[Attempt], None], attempt: Attempt) -> None:
    try:
        limit(attempt)
    except TooManyAttempts:
        record_failure(Action.LOCKED_OUT, attempt.user, attempt.visitor.address)
        raise


def _checked(attempt: Attempt, password: str) -> User | None:
    user = authenticate(None, username=attempt.name, password=password)
    if not isinstance(user, User):
        throttle.failed(attempt)
        record_failure(Action.SIGN_IN_FAILED, attempt.user, attempt.visitor.address)
        return None
    throttle.succeeded(attempt)
    return user


def is_password_of(user: User, password: str, visitor: Visitor) -> bool:
    """Whether this is the password of a signed-in user, who has to confirm something. Throttled like signing in."""
    return user_with_password(user.username, password, visitor) == user
