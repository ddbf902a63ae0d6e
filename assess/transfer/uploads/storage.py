"""Where uploaded files are stored, and how imports find them.

No name from user input is part of a path, and only the site may read the files.
"""

import os
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from assess.errors import Refused
from assess.lib.private_files import PRIVATE_DIR, PRIVATE_FILE
from assess.models import Collection, ImportKind, Upload
from assess.transfer.import_record import SourceFile
from assess.transfer.uploads.server_path import resolve_server_path
from pooling._io.streams import MAGIC_BYTES, compression_of
from pooling.paths import irds_id

ARCHIVES = ("zip", "tar", "warc")
KEPT_FOR = timedelta(days=1)  # since the last chunk or change


def stored_path(upload: Upload) -> Path:
    """Return where the bytes of an upload are stored."""
    return Path(settings.UPLOADS_DIR) / str(upload.public_id)


def content_path(upload: Upload) -> Path:
    """Return the path of a complete file (one on the server is checked again), or the id of a data set."""
    if upload.is_data_set:
        return Path(upload.server_path)
    return resolve_server_path(upload.server_path) if upload.server_path else stored_path(upload)


def uploads_of(collection: Collection, keys: Sequence[int]) -> list[Upload]:
    """Return complete uploads in the order of their arrival, or refuse if one was removed in the meantime."""
    uploads = list(collection.uploads.filter(pk__in=keys, completed_at__isnull=False))
    if len(uploads) < len(set(keys)):
        raise Refused("Some of these files were removed or imported in the meantime. Check the files again.")
    return uploads


def kinds_of(uploads: Sequence[Upload]) -> list[str]:
    """Return the kinds of files, in the order in which they are imported."""
    present = {upload.kind for upload in uploads}
    return [kind for kind in ImportKind.values if kind in present]


def sources(uploads: Sequence[Upload]) -> list[SourceFile]:
    """Return the files of uploads with the names that their users know. The site limits what they may expand to."""
    limit = settings.MAX_EXPANDED_BYTES
    found = [SourceFile(content_path(each), each.name, each.given_name or None, limit) for each in uploads]
    if gone := next((file.name for file in found if not (irds_id(file.path) or file.path.is_file())), None):
        raise Refused(f"The file {gone} is no longer there. Remove it and upload it again.")
    return found


def may_expand(upload: Upload) -> bool:
    """Whether a complete file is compressed, an archive or a data set: its content may be much larger than the file."""
    if upload.is_data_set:
        return True
    with content_path(upload).open("rb") as stream:
        is_compressed = compression_of(stream.read(MAGIC_BYTES)) is not None
    return is_compressed or upload.format in ARCHIVES


def write_chunk(upload: Upload, offset: int, chunk: bytes) -> None:
    """Write bytes at their place in the file."""
    path = stored_path(upload)
    path.parent.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
    # Without O_BINARY, Windows would change line ends.
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, PRIVATE_FILE), "r+b") as stream:
        stream.seek(offset)
        stream.write(chunk)


def delete_files(uploads: Iterable[Upload]) -> None:
    """Delete the stored bytes. Files on the server stay."""
    for upload in uploads:
        if not upload.server_path:
            stored_path(upload).unlink(missing_ok=True)


def abandoned_uploads() -> QuerySet[Upload]:
    """Return the uploads that nobody continued or imported within a day."""
    return Upload.objects.filter(touched_at__lt=timezone.now() - KEPT_FOR)


def delete_abandoned() -> int:
    """Delete abandoned uploads, and files that belong to no upload. Returns the number of both."""
    deleted, uploads = 0, list(abandoned_uploads())
    for upload in uploads:
        if abandoned_uploads().filter(pk=upload.pk).delete()[0]:  # unless somebody has just continued it
            delete_files([upload])
            deleted += 1
    return deleted + _delete_strays()


def _delete_strays() -> int:
    folder, before = Path(settings.UPLOADS_DIR), (timezone.now() - KEPT_FOR).timestamp()
    known = {str(public_id) for public_id in Upload.objects.values_list("public_id", flat=True)}
    strays = [] if not folder.is_dir() else [path for path in folder.iterdir() if path.name not in known]
    old = [path for path in strays if path.stat().st_mtime < before]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
