"""Counts of attempts, for the throttle."""

from django.conf import settings
from django.db import models


class AttemptCount(models.Model):
    """How many attempts were counted under a key until `ends_at`: see assess.throttle.

    The keys are keyed hashes. `user` has no constraint in the database, because an account may be erased meanwhile.
    """

    key_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, db_constraint=False, related_name="+")
    count = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.ends_at:%H:%M}"
