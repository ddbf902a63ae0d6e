"""Plans the tasks and documents that a collection lacks, before the transaction that saves them.

New rows have reserved keys, so that everything which refers to them can be prepared outside the lock too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet

from assess.lib.batches import column_values, insert_rows, reserve_keys
from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, Task

Pair = tuple[str, str]  # query_id, doc_id
RowSet = tuple[int, int | None]  # the number of rows and their highest key


def row_set(rows: QuerySet[Any]) -> RowSet:
    """Return what changes if rows are added or deleted, because a key is never used twice."""
    values = rows.order_by().aggregate(count=Count("pk"), last=Max("pk"))
    return values["count"], values["last"]


def task_sets(collection: Collection) -> tuple[RowSet, RowSet, RowSet]:
    """Return what the plan of tasks depends on."""
    tasks = Task.objects.filter(topic__collection=collection)
    return row_set(tasks), row_set(collection.documents.all()), row_set(collection.topics.all())


@dataclass(frozen=True)
class TaskPlan:
    """All tasks of a collection by their pair, and the rows that are new."""

    collection: Collection
    keys: dict[Pair, int]
    new_documents: dict[str, int]  # doc_id -> key
    new_tasks: Sequence[tuple[int, int, int, int]]  # key, topic, document, draw

    def save(self) -> None:
        rows = ((key, self.collection.pk, doc_id) for doc_id, key in self.new_documents.items())
        insert_rows(Document, ("id", "collection_id", "doc_id"), rows)
        default = column_values(Task, {"wanted": 0, "taken": 0})
        columns = ("id", "topic_id", "document_id", "draw", *default)
        insert_rows(Task, columns, ((*task, *default.values()) for task in self.new_tasks))


def plan_tasks(collection: Collection, pairs: Iterable[Pair]) -> TaskPlan:
    """Plan a task for each pair that has none. The collection has all topics."""
    rows = Task.objects.filter(topic__collection=collection)
    existing = rows.values_list("topic__query_id", "document__doc_id", "pk")
    keys: dict[Pair, int] = {(query_id, doc_id): pk for query_id, doc_id, pk in existing}
    # Sorted, so that the same pairs get keys in the same order.
    missing = sorted(set(pairs) - keys.keys())
    topics = dict(collection.topics.values_list("query_id", "pk"))
    documents = dict(collection.documents.values_list("doc_id", "pk"))
    new_documents = _with_keys(Document, sorted({doc_id for _, doc_id in missing} - documents.keys()))
    documents |= new_documents
    new = _with_keys(Task, missing)
    tasks = [
        (key, topics[query_id], documents[doc_id], draw(collection.seed, query_id, doc_id))
        for (query_id, doc_id), key in new.items()
    ]
    return TaskPlan(collection, keys | new, new_documents, tasks)


def _with_keys(model: type[Any], items: Sequence[Any]) -> dict[Any, int]:
    """Return a reserved key for each item."""
    return dict(zip(items, reserve_keys(model, len(items)), strict=True)) if items else {}
