"""The one-time link by which the first owner creates an account, without a password on the command line.

A link has a random token of 128 bits and is valid for 24 hours. Only the newest link is valid, and only once.
"""

from collections.abc import Callable
from datetime import timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from assess import audit
from assess.errors import Refused
from assess.models import Action, OwnerLink, Role, User
from assess.people.link_tokens import new_token, token_hash

VALID_FOR = timedelta(hours=24)
ANOTHER = "The administrator of this site can print another one with assay owner_link."


def has_owner() -> bool:
    """Whether somebody can already sign in as an owner: a superuser, or an owner of a collection with a password."""
    owners = Q(memberships__role=Role.OWNER) & ~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX) & ~Q(password="")
    return User.objects.filter(Q(is_superuser=True) | owners, is_active=True).exists()


def create_link() -> str:
    """The token of a new link. All earlier links become invalid."""
    token = new_token()
    with transaction.atomic():
        OwnerLink.objects.all().delete()
        OwnerLink.objects.create(token_hash=token_hash(token), expires_at=timezone.now() + VALID_FOR)
        audit.record(Action.LINK_CREATED)
    return token


def check_link(token: str) -> None:
    """Refuse a token that cannot be used, and say why."""
    link = OwnerLink.objects.filter(token_hash=token_hash(token)).first()
    if link is None:
        raise Refused(f"This link is not valid. {ANOTHER}")
    if link.used_at is not None:
        raise Refused(f"This link has already been used. {ANOTHER}")
    if link.expires_at <= timezone.now():
        raise Refused(f"This link has expired: links are valid for 24 hours. {ANOTHER}")


def use_link(token: str, create_user: Callable[[], User]) -> User:
    """Mark the link as used and create the account, in one transaction."""
    with transaction.atomic():
        now = timezone.now()
        # One statement, so that of two requests at the same time only one finds the link unused.
        unused = OwnerLink.objects.filter(token_hash=token_hash(token), used_at=None, expires_at__gt=now)
        if not unused.update(used_at=now):
            check_link(token)
            raise Refused(f"This link is not valid. {ANOTHER}")
        user = create_user()
        audit.record(Action.LINK_USED, actor=user)
        return user


def spent_links() -> QuerySet[OwnerLink]:
    """Return the links that were used or have expired."""
    return OwnerLink.objects.filter(Q(used_at__isnull=False) | Q(expires_at__lte=timezone.now()))
