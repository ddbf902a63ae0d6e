"""Judges whose judgements were imported, the original files, and what each import changed."""

import zlib

from django.db import models
from django.db.models import Q

from assess.models.collection import Collection, Member


class JudgeKind(models.TextChoices):
    HUMAN = "human", "human"
    CROWD = "crowd", "crowd"
    MODEL = "model", "model"
    DERIVED = "derived", "derived, such as from clicks"


class ImportedJudge(models.Model):
    """What is known about an imported judge.

    `kind` is empty if it was not stated. `own_scale` (null if not declared) lists the judge's grades before the
    mapping, and `mapping` says which grade of the collection replaces which of the judge's: {"1": 2}.
    """

    member = models.OneToOneField(Member, models.CASCADE, related_name="imported_judge")
    kind = models.CharField(max_length=8, choices=JudgeKind.choices, blank=True)
    description = models.TextField(blank=True)
    own_scale = models.JSONField(null=True)
    mapping = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["", *JudgeKind.values]), name="judge_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.kind or 'kind not stated'}"


class ImportedFile(models.Model):
    """An imported file, unchanged. `content` holds its bytes compressed with zlib; `sha256` is that of the file.

    `judges` are the names of everyone with a line in the file, also of those without a valid line or without a member.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="imported_files")
    name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    content = models.BinaryField()
    judges = models.JSONField(default=list)
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "sha256"], name="imported_file_once")]

    def __str__(self) -> str:
        return self.name

    def original(self) -> bytes:
        """The bytes of the file."""
        return zlib.decompress(self.content)


class JudgementImport(models.Model):
    """One import of one judge's lines. It is written only if the import added judgements of some judge in the file.

    `options` and `counts` are those of `agreement.judge_files`. The file is null after an erasure: it contained the
    judgements of an erased person.
    """

    member = models.ForeignKey(Member, models.CASCADE, related_name="judgement_imports")
    file = models.ForeignKey(ImportedFile, models.SET_NULL, null=True, related_name="judgement_imports")
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    added = models.PositiveIntegerField()
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["imported_at", "pk"]

    def __str__(self) -> str:
        return f"{self.member} from {self.file_name}"
