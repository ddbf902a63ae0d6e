"""The members of a collection: who may judge, research or own it."""

import secrets

from django.db import transaction

from assess.collections.text_fields import check_field
from assess.errors import Refused
from assess.models import Collection, Member, Role, User


@transaction.atomic
def add_member(collection: Collection, username: str, role: str, name: str = "") -> tuple[Member, str | None]:
    """Give a person a role. Returns the member, and the random password where the person is new."""
    username = User.normalize_username(username)
    user, password = User.objects.filter(username=username).first(), None
    if user is None:
        check_field(User, "username", username)
        password = secrets.token_urlsafe(9)
        user = User.objects.create_user(username, password=password)
    if held := collection.members.filter(user=user).first():
        raise Refused(f"{username} is already {held.role} of {collection}; a person has one role in a collection.")
    name = name or _free_name(collection, role)
    check_member_name(name)
    if collection.members.filter(name=name).exists():
        raise Refused(f"{collection} already has a member called {name!r}; choose another pseudonym.")
    return Member.objects.create(collection=collection, user=user, role=role, name=name), password


def check_member_name(name: str) -> None:
    """Refuse what cannot stand in a file's line or a figure's legend."""
    check_field(Member, "name", name)
    if not name.isprintable() or name != name.strip():
        raise Refused(f"{name!r} cannot be the name of a member: it is printable text without spaces around it.")


def _free_name(collection: Collection, role: str) -> str:
    taken = set(collection.members.values_list("name", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := f"{role}-{n}") not in taken)


def active_assessors(collection: Collection) -> list[Member]:
    """Who may be given tasks: assessors who can sign in, in a stable order."""
    return list(collection.members.filter(role=Role.ASSESSOR, user__isnull=False).order_by("pk"))
