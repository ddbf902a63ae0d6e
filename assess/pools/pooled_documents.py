"""The documents of a pool that have no text."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from assess.documents.contents import delete_documents
from assess.models import Collection, Document
from assess.pools.tasks import pooled_tasks


@dataclass(frozen=True)
class PoolToAssign:
    """Whether the pool has tasks, and how many of its documents have no text."""

    has_tasks: bool
    without_text: int


def pool_to_assign(collection: Collection) -> PoolToAssign:
    """Return what somebody who assigns the pool must know."""
    return PoolToAssign(pooled_tasks(collection).exists(), documents_without_text(collection).count())


def documents_without_text(collection: Collection) -> QuerySet[Document]:
    """Return the pooled documents whose text has not been imported."""
    pooled = pooled_tasks(collection).values("document")
    return collection.documents.filter(content__isnull=True, pk__in=pooled)


def missing_documents(collection: Collection) -> list[str]:
    """Return the doc_ids of pooled documents without text, in code point order on every database."""
    return sorted(documents_without_text(collection).values_list("doc_id", flat=True))


def remove_from_pool(collection: Collection, doc_ids: list[str]) -> None:
    """Remove documents that will never have a text from the pool, before anything is assigned or judged."""
    with transaction.atomic():
        pooled_tasks(collection).filter(document__doc_id__in=doc_ids).delete()
        delete_documents(collection.documents.filter(doc_id__in=doc_ids))
