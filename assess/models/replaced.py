"""Former texts of documents, and changes of texts that do not matter for the judgements."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from assess.models.collection import Document, DocumentContent
from assess.models.imported import ImportRecord
from assess.models.pool import Task


class ReplacedText(models.Model):
    """A former text of a document: the content that the document had until `import_record` replaced it.

    It is kept, so that the hashes of what assessors saw can be verified, and so that the import can be undone. Who
    replaced it is the user of the import. An undone import has none: its documents have their former texts again.
    """

    # Without an index of its own: that of text_replaced_once begins with the document.
    document = models.ForeignKey(Document, models.CASCADE, related_name="replaced_texts", db_index=False)
    content = models.OneToOneField(DocumentContent, models.PROTECT, related_name="replaced")
    import_record = models.ForeignKey(ImportRecord, models.CASCADE, related_name="replaced_texts")
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "import_record"], name="text_replaced_once"),
        ]

    def __str__(self) -> str:
        return f"a former text of {self.document_id}"


class KeptChange(models.Model):
    """A decision that a changed text does not matter for a task: its judgements with the former text stay valid.

    `seen` and `present` are the hashes of both texts (`DocumentContent.sha256`). If the text changes again, the
    decision does not apply to the new text. `by` is null for a command, and after the person was erased.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="kept_changes", db_index=False)
    seen = models.CharField(max_length=64)
    present = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "seen", "present"], name="change_kept_once")]

    def __str__(self) -> str:
        return f"{self.task_id}: {self.seen[:12]} to {self.present[:12]}"
