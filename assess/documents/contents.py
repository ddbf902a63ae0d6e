"""Stores the contents of documents.

Contents may be large. An import writes them in several short transactions, so that nobody who judges waits for it. One
more transaction connects them to their documents: an import is visible as a whole or not at all.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.documents.sanitiser import VERSION
from assess.lib.batches import BATCH, insert_rows
from assess.models import Collection, Document, DocumentContent, SearchIndex, TextFormat

UNUSED_AFTER = timedelta(days=1)  # an import that takes longer is not expected


def content_hash(title: str, text_format: str, text: str, sanitised: str | None) -> str:
    """Return the SHA-256 of what assessors see, in hexadecimal.

    It covers the title, the text as it was imported, and the sanitised HTML, as a JSON array with ASCII characters.
    """
    return hashlib.sha256(json.dumps([title, text_format, text, sanitised]).encode()).hexdigest()


def known_hashes(title: str, text_format: str, text: str, sanitised: str | None) -> set[str]:
    """Return the hashes that the ledger may have of a text. That of early events is without the sanitised HTML."""
    return {content_hash(title, text_format, text, html) for html in (sanitised, None)}


def new_content(
    text: str,
    *,
    title: str = "",
    text_format: str = TextFormat.PLAIN,
    metadata: Mapping[str, Any] | None = None,
    sanitised: str | None = None,
    import_record: int | None = None,
) -> DocumentContent:
    """Return an unsaved content. HTML comes with its `sanitised` text. `import_record` is a primary key."""
    return DocumentContent(
        title=title,
        text=text,
        format=text_format,
        metadata=metadata or {},
        sanitised=sanitised,
        sanitiser_version=None if sanitised is None else VERSION,
        sha256=content_hash(title, text_format, text, sanitised),
        import_record_id=import_record,
    )


def write_contents(contents: Sequence[DocumentContent]) -> list[int]:
    """Write contents in one transaction, and return their primary keys."""
    return [content.pk for content in DocumentContent.objects.bulk_create(contents)]


def connect_contents(collection: Collection, contents: Mapping[str, int], create: bool) -> list[str]:
    """Give each document without a content the one with that primary key. Returns the doc_ids that got one.

    With `create`, documents that do not exist are created. A document that has a content keeps it.
    """
    with transaction.atomic():
        lock_active(collection)
        rows = collection.documents.values_list("doc_id", "pk", "content")
        existing = {doc_id: (pk, content) for doc_id, pk, content in rows if doc_id in contents}
        without_text = [(doc_id, pk) for doc_id, (pk, content) in existing.items() if content is None]
        set_contents([(contents[doc_id], pk) for doc_id, pk in without_text])
        new = [doc_id for doc_id in contents if doc_id not in existing] if create else []
        columns = ("collection_id", "doc_id", "content_id")
        insert_rows(Document, columns, ((collection.pk, doc_id, contents[doc_id]) for doc_id in new))
        # In the same transaction, so that no index calls itself complete without these documents.
        mark_changed(SearchIndex.objects.filter(collection=collection))
    return [doc_id for doc_id, _ in without_text] + new


def mark_changed(indexes: QuerySet[SearchIndex]) -> None:
    """Mark search indexes as incomplete, because words of documents have changed."""
    indexes.update(changes=F("changes") + 1)


def set_contents(rows: Sequence[tuple[int, int]]) -> None:
    """Connect contents to documents: pairs of primary keys, in the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE assess_document SET content_id = %s WHERE id = %s", rows)


def delete_contents(keys: Sequence[int]) -> None:
    """Delete contents that belong to no document, in short transactions. Former texts of documents stay."""
    for start in range(0, len(keys), BATCH):
        # Another import may have connected one of them since the keys were read.
        _unused().filter(pk__in=keys[start : start + BATCH]).delete()


def _unused() -> QuerySet[DocumentContent]:
    return DocumentContent.objects.filter(document=None, replaced=None)


def delete_documents(documents: QuerySet[Document]) -> None:
    """Delete documents with their contents and former texts."""
    with transaction.atomic():
        keys = list(documents.filter(content__isnull=False).values_list("content", flat=True))
        keys += documents.filter(replaced_texts__isnull=False).values_list("replaced_texts__content", flat=True)
        if keys:
            collections = list(documents.order_by().values_list("collection", flat=True).distinct())
            mark_changed(SearchIndex.objects.filter(collection__in=collections))
        documents.delete()
        delete_contents(keys)


def delete_unused_contents() -> int:
    """Delete what interrupted imports have left. Returns the number of contents."""
    before = timezone.now() - UNUSED_AFTER
    keys = list(_unused().filter(imported_at__lt=before).values_list("pk", flat=True))
    delete_contents(keys)
    return len(keys)
