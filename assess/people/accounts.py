"""Accounts: find, deactivate and reactivate them, and end their sessions."""

from django.db import transaction

from assess import audit
from assess.errors import Refused
from assess.models import Action, Session, User
from pooling.errors import shown


def find_user(username: str) -> User:
    """Return the user with this name, or refuse."""
    user = User.objects.filter(username=User.normalize_username(username), erased_at=None).first()
    if user is None:
        raise Refused(f"There is no user {shown(username)}. Names are case-sensitive.")
    return user


def deactivate_account(user: User, actor: User | None = None) -> int:
    """Sign the user out everywhere and refuse further sign-ins. Returns the number of sessions that ended.

    Memberships and judgements stay. An assessor who cannot sign in gets no further tasks. Nobody deactivates their own
    account, so that one site owner always stays.
    """
    if user == actor:
        raise Refused("You cannot deactivate your own account. Another site owner can.")
    with transaction.atomic():
        user = _locked(user)
        if not user.is_active:
            raise Refused(f"The account {user} is already deactivated.")
        user.is_active = False
        user.save(update_fields=["is_active"])
        sessions = _delete_sessions(user)
        audit.record(Action.ACCOUNT_DEACTIVATED, actor=actor, person=user, details={"sessions": sessions})
    return sessions


def reactivate_account(user: User, actor: User | None = None) -> None:
    """Let the user sign in again, with the same password."""
    with transaction.atomic():
        user = _locked(user)
        if user.is_active:
            raise Refused(f"The account {user} is not deactivated.")
        user.is_active = True
        user.save(update_fields=["is_active"])
        audit.record(Action.ACCOUNT_REACTIVATED, actor=actor, person=user)


def end_sessions(user: User, actor: User | None = None) -> int:
    """Sign the user out in every browser. Returns the number of sessions. The user can sign in again."""
    with transaction.atomic():
        sessions = _delete_sessions(user)
        audit.record(Action.SESSIONS_ENDED, actor=actor, person=user, details={"sessions": sessions})
    return sessions


def _locked(user: User) -> User:
    """Read the account again and lock it, so that it cannot be erased in the meantime."""
    row = User.objects.select_for_update(no_key=True).filter(pk=user.pk, erased_at=None).first()
    if row is None:
        raise Refused(f"The account {user} has been erased.")
    return row


def _delete_sessions(user: User) -> int:
    return Session.objects.filter(user=user).delete()[0]
