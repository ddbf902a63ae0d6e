"""One-time links with which a person sets a new password. Only site owners and the command create them.

A link has a random token of 128 bits, which is stored hashed, and is valid for 24 hours. Only the newest link of an
account is valid, and only once. Using it ends all sessions of the account.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from assess import audit
from assess.errors import Refused
from assess.models import Action, ResetLink, Seat, User
from assess.people.link_tokens import new_token, token_hash
from assess.people.sign_in.new_password import set_password

VALID_FOR = timedelta(hours=24)
ANOTHER = "The administrator of this site can create another one."


@transaction.atomic
def create_reset_link(user: User, actor: User | None = None) -> str:
    """Return the token of a new link for a user. `actor` is a site owner, or None for the command."""
    if actor is not None and not (actor.is_superuser and actor.is_active):
        raise Refused("Only the owners of this site can create a link that resets a password.")
    row = User.objects.select_for_update(no_key=True).filter(pk=user.pk, erased_at=None).first()
    if row is None or not row.is_active:
        raise Refused(f"The account {user} is deactivated or erased. Its password cannot be reset.")
    if Seat.objects.filter(member__user=row).exists():
        raise Refused(f"{user} is a student's seat, which has no password.")
    ResetLink.objects.filter(user=row, used_at=None).delete()
    token = new_token()
    ResetLink.objects.create(user=row, token_hash=token_hash(token), expires_at=timezone.now() + VALID_FOR)
    audit.record(Action.RESET_LINK_CREATED, actor=actor, person=row)
    return token


def user_of_link(token: str) -> User:
    """Return the user whose password a link resets, or refuse and say why."""
    link = ResetLink.objects.select_related("user").filter(token_hash=token_hash(token)).first()
    if link is None or not link.user.is_active:
        raise Refused(f"This link is not valid. {ANOTHER}")
    if link.used_at is not None:
        raise Refused(f"This link has already been used. {ANOTHER}")
    if link.expires_at <= timezone.now():
        raise Refused(f"This link has expired: links are valid for 24 hours. {ANOTHER}")
    return link.user


@transaction.atomic
def use_reset_link(token: str, password: str) -> User:
    """Mark the link as used and set the password, which the form has validated."""
    user = user_of_link(token)
    # One statement, so that of two requests at the same time only one finds the link unused.
    if not ResetLink.objects.filter(token_hash=token_hash(token), used_at=None).update(used_at=timezone.now()):
        raise Refused(f"This link has already been used. {ANOTHER}")
    set_password(user, password, Action.PASSWORD_RESET)
    return user


def spent_reset_links() -> QuerySet[ResetLink]:
    """Return the links that were used or have expired."""
    return ResetLink.objects.filter(Q(used_at__isnull=False) | Q(expires_at__lte=timezone.now()))
