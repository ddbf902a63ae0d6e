"""Sets a new password, which ends the sessions of the account and unlocks it."""

from django.db import transaction

from assess import audit, throttle
from assess.models import Action, ResetLink, Session, User


@transaction.atomic
def set_password(user: User, password: str, action: Action, keep_session: str | None = None) -> int:
    """Store the password, which the form has validated. Returns how many sessions ended.

    `keep_session` is the key of the session that changes the password; all others end. Reset links that are not used
    yet become invalid, and wrong passwords are forgotten.
    """
    user.set_password(password)
    user.save(update_fields=["password"])
    ended, _ = Session.objects.filter(user=user).exclude(session_key=keep_session or "").delete()
    ResetLink.objects.filter(user=user, used_at=None).delete()
    throttle.forget_user(user)
    audit.record(action, actor=user, person=user, details={"sessions": ended})
    return ended
