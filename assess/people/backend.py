"""Reads the signed-in user with a prepared statement, since every request needs it."""

from django.contrib.auth.backends import ModelBackend

from assess import prepared
from assess.models import User


class AccountBackend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        user = prepared.user(user_id)
        return user if user and self.user_can_authenticate(user) else None
