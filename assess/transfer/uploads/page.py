"""What the import page shows: a user's uploads, their latest check, and the imports of the collection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue
from assess.models import (
    NOT_WITHDRAWN,
    Collection,
    ImportKind,
    ImportRecord,
    Job,
    JobState,
    JudgementImport,
    Upload,
    User,
)
from assess.transfer.import_record import receipt
from assess.transfer.undo import obstacles
from assess.transfer.uploads.importing import check_uploads
from assess.transfer.uploads.storage import may_expand, sources

SMALL_BYTES = 1_000_000  # such files are checked within a second
MAX_RECORDS = 50


@dataclass(frozen=True)
class RecordRow:
    """An import, why it cannot be undone, or "", and what it read, used and left out.

    An import of judgements counts its judges without an account.
    """

    record: ImportRecord
    obstacle: str
    receipt: str
    judges: int = 0
    withdrawn: int = 0


def uploads_of_user(collection: Collection, user: User) -> list[Upload]:
    """Return all uploads of a user, also unfinished ones."""
    return list(collection.uploads.filter(user=user))


def latest_records(collection: Collection) -> list[RecordRow]:
    """Return the latest imports."""
    records = list(collection.imports.select_related("user", "undone_by").defer("previous")[:MAX_RECORDS])
    reasons = obstacles(collection, records)
    judges = _imported_judges(collection, records)
    return [
        RecordRow(record, reasons[record.pk], receipt(record.counts), *judges.get(record.pk, ())) for record in records
    ]


def _imported_judges(collection: Collection, records: Sequence[ImportRecord]) -> dict[int, tuple[int, int]]:
    """Return how many imported judges each import of judgements has, and how many of them are withdrawn."""
    checksums = {
        record.pk: {file["sha256"] for file in record.files if file["sha256"]}
        for record in records
        if record.kind == ImportKind.JUDGEMENTS
    }
    if not checksums:
        return {}
    imported = JudgementImport.objects.filter(
        member__collection=collection, member__user__isnull=True, member__removed_at__isnull=True
    )
    rows = imported.filter(sha256__in=set().union(*checksums.values())).order_by().values_list("sha256")
    withdrawn = Count("member", filter=~NOT_WITHDRAWN, distinct=True)
    counted = {sha: numbers for sha, *numbers in rows.annotate(Count("member", distinct=True), withdrawn=withdrawn)}
    return {key: _sum([counted[sha] for sha in of_record if sha in counted]) for key, of_record in checksums.items()}


def _sum(numbers: Sequence[Sequence[int]]) -> tuple[int, int]:
    return sum(judges for judges, _ in numbers), sum(withdrawn for _, withdrawn in numbers)


def latest_options(collection: Collection, user: User) -> dict[str, Any]:
    """Return the options of the user's latest check."""
    latest = collection.jobs.filter(kind="check_files", user=user).values_list("input", flat=True).first() or {}
    options: dict[str, Any] = latest.get("options", {})
    return options


def table_headers(collection: Collection, user: User) -> list[str]:
    """Return the names of the columns of the user's tables of judgements, each once."""
    rows = collection.uploads.filter(user=user, kind=ImportKind.JUDGEMENTS).values_list("first_rows", flat=True)
    return list(dict.fromkeys(name for first_rows in rows for name in first_rows.get("named", ())))


def start_check(collection: Collection, user: User, options: Mapping[str, Any]) -> Job:
    """Check the user's complete files: at once if they are small, else in the background."""
    uploads = [upload for upload in uploads_of_user(collection, user) if upload.completed_at]
    if not uploads:
        raise Refused("There are no files to check. Upload some first.")
    keys = [upload.pk for upload in uploads]
    arguments = {"uploads": keys, "options": dict(options)}
    sources(uploads)  # refuses a file that has disappeared
    if sum(upload.size for upload in uploads) > SMALL_BYTES or any(map(may_expand, uploads)):
        return queue.start("check_files", collection, user, arguments)
    result = vars(check_uploads(collection, keys, options))
    state, now = JobState.DONE, timezone.now()
    return Job.objects.create(
        kind="check_files", collection=collection, user=user, input=arguments, state=state, result=result, ended_at=now
    )
