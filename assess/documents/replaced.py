"""Replaces the texts of documents, and gives them back.

A former text is kept as it was (`ReplacedText`): assessors have judged with it, and the ledger has its hash.

Pages that are open may still show a former text. So all assignments of a document whose text changes get new public
ids: a judgement that was made with the former text is refused, and no event of the ledger names a text that the
assessor did not see.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection, transaction
from django.db.models import QuerySet

from assess.collections.archive import lock_active
from assess.documents.contents import mark_changed, set_contents
from assess.lib.batches import BATCH, column_values
from assess.models import Assignment, Collection, DocumentContent, ReplacedText, SearchIndex


def replace_contents(collection: Collection, contents: Mapping[str, int], record: int) -> list[str]:
    """Give documents that have a content another one, of this primary key. Returns the doc_ids that got one.

    `record` is the primary key of the import. A document whose content has the same hash keeps it.
    """
    with transaction.atomic():
        lock_active(collection)
        hashes = _hashes(contents.values())
        rows = collection.documents.filter(content__isnull=False)
        names = ("doc_id", "pk", "content", "content__sha256")
        former = {
            doc_id: (pk, content)
            for doc_id, pk, content, sha256 in rows.values_list(*names)
            if doc_id in contents and hashes[contents[doc_id]] != sha256
        }
        # First, because this waits for judgements that are being recorded with the former text.
        _renew_public_ids([pk for pk, _ in former.values()])
        set_contents([(contents[doc_id], pk) for doc_id, (pk, _) in former.items()])
        replaced = [
            ReplacedText(document_id=pk, content_id=old, import_record_id=record) for pk, old in former.values()
        ]
        ReplacedText.objects.bulk_create(replaced, batch_size=BATCH)
        if former:
            mark_changed(SearchIndex.objects.filter(collection=collection))
    return list(former)


def restore_contents(collection: Collection, record: int) -> int:
    """Give the documents of an import their former texts back, in the caller's transaction. Returns their number."""
    replaced = ReplacedText.objects.filter(import_record=record)
    rows = list(replaced.order_by("pk").values_list("content", "document"))
    _renew_public_ids([document for _, document in rows])
    set_contents(rows)
    replaced.delete()
    if rows:
        mark_changed(SearchIndex.objects.filter(collection=collection))
    return len(rows)


def former_contents(collection: Collection) -> list[int]:
    """Return the primary keys of the former texts of a collection."""
    return list(ReplacedText.objects.filter(document__collection=collection).values_list("content", flat=True))


def _hashes(contents: Iterable[int]) -> dict[int, str]:
    """Return the hashes of contents, by primary key."""
    keys = list(contents)
    found: dict[int, str] = {}
    for start in range(0, len(keys), BATCH):
        rows = DocumentContent.objects.filter(pk__in=keys[start : start + BATCH])
        found |= dict(rows.values_list("pk", "sha256"))
    return found


def _renew_public_ids(documents: Sequence[int]) -> None:
    """Give the assignments of documents new public ids, in the order of their keys: so nobody waits in a circle."""
    keys: list[int] = []
    for start in range(0, len(documents), BATCH):
        keys += _assignments(documents[start : start + BATCH]).values_list("pk", flat=True)
    new = [(column_values(Assignment, {"public_id": uuid.uuid4()})["public_id"], key) for key in sorted(keys)]
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE assess_assignment SET public_id = %s WHERE id = %s", new)


def _assignments(documents: Sequence[int]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(task__document__in=documents).order_by()
