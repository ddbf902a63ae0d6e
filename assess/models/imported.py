"""Uploaded files, imports, judges whose judgements were imported, and their original files."""

import zlib
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from assess.models.collection import Collection, Member
from pooling.errors import shown
from pooling.paths import IRDS


class ImportKind(models.TextChoices):
    """What a file contains, in the order in which files are imported."""

    TOPICS = "topics", "topics"
    SCALE = "scale", "scale"
    RUNS = "runs", "runs"
    POOL = "pool", "pool"
    DOCUMENTS = "documents", "documents"
    JUDGEMENTS = "judgements", "judgements"


class Upload(models.Model):
    """A file that a user imports from the browser. It arrives in chunks, and is deleted when it is imported.

    `received` is the number of bytes that have arrived. `server_path` is set instead if the file is on the server, or
    if it is a data set.
    `kind`, `format` and `label` say what the content is; they are empty if it was not recognised, and `error` says why.
    `first_rows` are columns and rows to look at. `given_name` is the name of the judge of a file of judgements, or of
    the system of a run, if the user states one.
    """

    public_id = models.UUIDField(unique=True, default=uuid4, editable=False)
    collection = models.ForeignKey(Collection, models.CASCADE, related_name="uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    received = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    server_path = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=ImportKind.choices, blank=True)
    format = models.CharField(max_length=40, blank=True)
    label = models.CharField(max_length=80, blank=True)
    error = models.TextField(blank=True)
    first_rows = models.JSONField(default=dict)
    given_name = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, db_index=True)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(condition=Q(received__lte=F("size")), name="upload_not_longer_than_stated"),
            models.CheckConstraint(
                condition=Q(completed_at__isnull=True) | Q(received=F("size")), name="upload_complete_has_all_bytes"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_data_set(self) -> bool:
        """Whether this is a part of a data set of ir-datasets; then `server_path` is its `irds:` id."""
        return self.server_path.startswith(IRDS)


class ImportRecord(models.Model):
    """One import: who, when, from which files, with which options, and how many items were new.

    `files` have name, size and sha256, and those of runs notes, if something should be known of one. `counts` are read,
    added and same. `previous` has the texts of topics before this import changed them, by the primary key of the topic.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="imports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")  # null: a command
    kind = models.CharField(max_length=10, choices=ImportKind.choices)
    files = models.JSONField(default=list)
    options = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    previous = models.JSONField(default=dict)
    imported_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(condition=Q(kind__in=ImportKind.values), name="import_kind_is_known"),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | ~Q(kind="judgements"), name="import_of_judgements_stays"
            ),
        )

    def __str__(self) -> str:
        return f"import {self.pk} of {self.kind}"


class JudgeKind(models.TextChoices):
    HUMAN = "human", "human"
    CROWD = "crowd", "crowd"
    MODEL = "model", "model"
    DERIVED = "derived", "derived, such as from clicks"


class ImportedJudge(models.Model):
    """What is known about an imported judge.

    `kind` is empty if it was not stated. `model` (with its version), `prompt` (its text or its name), `prompt_version`,
    `parameters` and `graded_on` (the day of the last grade) are the record of a model; empty if unknown. `own_scale`
    (null if not declared) lists the judge's grades before the mapping, and `mapping` says which grade of the collection
    replaces which of the judge's: {"1": 2}. `role_changes` counts how often the judge was withdrawn or restored.
    """

    member = models.OneToOneField(Member, models.CASCADE, related_name="imported_judge")
    kind = models.CharField(max_length=8, choices=JudgeKind.choices, blank=True)
    description = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True, default="")
    prompt = models.TextField(blank=True, default="")
    prompt_version = models.CharField(max_length=100, blank=True, default="")
    parameters = models.CharField(max_length=500, blank=True, default="")
    graded_on = models.DateField(null=True)
    own_scale = models.JSONField(null=True)
    mapping = models.JSONField(default=dict)
    role_changes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["", *JudgeKind.values]), name="judge_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.kind or 'kind not stated'}"

    @property
    def described(self) -> str:
        """Description and record as one line of text. A prompt is shortened, or left out if its version is known."""
        prompt = f"prompt {shown(self.prompt)}" if self.prompt else ""
        prompt = f"prompt version {self.prompt_version}" if self.prompt_version else prompt
        parts = (self.description, self.model, prompt, self.parameters, str(self.graded_on or ""))
        return ", ".join(part for part in parts if part)


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
