"""Finds the account that somebody means by a name or an email address."""

from django.db.models.functions import Lower

from assess.models import User


def account_for(name: str) -> User | None:
    """Return the account with this name, or else the one with this email address. Names are case-sensitive."""
    users = User.objects.filter(erased_at=None)
    if user := users.filter(username=name).first():
        return user
    return users.alias(lower=Lower("email")).filter(lower=name.lower()).first() if "@" in name else None
