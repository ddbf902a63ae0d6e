"""The second factor: six digits of an authenticator app (TOTP), or a recovery code.

django-allauth stores the secrets; `SecretsAdapter` encrypts them with a key derived from the site's secret key. So a
copy of the database without that key does not reveal them, and a site whose secret key is lost or changed cannot check
codes any more: `assay remove_second_factor` then removes them. A code works once, also when it is sent to two server
processes at the same time. Wrong codes are throttled like wrong passwords.
"""

from datetime import timedelta

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.db import transaction

from assess import audit
from assess.errors import Refused
from assess.lib.secrets import decrypt, encrypt
from assess.models import Action, User
from assess.people.sign_in import throttle
from assess.people.sign_in.throttle import Attempt, Visitor
from assess.throttle import Limit, Start, TooManyAttempts, check_and_count

PURPOSE = "assess.people.sign_in.two_factor"
CODE_LIFE = timedelta(minutes=5)  # longer than an app's code is accepted
ISSUER = "Assay"


class SecretsAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # without types
    """Encrypts the secrets."""

    def encrypt(self, text: str) -> str:
        return encrypt(text, PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text, PURPOSE)

    def get_totp_issuer(self) -> str:
        return ISSUER

    def get_totp_label(self, user: User) -> str:
        return user.username


def check_code(user: User, code: str, visitor: Visitor) -> Authenticator | None:
    """Return the authenticator whose code this is, or None. Raises TooManyAttempts if the code was not checked."""
    attempt = Attempt(user, user.username, visitor, kind="code")
    throttle.begin(attempt)
    authenticator = _matching(user, code)
    if authenticator is None:
        throttle.failed(attempt)
        audit.record(Action.CODE_FAILED, person=user, address_hash=audit.address_hash(visitor.address))
        return None
    throttle.succeeded(attempt)
    return authenticator


@transaction.atomic
def _matching(user: User, code: str) -> Authenticator | None:
    # Locked, so that of two requests with the same recovery code only one marks it as used.
    for authenticator in Authenticator.objects.select_for_update().filter(user=user).order_by("pk"):
        if authenticator.wrap().validate_code(code):
            authenticator.user = user
            return authenticator if _is_first_use(user, code) else None
    return None


def _is_first_use(user: User, code: str) -> bool:
    """Remember the code, and return whether it is new. allauth's own memory is in one process only."""
    key = f"used code {user.pk} {''.join(filter(str.isalnum, code))}"
    try:
        check_and_count([Limit(key, 1, CODE_LIFE, Start.FIRST, "", user)])
    except TooManyAttempts:
        return False
    return True


@transaction.atomic
def remove_second_factor(user: User, actor: User | None = None) -> None:
    """Let a user sign in without a code, for example after a phone was lost."""
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    if not deleted:
        raise Refused(f"{user} has no second factor.")
    audit.record(Action.SECOND_FACTOR_OFF, actor=actor, person=user)
