"""The documents of a collection: how many have a text, where the texts come from, and a search by doc_id.

A collection may have a million documents, so each number is counted in one table. Pages show few documents.
"""

import sys
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Substr

from assess.documents.display import plain_text
from assess.models import Collection, ImportKind, ImportRecord, Task
from assess.pools.pooled_documents import documents_without_text

MOST = 25  # documents on the page
MOST_SOURCES = 20
BEGINNING = 400  # characters
MAX_LENGTH = 200  # of the text that is searched for


@dataclass(frozen=True)
class TextCounts:
    """How many documents have a text, and how many pooled documents have none."""

    with_text: int
    missing: int


@dataclass(frozen=True)
class ListedDocument:
    """A document, the beginning of its text, and its tasks: their keys and topics."""

    doc_id: str
    title: str
    beginning: str
    has_text: bool
    tasks: list[tuple[int, str]]


def count_texts(collection: Collection) -> TextCounts:
    """Count the documents with a text, and the pooled documents without one."""
    with_text = collection.documents.filter(content__isnull=False).count()
    return TextCounts(with_text, documents_without_text(collection).count())


def text_sources(collection: Collection) -> QuerySet[ImportRecord]:
    """Return the latest imports of documents that were not undone."""
    records = collection.imports.filter(kind=ImportKind.DOCUMENTS, undone_at=None)
    return records.select_related("user").defer("previous")[:MOST_SOURCES]


def find_texts(collection: Collection, text: str = "", *, only_missing: bool = False) -> list[ListedDocument]:
    """Return the first documents whose doc_id begins with a text, or those of them that are pooled without text."""
    documents = documents_without_text(collection) if only_missing else collection.documents.all()
    if text := text.strip()[:MAX_LENGTH]:
        documents = documents.filter(doc_id__startswith=text)
        if connection.vendor == "sqlite":  # its LIKE does not use the index, in which the order is that of code points
            documents = documents.filter(doc_id__gte=text, doc_id__lt=text + chr(sys.maxunicode))
    beginning = Substr("content__text", 1, BEGINNING)
    columns = documents.annotate(beginning=beginning).values_list(
        "pk", "doc_id", "content__title", "content__format", "beginning"
    )
    rows = list(columns.order_by("doc_id")[:MOST])
    tasks = _tasks([key for key, *_ in rows])
    return [
        ListedDocument(doc_id, title or "", plain_text(start or "", kind or ""), kind is not None, tasks[key])
        for key, doc_id, title, kind, start in rows
    ]


def _tasks(documents: list[int]) -> dict[int, list[tuple[int, str]]]:
    """Return the keys and topics of the tasks of documents."""
    result: dict[int, list[tuple[int, str]]] = {key: [] for key in documents}
    rows = Task.objects.filter(document__in=documents).order_by("topic")
    for document, key, query_id in rows.values_list("document", "pk", "topic__query_id"):
        result[document].append((key, query_id))
    return result
