"""Authenticates by name or email address, and reads the signed-in user with a prepared statement.

Every session names this module, so it cannot be moved without ending all sessions.
"""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from assess import prepared
from assess.models import User
from assess.people.sign_in.accounts import account_for


class AccountBackend(ModelBackend):
    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **_: Any
    ) -> User | None:
        """Return the active user with this name or email address and this password. The caller limits the attempts."""
        account = account_for(username) if username else None
        user = super().authenticate(request, username=account.username if account else username, password=password)
        return user if isinstance(user, User) else None

    def get_user(self, user_id: int) -> User | None:
        user = prepared.user(user_id)
        return user if user and self.user_can_authenticate(user) else None
