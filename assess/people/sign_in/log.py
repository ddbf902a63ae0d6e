"""Records sign-ins, failed ones and lock-outs in the audit log.

Students of a class exercise, who have a seat and no password, are not recorded. Failed sign-ins are recorded only as
often as the throttle allows: the log grows slowly, also while a program guesses passwords.
"""

from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone

from assess import audit
from assess.models import Action, AuditEvent, Seat, User
from assess.people.sessions import BROWSER, MAX_BROWSER, SIGNED_IN_AT
from assess.people.sign_in.throttle import LIMIT, PAUSE


def connect() -> None:
    """Listen to the signals of Django and django-allauth. Called once, when the application starts."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit")
    authenticator_added.connect(_second_factor(Action.SECOND_FACTOR_ON), weak=False, dispatch_uid="audit on")
    authenticator_removed.connect(_second_factor(Action.SECOND_FACTOR_OFF), weak=False, dispatch_uid="audit off")
    authenticator_reset.connect(_recovery_codes, dispatch_uid="audit codes")
    social_account_added.connect(_connected, dispatch_uid="audit connected")
    social_account_removed.connect(_disconnected, dispatch_uid="audit disconnected")


def _signed_in(user: User, request: HttpRequest, **_: Any) -> None:
    if user.has_usable_password() or not Seat.objects.filter(member__user=user).exists():
        audit.record(Action.SIGNED_IN, actor=user)
        request.session[BROWSER] = request.headers.get("user-agent", "")[:MAX_BROWSER]
        request.session[SIGNED_IN_AT] = timezone.now().isoformat()


def _second_factor(action: Action) -> Callable[..., None]:
    def record(user: User, authenticator: Authenticator, **_: Any) -> None:
        if authenticator.type == Authenticator.Type.TOTP:
            audit.record(action, actor=user, person=user)

    return record


def _recovery_codes(user: User, **_: Any) -> None:
    audit.record(Action.RECOVERY_CODES, actor=user, person=user)


def _connected(sociallogin: SocialLogin, **_: Any) -> None:
    user = sociallogin.account.user
    audit.record(Action.OPENID_CONNECTED, actor=user, person=user)


def _disconnected(socialaccount: SocialAccount, **_: Any) -> None:
    user = socialaccount.user
    audit.record(Action.OPENID_DISCONNECTED, actor=user, person=user)


def record_failure(action: Action, person: User | None, address: str) -> None:
    """Record at most ten failures, or one lock-out, for an account and an address in 15 minutes.

    The typed name is not stored, because it may be a password: an unknown name is an entry without a person.
    """
    hashed = audit.address_hash(address)
    recent = AuditEvent.objects.filter(action=action, person=person, address_hash=hashed, at__gt=timezone.now() - PAUSE)
    if recent.count() < (1 if action == Action.LOCKED_OUT else LIMIT):
        audit.record(action, person=person, address_hash=hashed)
