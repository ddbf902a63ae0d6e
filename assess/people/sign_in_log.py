"""Records sign-ins, failed ones and lock-outs in the audit log, from the signals of Django and django-axes.

Students of a class exercise, who have a seat and no password, are not recorded. Failed sign-ins are recorded only as
often as the lock-out allows: the log grows slowly, also while a program guesses passwords.
"""

from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.http import HttpRequest
from django.utils import timezone

from assess import audit
from assess.lib.client_ip import client_ip
from assess.models import Action, AuditEvent, User


def connect() -> None:
    """Listen to the signals. Called once, when the application starts."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit")
    user_login_failed.connect(_sign_in_failed, dispatch_uid="audit")
    user_locked_out.connect(_locked_out, dispatch_uid="audit")


def _signed_in(user: User, **_: Any) -> None:
    if user.has_usable_password():  # a seat has none
        audit.record(Action.SIGNED_IN, actor=user)


def _sign_in_failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    # The receivers of axes come first, because they are connected when this module is imported. The attempt that locks,
    # and every later one, is a lock-out.
    if not getattr(request, "axes_locked_out", False):
        _record(Action.SIGN_IN_FAILED, credentials.get("username"), request, settings.AXES_FAILURE_LIMIT)


def _locked_out(username: str | None, request: HttpRequest, **_: Any) -> None:
    _record(Action.LOCKED_OUT, username, request, 1)


def _record(action: Action, username: str | None, request: HttpRequest | None, limit: int) -> None:
    """Record at most `limit` entries for an account and an address, until a lock-out would be over.

    The typed name is not stored, because it may be a password: an unknown name is an entry without a person.
    """
    address = audit.address_hash(client_ip(request)) if request else ""
    person = User.objects.filter(username=username).first() if username else None
    recent = AuditEvent.objects.filter(
        action=action, person=person, address_hash=address, at__gt=timezone.now() - settings.AXES_COOLOFF_TIME
    )
    if recent.count() < limit:
        audit.record(action, person=person, address_hash=address)
