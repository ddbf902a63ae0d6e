"""The email address of an account: unique, whatever the case of its letters, and optional."""

from allauth.account.models import EmailAddress
from django.core.validators import validate_email
from django.db import transaction
from django.db.models.functions import Lower
from django.forms import ValidationError

from assess import audit
from assess.errors import Refused
from assess.models import Action, User

MAX_LENGTH = User._meta.get_field("email").max_length or 0


@transaction.atomic
def change_email(user: User, address: str, actor: User | None) -> None:
    """Give an account another address, in lower case, or none. Refuse one that another account has."""
    address = address.strip().lower()
    if address:
        _check(user, address)
    # Of two accounts that take an address at the same time, the constraint of the table lets only one.
    User.objects.filter(pk=user.pk).update(email=address)
    EmailAddress.objects.filter(user=user).delete()  # the copy of django-allauth
    user.email = address
    audit.record(Action.EMAIL_CHANGED, actor=actor, person=user)


def _check(user: User, address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise Refused(f"{address[:80]!r} is not an email address.") from None
    if len(address) > MAX_LENGTH:
        raise Refused(f"An email address may have at most {MAX_LENGTH} characters, not {len(address)}.")
    if User.objects.exclude(pk=user.pk).alias(lower=Lower("email")).filter(lower=address).exists():
        raise Refused("Another account has this email address.")
