"""Who may sign in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with a password. What they may do is said by each collection's members."""
