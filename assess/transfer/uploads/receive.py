"""Receives files in chunks.

A client creates an upload with the name and size of its file, sends chunks in ascending order, and finishes the upload
with the checksum of the whole file. A chunk at another offset than the next one is refused with the right one, so
a client can continue after a lost connection, and two tabs that send the same file do no harm. If the checksum differs,
the upload is deleted.
"""

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.errors import Conflict, Refused
from assess.models import Collection, Upload, User
from assess.transfer.uploads.recognised import recognise_upload, set_kind
from assess.transfer.uploads.server_path import may_use_server_paths, resolve_server_path
from assess.transfer.uploads.storage import delete_files, stored_path, write_chunk

MAX_FILES = 1_000  # of a user in a collection
MAX_NAME = 255
MAX_PASTED = 1_000_000  # characters
REMOVED = "The upload of {name} was removed. Choose the file again."
SHA256 = re.compile(r"[0-9a-f]{64}")


class WrongOffset(Conflict):
    """The chunk does not begin where the next one must begin."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"The next chunk must begin at byte {expected:,}.")
        self.expected = expected


def create_upload(collection: Collection, user: User, name: str, size: int) -> Upload:
    """Begin an upload, or continue the unfinished one of a file with the same name and size."""
    name = checked_name(name)
    with transaction.atomic():
        _lock(collection, user)
        # Under the lock, so that two tabs with the same file continue one upload.
        started = collection.uploads.filter(user=user, name=name, size=size, completed_at=None).first()
        if started:
            return started
        _check_limits(collection, user, name, size)
        return Upload.objects.create(collection=collection, user=user, name=name, size=size)


def receive_chunk(upload: Upload, offset: int, chunk: bytes) -> int:
    """Store a chunk and return the offset of the next one. The file and the row change under the lock of the row."""
    with transaction.atomic():
        # Locked until the file is written too: of two chunks for one offset, the second is refused.
        locked = Upload.objects.select_for_update().filter(pk=upload.pk).first()
        if locked is None:
            raise Refused(REMOVED.format(name=upload.name))
        if offset != locked.received or locked.completed_at:
            raise WrongOffset(locked.received)
        if not chunk or offset + len(chunk) > locked.size or len(chunk) > settings.UPLOAD_CHUNK_BYTES:
            most = min(settings.UPLOAD_CHUNK_BYTES, locked.size - offset)
            raise Refused(f"A chunk of {len(chunk):,} bytes was sent; from 1 to {most:,} bytes are allowed.")
        write_chunk(locked, offset, chunk)
        locked.received += len(chunk)
        locked.touched_at = timezone.now()
        locked.save(update_fields=["received", "touched_at"])
    return locked.received


def finish_upload(upload: Upload, sha256: str, kind: str = "", given_name: str = "") -> Upload:
    """Compare the checksum, and recognise the file.

    `kind` says what the file is, and `given_name` whose it is, if the client knows better. They also correct an upload
    that is finished already. Otherwise a finished upload is returned as it is.
    """
    if not given_name.isprintable():
        raise Refused(f"The name of a judge or system must have printable characters only, not {given_name[:80]!r}.")
    if not upload.completed_at:
        _check_complete(upload, sha256)
        _complete(upload, sha256)
    if kind or given_name:
        correct([upload], {upload.pk: (kind, given_name or upload.given_name)})
    return upload


def _check_complete(upload: Upload, sha256: str) -> None:
    """Refuse a file that has not arrived, and delete one that arrived damaged."""
    if not SHA256.fullmatch(sha256):
        raise Refused(f"{sha256[:80]!r} is not a SHA-256 checksum of 64 hexadecimal digits.")
    if upload.received < upload.size:
        raise WrongOffset(upload.received)
    if not stored_path(upload).is_file() or checksum(stored_path(upload)) != sha256:
        remove_upload(upload)
        raise Refused(f"{upload.name} changed or was damaged on its way. Nothing of it was kept; choose it again.")


@transaction.atomic
def correct(uploads: Sequence[Upload], corrections: Mapping[int, tuple[str, str]]) -> None:
    """Save what the user says about the files: their kind, unless it is empty, and their name."""
    for upload in uploads:
        kind, upload.given_name = corrections[upload.pk]
        if kind:
            set_kind(upload, kind)
        upload.touched_at = timezone.now()
    fields = ("kind", "format", "label", "error", "first_rows", "given_name", "touched_at")
    Upload.objects.bulk_update(uploads, fields, batch_size=100)


def _complete(upload: Upload, sha256: str) -> Upload:
    upload.sha256, upload.completed_at, upload.touched_at = sha256, timezone.now(), timezone.now()
    recognise_upload(upload)
    with transaction.atomic():
        # Without this, save() would insert an upload again that was removed meanwhile.
        if not Upload.objects.select_for_update().filter(pk=upload.pk).exists():
            raise Refused(REMOVED.format(name=upload.name))
        upload.save()
    return upload


def paste(collection: Collection, user: User, name: str, text: str) -> Upload:
    """Store pasted text as a file."""
    if len(text) > MAX_PASTED:
        raise Refused(f"The text has {len(text):,} characters; at most {MAX_PASTED:,} can be pasted. Upload a file.")
    content = text.replace("\r\n", "\n").encode()
    with transaction.atomic():
        _lock(collection, user)
        name = checked_name(name or "pasted text")
        _check_limits(collection, user, name, len(content))
        upload = Upload.objects.create(collection=collection, user=user, name=name, size=len(content))
    for offset in range(0, len(content), settings.UPLOAD_CHUNK_BYTES):
        receive_chunk(upload, offset, content[offset : offset + settings.UPLOAD_CHUNK_BYTES])
    upload.refresh_from_db()
    return finish_upload(upload, hashlib.sha256(content).hexdigest())


def add_server_path(collection: Collection, user: User, text: str) -> Upload:
    """Add a file of the server. It is not copied; the import reads it where it is."""
    if not may_use_server_paths(user):
        raise Refused("Files on the server can be imported by site owners only, if ASSAY_IMPORT_ROOTS is set.")
    path = resolve_server_path(text)
    size, name = path.stat().st_size, checked_name(path.name)
    with transaction.atomic():
        _lock(collection, user)
        check_file_count(collection, user)
        upload = collection.uploads.create(user=user, name=name, size=size, received=size, server_path=text)
    try:
        return _complete(upload, "")
    except (Refused, OSError):  # the file changed or cannot be read
        remove_upload(upload)
        raise


def _lock(collection: Collection, user: User) -> None:
    """Lock both, so that two uploads at the same time do not exceed the limits of either; refuse if it is archived."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    lock_active(collection)


