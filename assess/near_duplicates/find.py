"""Finds similar documents: the pooled ones of each topic, or those of the whole collection. Loads pandas."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from assess.collections.archive import lock_active
from assess.documents.display import displayed_column, plain_text
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.lib.long_work import about_to_save, report, reported
from assess.models import Collection, Document, DuplicatePair, DuplicateSearch, Topic
from assess.near_duplicates.options import LOWEST_FOUND, MOST_DOCUMENTS, SHINGLE_SIZE
from pooling import near_duplicates


@dataclass(frozen=True)
class FindResult:
    """How many documents were compared, counted once for each topic, and how many pairs of them are similar."""

    documents: int
    pairs: int
    whole: bool


def find_pairs(collection: Collection, whole: bool = False) -> FindResult:
    """Compare documents, and store the similar pairs in place of those of an earlier search.

    Accepted groups stay until another threshold is accepted.
    """
    pairs: list[DuplicatePair] = []
    compared = 0
    for topic, documents in _parts(collection, whole):
        number, found = _pairs_of(topic, documents)
        compared += number
        pairs += found
    if not compared:
        raise Refused(f"{collection} has no documents with text to compare. Import their texts first.")
    _save(collection, whole, compared, pairs)
    return FindResult(compared, len(pairs), whole)


def _parts(collection: Collection, whole: bool) -> Iterator[tuple[Topic | None, QuerySet[Document]]]:
    if whole:
        report("Comparing documents")
        yield None, collection.documents.all()
        return
    for topic in reported(list(collection.topics.order_by("pk")), "Comparing the documents of each topic"):
        # Without those that a searcher only opened.
        yield topic, Document.objects.filter(tasks__topic=topic, tasks__provenance__isnull=False)


def _pairs_of(topic: Topic | None, documents: QuerySet[Document]) -> tuple[int, list[DuplicatePair]]:
    """Return the number of documents with words, and the unsaved pairs."""
    with_text = documents.filter(content__isnull=False)
    if (number := with_text.count()) > MOST_DOCUMENTS:
        raise Refused(f"At most {MOST_DOCUMENTS:,} documents can be compared at once, not {number:,}.")
    keys, texts = {}, {}
    rows = with_text.values_list("pk", "doc_id", "content__title", "content__format", displayed_column("content"))
    for pk, doc_id, title, text_format, text in rows.iterator(BATCH):
        keys[doc_id], texts[doc_id] = pk, f"{title}\n{plain_text(text or '', text_format)}"
    found = near_duplicates(texts, LOWEST_FOUND, shingle_size=SHINGLE_SIZE)
    pairs = [
        DuplicatePair(topic=topic, a_id=keys[a], b_id=keys[b], similarity=similarity)
        for a, b, similarity in found.pairs.itertuples(index=False, name=None)
    ]
    return found.documents, pairs


def _save(collection: Collection, whole: bool, documents: int, pairs: list[DuplicatePair]) -> None:
    with transaction.atomic():
        lock_active(collection)
        DuplicateSearch.objects.filter(collection=collection).delete()
        search = DuplicateSearch.objects.create(
            collection=collection, whole=whole, shingle_size=SHINGLE_SIZE, documents=documents
        )
        for pair in pairs:
            pair.search = search
        DuplicatePair.objects.bulk_create(pairs, batch_size=BATCH)
        about_to_save()
