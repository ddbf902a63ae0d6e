"""The one-time link that creates an owner's account."""

from django.db import models


class OwnerLink(models.Model):
    """A link that was printed. The token itself is not stored, so that a copy of the database opens no account."""

    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"owner link, valid until {self.expires_at:%Y-%m-%d %H:%M} UTC"