def remove_upload(upload: Upload) -> None:
    """Delete an upload with its file."""
    Upload.objects.filter(pk=upload.pk).delete()
    delete_files([upload])


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def checked_name(name: str) -> str:
    """Return the name of a file without its folder, with printable characters only."""
    # The name may have the folders of either system.
    base = PureWindowsPath(PurePosixPath(name).name).name
    printable = "".join(character if character.isprintable() else "_" for character in base).strip()
    if not printable:
        raise Refused(f"{name[:80]!r} is not the name of a file.")
    return printable[-MAX_NAME:]


def check_file_count(collection: Collection, user: User, new: int = 1) -> None:
    """Refuse more files than may wait for their import."""
    if collection.uploads.filter(user=user).count() + new > MAX_FILES:
        raise Refused(f"At most {MAX_FILES:,} files can wait for their import. Import or remove some.")


def _check_limits(collection: Collection, user: User, name: str, size: int) -> None:
    """Refuse a file that is empty or too large, or for which there is no space. Sizes count before they arrive."""
    if not 0 < size <= settings.MAX_UPLOAD_BYTES:
        raise Refused(f"{name} has {size:,} bytes; a file has from 1 to {settings.MAX_UPLOAD_BYTES:,} bytes.")
    check_file_count(collection, user)
    mine = Upload.objects.filter(user=user, server_path="")
    for uploads, limit, whose in (
        (mine, settings.MAX_UPLOADED_BYTES_OF_USER, "Your"),
        (collection.uploads.filter(server_path=""), settings.MAX_UPLOADED_BYTES_OF_COLLECTION, "The collection's"),
    ):
        if (used := _bytes_of(uploads)) + size > limit:
            raise Refused(
                f"{whose} waiting files have {used:,} bytes; with {name} they would exceed {limit:,}. Import or remove "
                "some."
            )
    _check_space(name, size)


def _bytes_of(uploads: QuerySet[Upload]) -> int:
    total: int | None = uploads.aggregate(total=Sum("size"))["total"]
    return total or 0


def _check_space(name: str, size: int) -> None:
    """Leave the space that `/health` asks for. Announced files count with what has not arrived yet."""
    waiting = Upload.objects.filter(completed_at=None).aggregate(size=Sum("size"), received=Sum("received"))
    announced = (waiting["size"] or 0) - (waiting["received"] or 0)
    free = shutil.disk_usage(settings.DATA_DIR).free - announced - settings.MIN_FREE_MB * settings.MEGABYTE
    if size > free:
        raise Refused(f"The server has no space for {name} ({size:,} bytes). Ask the administrator of this site.")
