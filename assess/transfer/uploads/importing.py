"""Imports uploaded files in the background: one job for each kind of file, in a fixed order.

A job imports all files of its kind or none. In the transaction that saves them it deletes their uploads and starts the
job of the next kind, so that a worker that is killed loses nothing and imports nothing twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue
from assess.models import Collection, Job, Upload, User
from assess.transfer.import_record import ImportedBy
from assess.transfer.kinds import KINDS
from assess.transfer.uploads.progress import byte_progress
from assess.transfer.uploads.storage import delete_files, kinds_of, sources, uploads_of


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
