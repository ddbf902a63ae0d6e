"""Builds the full-text index of a collection.

Batches of documents are added in short transactions, so that nobody who judges waits. Each saves how far it came, so
that a job that was killed continues there. The new index replaces the old one in one transaction: until then, searches
use the old one, and nothing that they show changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from assess.collections.archive import lock_active
from assess.documents.display import displayed_text, plain_text
from assess.errors import Refused
from assess.lib.batches import let_others_write
from assess.lib.long_work import about_to_save, report
from assess.models import Collection, Document, Job, SearchIndex, User
from assess.search.engines import engine
from assess.search.tables import Row, new_table
from assess.search.words import indexed_words

BATCH = 1_000  # documents; SQLite indexes so many in half a second
MOST_CHARACTERS = 2_000_000  # of the texts of a batch


@dataclass(frozen=True)
class IndexResult:
    """The number of documents in the index, and whether documents were imported while it was built."""

    documents: int
    is_complete: bool


def start_indexing(collection: Collection, user: User | None) -> Job:
    """Put the job that builds the index into the queue. Refused if no document has a text."""
    from assess.jobs import queue

    _check_documents(collection)
    return queue.start("index", collection, user, {})


def ready_index(collection: Collection) -> SearchIndex | None:
    """Return the index that can be searched; None if there is none, as after a backup that does not contain it."""
    row = SearchIndex.objects.filter(collection=collection).first()
    return row if row and row.table and engine().exists(row.table) else None


def index_documents(collection: Collection) -> IndexResult:
    """Build the index of a collection: the function of the job `index`. Refused if no document has a text."""
    _check_documents(collection)
    row = _begin(collection)
    total = _documents(collection).count()
    while batch := _next_batch(row):
        report("Indexing the documents", row.building_documents, total)
        _add(row, batch)
        let_others_write()
    report("Finishing the index", row.building_documents, total)
    with transaction.atomic():
        engine().finish(row.building)
    return _replace(row)


def drop_index(collection: Collection) -> None:
    """Delete the index of a collection, in the caller's transaction."""
    for row in SearchIndex.objects.filter(collection=collection):
        _drop([row.table, row.building])
        row.delete()


def _check_documents(collection: Collection) -> None:
    if not _documents(collection).exists():
        raise Refused(f"{collection} has no documents with a text yet. Import them first.")


def _documents(collection: Collection) -> Any:
    return Document.objects.filter(collection=collection, content__isnull=False)


@transaction.atomic
def _begin(collection: Collection) -> SearchIndex:
    """Return the state from which to continue. If documents changed since, begin again."""
    lock_active(collection)
    row, _ = SearchIndex.objects.get_or_create(collection=collection)
    # A restored backup may lack the table: backups of PostgreSQL leave out indexes.
    is_usable = row.building and row.building_changes == row.changes and engine().exists(row.building)
    if not is_usable:
        _drop([row.building])
        row.building, row.building_after, row.building_documents = new_table(), 0, 0
        row.building_changes = row.changes
        engine().create(row.building)
        row.save()
    return row


def _next_batch(row: SearchIndex) -> list[Document]:
    """Return the next documents; fewer if their texts are long."""
    following = _documents(row.collection).filter(pk__gt=row.building_after).order_by("pk")
    batch, size = [], 0
    # In small chunks: if texts are long, a few documents reach MOST_CHARACTERS, and the others are not read.
    for document in following.select_related("content")[:BATCH].iterator(chunk_size=100):
        batch.append(document)
        size += len(document.content.text) if document.content else 0
        if size > MOST_CHARACTERS:
            break
    return batch


def _add(row: SearchIndex, batch: Sequence[Document]) -> None:
    rows = [_row(document) for document in batch]  # outside the transaction, which locks SQLite
    before, row.building_after = row.building_after, batch[-1].pk
    row.building_documents += len(batch)
    with transaction.atomic():
        same = SearchIndex.objects.filter(pk=row.pk, building=row.building, building_after=before)
        # If the job was taken for dead, another worker continues it and has added this batch.
        if not same.update(building_after=row.building_after, building_documents=row.building_documents):
            raise Refused("Another job builds this index. Nothing was changed.")
        engine().insert(row.building, rows)


def _row(document: Document) -> Row:
    content = document.content
    if content is None:  # its text was deleted in the meantime
        return document.pk, [], []
    text = plain_text(displayed_text(content), content.format)
    return document.pk, indexed_words(content.title), indexed_words(text)


@transaction.atomic
def _replace(row: SearchIndex) -> IndexResult:
    """Let searches use the new index, and delete the old one."""
    lock_active(row.collection)
    about_to_save()
    # Read again under the lock: documents may have changed, or another job may build the index.
    now = SearchIndex.objects.select_for_update().get(pk=row.pk)
    if now.building != row.building:
        raise Refused("Another job builds this index. Nothing was changed.")
    _drop([now.table])
    now.table, now.documents, now.indexed_changes = now.building, now.building_documents, now.building_changes
    now.building, now.building_after, now.building_documents = "", 0, 0
    now.indexed_at = timezone.now()
    now.save()
    return IndexResult(now.documents, now.is_complete)


def _drop(tables: Sequence[str]) -> None:
    for table in tables:
        if table:
            engine().drop(table)
