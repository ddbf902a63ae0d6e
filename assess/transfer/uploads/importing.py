"""Imports uploaded files in the background: one job for each kind of file, in a fixed order.

A job imports all files of its kind or none. In the transaction that saves them it deletes their uploads and starts the
job of the next kind, so that a worker that is killed loses nothing and imports nothing twice.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db import transaction
from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue
from assess.models import Collection, ImportKind, Job, Upload, User
from assess.transfer.document_import import import_documents
from assess.transfer.import_record import ImportedBy, open_source
from assess.transfer.imports import Imported, Progress, import_runs, import_topics
from assess.transfer.judgement_import import import_files
from assess.transfer.uploads import options as upload_options
from assess.transfer.uploads.progress import byte_progress
from assess.transfer.uploads.storage import delete_files


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
    found = upload_options.uploads_of(collection, uploads)
    if not found:
        raise Refused("There are no files to import. Upload some first.")
    if unknown := next((upload.name for upload in found if not upload.kind), None):
        raise Refused(f"{unknown}: choose what this file contains, or remove it.")
    return _start(collection, user, found, options)


@transaction.atomic
def _start(collection: Collection, user: User | None, uploads: Sequence[Upload], options: Mapping[str, Any]) -> Job:
    keys = [upload.pk for upload in uploads]
    kind = upload_options.kinds_of(uploads)[0]
    Upload.objects.filter(pk__in=keys).update(touched_at=timezone.now())  # the purge keeps them for another day
    arguments = {"kind": kind, "uploads": keys, "options": dict(options), "user": user.pk if user else None}
    return queue.start(f"import_{kind}", collection, user, arguments)


def import_uploaded(
    collection: Collection, kind: str, uploads: Sequence[int], options: Mapping[str, Any], user: int | None = None
) -> UploadsImported:
    """Import the uploads of one kind, and let a job import the others. `user` is a primary key."""
    found = upload_options.uploads_of(collection, uploads)
    present = [upload for upload in found if upload.kind == kind]
    others = [upload for upload in found if upload.kind != kind]
    actor = User.objects.filter(pk=user).first() if user else None
    following: list[str] = []

    def on_saved() -> None:
        Upload.objects.filter(pk__in=[upload.pk for upload in present]).delete()
        transaction.on_commit(lambda: delete_files(present))
        if others:
            following.append(str(_start(collection, actor, others, options).public_id))

    progress = byte_progress(f"Importing the {kind}", present)
    values = upload_options.DEFAULTS | dict(options)
    result = _IMPORTS[kind](collection, present, values, progress, ImportedBy(actor, on_saved))
    return UploadsImported(kind, result.read, result.added, result.same, result.notes[:100], "".join(following))


def _import_topics(
    collection: Collection, uploads: Sequence[Upload], _options: Mapping[str, Any], progress: Progress, by: ImportedBy
) -> Imported:
    return import_topics(collection, *upload_options.sources(uploads), progress=progress, by=by)


def _import_runs(
    collection: Collection, uploads: Sequence[Upload], options: Mapping[str, Any], progress: Progress, by: ImportedBy
) -> Imported:
    files = upload_options.runs_of(uploads, options)
    return import_runs(collection, files, None, progress, options["score_precision"], by)


def _import_documents(
    collection: Collection, uploads: Sequence[Upload], options: Mapping[str, Any], progress: Progress, by: ImportedBy
) -> Imported:
    files = upload_options.sources(uploads)
    documents = chain.from_iterable(upload_options.read_documents(file, progress) for file in files)
    return import_documents(
        collection,
        documents,
        options["keep_all"],
        options["text_format"],
        options["too_complex"],
        files=files,
        by=by,
    )


def _import_judgements(
    collection: Collection, uploads: Sequence[Upload], options: Mapping[str, Any], progress: Progress, by: ImportedBy
) -> Imported:
    files = upload_options.sources(uploads)
    named = {file.given_name for file in files if file.given_name}
    with ExitStack() as opened:
        streams = [(upload_options.judge_of(file, options), opened.enter_context(open_source(file))) for file in files]
        chosen = upload_options.judgement_options(collection, options)
        return import_files(collection, streams, chosen, progress, named=named, by=by)


_IMPORTS = {
    ImportKind.TOPICS.value: _import_topics,
    ImportKind.RUNS.value: _import_runs,
    ImportKind.DOCUMENTS.value: _import_documents,
    ImportKind.JUDGEMENTS.value: _import_judgements,
}
