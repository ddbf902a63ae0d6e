"""Records sign-ins, failed ones and lock-outs in the audit log.

Students of a class exercise, who have a seat and no password, are not recorded. Failed sign-ins are recorded only as
often as the throttle allows: the log grows slowly, also while a program guesses passwords.
"""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.utils import timezone

from assess import audit
from assess.models import Action, AuditEvent, User
from assess.people.sign_in.throttle import LIMIT, PAUSE


def connect() -> None:
    """Listen to Django's signal of a sign-in. Called once, when the application starts."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit")


def _signed_in(user: User, **_: Any) -> None:
    if user.has_usable_password():  # a seat has none
        audit.record(Action.SIGNED_IN, actor=user)


def record_failure(action: Action, person: User | None, address: str) -> None:
    """Record at most ten failures, or one lock-out, for an account and an address in 15 minutes.

    The typed name is not stored, because it may be a password: an unknown name is an entry without a person.
    """
    hashed = audit.address_hash(address)
    recent = AuditEvent.objects.filter(action=action, person=person, address_hash=hashed, at__gt=timezone.now() - PAUSE)
    if recent.count() < (1 if action == Action.LOCKED_OUT else LIMIT):
        audit.record(action, person=person, address_hash=hashed)
