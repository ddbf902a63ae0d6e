"""Links with a secret token: the one that creates an owner's account, and invitations to a collection.

The tokens are not stored, only their hashes, so that a copy of the database gives access to no account.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from assess.models.collection import ROLES_OF_PEOPLE, Collection, Member

MAX_NOTE_LENGTH = 254  # of an email address


class OwnerLink(models.Model):
    """A one-time link that was printed."""

    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"owner link, valid until {self.expires_at:%Y-%m-%d %H:%M} UTC"


class Invitation(models.Model):
    """A link that gives `max_uses` people a role in a collection, until it expires or is revoked.

    `created_by` is null if a command made the link. `note` is what its maker calls it. `pseudonym` is the
    name of the new member in exports; it is empty if the link is for several people.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    collection = models.ForeignKey(Collection, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=[(role.value, role.label) for role in ROLES_OF_PEOPLE])
    # CASCADE: the link of an erased person must not become one that a command made, which nobody has to be allowed.
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    note = models.CharField(max_length=MAX_NOTE_LENGTH, blank=True)
    pseudonym = models.CharField(max_length=Member._meta.get_field("name").max_length or 0, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    max_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in ROLES_OF_PEOPLE]), name="invitation_role_known"
            ),
            models.CheckConstraint(condition=Q(uses__lte=F("max_uses")), name="invitation_uses_limited"),
            models.CheckConstraint(condition=Q(pseudonym="") | Q(max_uses=1), name="invitation_pseudonym_once"),
        )

    def __str__(self) -> str:
        return f"invitation to {self.collection} as {self.role}"
