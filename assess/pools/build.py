"""Build the pool of a collection: the tasks to be judged. `assign` and `claims` decide who judges them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet

import pooling
from assess.collections.create import lock_collection
from assess.collections.score_precision import common_precision, notes_on_precision
from assess.documents.contents import delete_documents
from assess.errors import Refused, as_sentence
from assess.lib.batches import BATCH
from assess.lib.seeded_draw import draw
from assess.models import Collection, Document, PoolBuilding, Provenance, Task
from assess.pools.claims import open_new_tasks
from assess.pools.tasks import pooled_tasks

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class BuildResult:
    """The pool after one call of `build_pool`. `notes` are sentences for the user."""

    pooled: int
    added: int
    without_text: int
    notes: list[str]
    topics_without_pool: list[str]
    query_ids_without_topic: list[str]


def build_pool(collection: Collection, depth: int) -> BuildResult:
    """Pool the first `depth` documents of every run for every topic. Tasks that exist already stay."""
    from assess.collections import runfiles  # loads pandas; pages that only count tasks do not need it

    runs = list(collection.runs.all())
    topics = dict(collection.topics.values_list("query_id", "pk"))
    if not runs or not topics:
        missing = "runs (import_runs)" if not runs else "topics (import_topics)"
        raise Refused(f"{collection} has no {missing} yet. A pool needs runs and topics.")
    try:
        frame = pooling.pool(map(runfiles.load, runs), strategy="depth", depth=depth).frame
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    known = frame["query_id"].isin(topics.keys())
    pooled = frame[known]
    with transaction.atomic():
        lock_collection(collection)
        before = pooled_tasks(collection).count()
        _write_pool(collection, pooled, topics)
        open_new_tasks(collection)
        now = pooled_tasks(collection).count()
        PoolBuilding.objects.create(
            collection=collection,
            strategy="depth",
            parameters={"depth": depth, "score_precision": common_precision(runs)},
            run_checksums={run.system: run.file_checksum for run in runs},
            tasks_added=now - before,
        )
    return BuildResult(
        pooled=now,
        added=now - before,
        without_text=documents_without_text(collection).count(),
        notes=notes_on_precision(runs),
        topics_without_pool=sorted(topics.keys() - set(pooled["query_id"])),
        query_ids_without_topic=sorted(set(frame.loc[~known, "query_id"])),
    )


def _write_pool(collection: Collection, pooled: "pd.DataFrame", topics: dict[str, int]) -> None:
    Document.objects.bulk_create(
        (Document(collection=collection, doc_id=doc_id) for doc_id in sorted(set(pooled["doc_id"]))),
        batch_size=BATCH,
        ignore_conflicts=True,
    )
    documents = dict(collection.documents.values_list("doc_id", "pk"))
    pairs = list(zip(pooled["query_id"], pooled["doc_id"], strict=True))
    Task.objects.bulk_create(
        (
            Task(
                topic_id=topics[query_id],
                document_id=documents[doc_id],
                draw=draw(collection.seed, query_id, doc_id),
            )
            for query_id, doc_id in pairs
        ),
        batch_size=BATCH,
        ignore_conflicts=True,
    )
    rows = Task.objects.filter(topic__collection=collection).values_list("topic", "document", "pk")
    tasks = {(topic, document): pk for topic, document, pk in rows}
    _write_provenance(collection, [tasks[topics[query_id], documents[doc_id]] for query_id, doc_id in pairs], pooled)


def _write_provenance(collection: Collection, tasks: list[int], pooled: "pd.DataFrame") -> None:
    """Add the systems and ranks of each task to those recorded before, so that a shallower pool loses nothing."""
    known = dict(Provenance.objects.filter(task__topic__collection=collection).values_list("task", "systems"))
    Provenance.objects.bulk_create(
        (
            Provenance(task_id=task, systems=sorted({*systems, *known.get(task, ())}), best_rank=best_rank)
            for task, systems, best_rank in zip(tasks, pooled["systems"], pooled["best_rank"], strict=True)
        ),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["task"],
        update_fields=["systems", "best_rank"],
    )


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
