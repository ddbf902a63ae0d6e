"""Who is signed in: Django's users by their passwords, found by a query that is composed once."""

from django.contrib.auth.backends import ModelBackend

from assess.lib.prepared import Composed, Given
from assess.models import User

BY_KEY = Composed(lambda: User.objects.filter(pk=Given("pk")))


class AccountBackend(ModelBackend):
    def get_user(self, user_id):
        user = BY_KEY.first(pk=user_id)
        return user if user and self.user_can_authenticate(user) else None
