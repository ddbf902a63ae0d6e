"""Checks uploaded files without saving anything, and imports them in the background: one job for each kind of file.

The jobs have a fixed order. A job imports all files of its kind or none. In the transaction that saves them it deletes
their uploads and starts the job of the next kind, so that a worker that is killed loses nothing and imports nothing
twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue
from assess.lib.long_work import report
from assess.models import Collection, Job, Upload, User
from assess.transfer.import_record import ImportedBy
from assess.transfer.kinds import KINDS
from assess.transfer.preview import Check, Preview, contents_with
from assess.transfer.uploads.data_set import add_first_rows
from assess.transfer.uploads.storage import delete_files, kinds_of, sources, uploads_of
from pooling.errors import FormatError


@dataclass
class UploadsImported:
    """The result of one job. `next_job` is the public id of the job of the next kind, or ""."""

    kind: str
    read: int
    added: int
    same: int
    notes: list[str]
    next_job: str = ""


def start_import(collection: Collection, user: User, uploads: Sequence[int], options: Mapping[str, Any]) -> Job:
    """Put the job of the first kind into the queue."""
    found = uploads_of(collection, uploads)
    if not found:
        raise Refused("There are no files to import. Upload some first.")
    if unknown := next((upload.name for upload in found if not upload.kind), None):
        raise Refused(f"{unknown}: choose what this file contains, or remove it.")
    return _start(collection, user, found, options)


@transaction.atomic
def _start(collection: Collection, user: User | None, uploads: Sequence[Upload], options: Mapping[str, Any]) -> Job:
    keys = [upload.pk for upload in uploads]
    kind = kinds_of(uploads)[0]
    Upload.objects.filter(pk__in=keys).update(touched_at=timezone.now())  # the purge keeps them for another day
    arguments = {"kind": kind, "uploads": keys, "options": dict(options), "user": user.pk if user else None}
    return queue.start(f"import_{kind}", collection, user, arguments)


def import_uploaded(
    collection: Collection, kind: str, uploads: Sequence[int], options: Mapping[str, Any], user: int | None = None
) -> UploadsImported:
    """Import the uploads of one kind, and let a job import the others. `user` is a primary key."""
    found = uploads_of(collection, uploads)
    present = [upload for upload in found if upload.kind == kind]
    others = [upload for upload in found if upload.kind != kind]
    actor = User.objects.filter(pk=user).first() if user else None
    following: list[str] = []

    def on_saved() -> None:
        Upload.objects.filter(pk__in=[upload.pk for upload in present]).delete()
        # After the commit: if it fails, the uploads and their files are still there for another attempt.
        transaction.on_commit(lambda: delete_files(present))
        if others:
            following.append(str(_start(collection, actor, others, options).public_id))

    progress = byte_progress(f"Importing the {kind}", present)
    chosen = KINDS[kind].options.from_stored(collection, options)
    result = KINDS[kind].import_files(collection, sources(present), chosen, progress, ImportedBy(actor, on_saved))
    return UploadsImported(kind, result.read, result.added, result.same, result.notes[:100], "".join(following))


def check_uploads(collection: Collection, uploads: Sequence[int], options: Mapping[str, Any]) -> Check:
    """Read the files, topics first. Raises Refused if a file is missing."""
    found = uploads_of(collection, uploads)
    if not found:
        raise Refused("There are no files to check. Upload some first.")
    titles = dict(collection.topics.values_list("query_id", "title"))
    progress = byte_progress("Checking the files", found)
    preview = Preview(collection, set(titles), progress, Check(list(uploads)), contents=contents_with(titles))
    for upload in found:
        if not upload.kind:
            preview.check.add(upload.name, None, upload.error or f"{upload.name}: choose what this file contains.")
    for kind in kinds_of(found):
        _check_kind(preview, kind, [upload for upload in found if upload.kind == kind], options)
    preview.compare()
    return preview.check


def _check_kind(preview: Preview, kind: str, uploads: Sequence[Upload], options: Mapping[str, Any]) -> None:
    files = sources(uploads)
    try:
        add_first_rows(uploads)
        KINDS[kind].check(preview, files, KINDS[kind].options.from_stored(preview.collection, options))
    except (Refused, FormatError) as error:
        preview.check.add_error(getattr(error, "file", files[0].name if len(files) == 1 else ""), error)


def byte_progress(stage: str, uploads: Iterable[Upload]) -> Callable[[int], None]:
    """Return a function that takes the number of bytes read and reports their sum."""
    total = sum(upload.size for upload in uploads)
    done = 0

    def add(count: int) -> None:
        nonlocal done
        done += count
        report(stage, min(done, total), total)

    return add
