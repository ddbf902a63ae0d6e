"""Reads all uploaded files without saving anything, and says what an import would do and which lines are invalid."""

from collections.abc import Mapping, Sequence
from typing import Any

from assess.errors import Refused
from assess.models import Collection, Upload
from assess.transfer.kinds import KINDS
from assess.transfer.preview import Check, Preview, contents_with
from assess.transfer.uploads.data_set import add_first_rows
from assess.transfer.uploads.progress import byte_progress
from assess.transfer.uploads.storage import kinds_of, sources, uploads_of
from pooling.errors import FormatError


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
