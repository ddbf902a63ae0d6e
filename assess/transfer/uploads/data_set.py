"""Data sets of ir-datasets as files that wait for their import: one for topics, documents and judgements each.

Adding one downloads nothing. The job that checks the files downloads the data set, and the jobs that import them read
it from the server's copy.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.errors import Refused, as_sentence
from assess.models import Collection, ImportKind, Upload, User
from assess.transfer.uploads.receive import check_file_count
from assess.transfer.uploads.recognised import first_rows
from assess.transfer.uploads.storage import content_path
from pooling.errors import FormatError
from pooling.formats import irds
from pooling.paths import IRDS
from pooling.words import count

PARTS = {
    ImportKind.TOPICS.value: "topics",
    ImportKind.DOCUMENTS.value: "documents",
    ImportKind.JUDGEMENTS.value: "qrels",
}  # kind of import -> field of DataSet


def why_unavailable() -> str:
    """Return a sentence if this server offers no data sets, or else ""."""
    if not irds.allowed_ids():
        return "Data sets are switched off on this server. The administrator of this site can allow them (ASSAY_IRDS)."
    if not irds.is_installed():
        return (
            "This server lacks the package ir-datasets. The administrator of this site can add it with the extra "
            "ir-assay[irds]."
        )
    return ""


def data_sets() -> list[irds.DataSet]:
    """Return the data sets that may be imported, with their sizes."""
    return [] if why_unavailable() else irds.data_sets()


def add_data_set(collection: Collection, user: User, dataset_id: str, kinds: Sequence[str]) -> list[Upload]:
    """Add parts of a data set to the files that wait for their import."""
    if reason := why_unavailable():
        raise Refused(reason)
    if not kinds:
        raise Refused("Choose what to import of the data set: topics, documents or judgements.")
    try:
        found = irds.data_set(dataset_id)
    except FormatError as error:
        raise Refused(as_sentence(error)) from None
    uploads = [_upload(collection, user, found, kind) for kind in ImportKind.values if kind in kinds]
    with transaction.atomic():
        lock_active(collection)
        check_file_count(collection, user, len(uploads))
        return Upload.objects.bulk_create(uploads)


def _upload(collection: Collection, user: User, found: irds.DataSet, kind: str) -> Upload:
    size = getattr(found, PARTS[kind])
    if size is None:
        raise Refused(f"The data set {found.dataset_id} has no {kind}. Another part of it may have them.")
    return Upload(
        collection=collection,
        user=user,
        name=f"{IRDS}{found.dataset_id}",
        size=0,
        server_path=f"{IRDS}{found.dataset_id}",
        kind=kind,
        label=f"{count(size, kind.removesuffix('s'))} of ir-datasets" if size else f"{kind} of ir-datasets",
        given_name=found.dataset_id.replace("/", "-") if kind == ImportKind.JUDGEMENTS else "",
        completed_at=timezone.now(),
    )


def add_first_rows(uploads: Sequence[Upload]) -> None:
    """Store the first rows of data sets, which are downloaded now. Other files have theirs."""
    for upload in uploads:
        if upload.is_data_set and not upload.first_rows:
            rows = first_rows(content_path(upload), upload.name, upload.kind)
            Upload.objects.filter(pk=upload.pk).update(first_rows=rows)
