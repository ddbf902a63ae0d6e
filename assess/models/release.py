"""Releases: golds that were frozen, with everything that a reader needs to use and to check them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from assess.models.collection import Collection
from assess.models.judgement import Checkpoint


class Release(models.Model):
    """One version of a released gold. A release never changes; the next one is a new version of the same name.

    `spec` is what the files are computed from, next to the ledger (`assess.releases.spec`). `archive` is the zip file,
    and `manifest` the text of its `manifest.json`. If a person whose data the archive contains is erased, the archive
    and the names in `spec` are deleted at `withdrawn_at`, and the manifest stays: it names nobody.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="releases")
    name = models.SlugField(max_length=60)
    version = models.PositiveSmallIntegerField()
    spec = models.JSONField()
    checkpoint = models.ForeignKey(Checkpoint, models.RESTRICT, related_name="releases")
    manifest = models.TextField()
    manifest_sha256 = models.CharField(max_length=64)
    archive = models.BinaryField(null=True)
    size = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name", "version")
        constraints = (
            models.UniqueConstraint(fields=["collection", "name", "version"], name="release_version_once"),
            models.CheckConstraint(
                condition=Q(archive__isnull=False, withdrawn_at__isnull=True)
                | Q(archive__isnull=True, withdrawn_at__isnull=False),
                name="release_has_archive_or_was_withdrawn",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}-{self.version}"
