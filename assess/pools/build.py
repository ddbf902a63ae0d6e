"""Build the pool of a collection: the tasks to be judged. `assign` and `claims` decide who judges them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import QuerySet

import pooling
from assess.collections.archive import lock_active
from assess.collections.score_precision import common_precision, notes_on_precision
from assess.documents.contents import delete_documents
from assess.errors import Refused, as_sentence
from assess.lib.batches import column_values, insert_rows, save_planned
from assess.lib.long_work import report, reported
from assess.models import Collection, Document, PoolBuilding, Provenance
from assess.pools.claims import open_new_tasks
from assess.pools.new_tasks import RowSet, TaskPlan, plan_tasks, row_set, task_sets
from assess.pools.tasks import pooled_tasks

if TYPE_CHECKING:
    import pandas as pd

Origin = tuple[Any, int, int]  # systems as they are stored, best rank, task


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
        frame = pooling.pool(map(runfiles.load, reported(runs, "Reading runs")), strategy="depth", depth=depth).frame
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    report("Saving the pool")
    known = frame["query_id"].isin(topics.keys())
    pooled = frame[known]
    parameters = {"depth": depth, "score_precision": common_precision(runs)}
    checksums = {run.system: run.file_checksum for run in runs}
    building = save_planned(
        lambda: _plan(collection, pooled),
        lambda: lock_active(collection),
        lambda plan: _save(plan, parameters, checksums),
    )
    return BuildResult(
        pooled=pooled_tasks(collection).count(),
        added=building.tasks_added,
        without_text=documents_without_text(collection).count(),
        notes=notes_on_precision(runs),
        topics_without_pool=sorted(topics.keys() - set(pooled["query_id"])),
        query_ids_without_topic=sorted(set(frame.loc[~known, "query_id"])),
    )


@dataclass(frozen=True)
class _PoolPlan:
    """The rows of a pool. `new` and `changed` are the systems and best ranks of tasks, by key."""

    collection: Collection
    tasks: TaskPlan
    new: list[Origin]
    changed: list[Origin]
    basis: tuple[RowSet, ...]

    def is_current(self) -> bool:
        return self.basis == _basis(self.collection)


def _basis(collection: Collection) -> tuple[RowSet, ...]:
    return *task_sets(collection), row_set(collection.pool_buildings.all())


def _plan(collection: Collection, pooled: "pd.DataFrame") -> _PoolPlan:
    """Plan the tasks, and add their systems to those recorded before, so that a shallower pool loses nothing."""
    basis = _basis(collection)  # before the rest is read
    pairs = list(zip(pooled["query_id"], pooled["doc_id"], strict=True))
    tasks = plan_tasks(collection, pairs)
    rows = Provenance.objects.filter(task__topic__collection=collection).values_list("task", "systems", "best_rank")
    known = {task: (systems, best_rank) for task, systems, best_rank in rows}
    new, changed = [], []
    for pair, systems, best_rank in zip(pairs, pooled["systems"], pooled["best_rank"].tolist(), strict=True):
        key = tasks.keys[pair]
        if key not in known:
            new.append((sorted(systems), best_rank, key))
        elif (origin := (sorted({*systems, *known[key][0]}), best_rank)) != known[key]:
            changed.append((*origin, key))
    return _PoolPlan(collection, tasks, _stored(new), _stored(changed), basis)


def _stored(origins: Sequence[tuple[list[str], int, int]]) -> list[Origin]:
    """Return the rows with their systems as the database stores them. Many rows have the same systems."""
    stored = cache(lambda systems: column_values(Provenance, {"systems": list(systems)})["systems"])
    return [(stored(tuple(systems)), best_rank, key) for systems, best_rank, key in origins]


def _save(plan: _PoolPlan, parameters: dict[str, Any], checksums: dict[str, str]) -> PoolBuilding:
    plan.tasks.save()
    insert_rows(Provenance, ("systems", "best_rank", "task_id"), plan.new)
    with connection.cursor() as cursor:
        statement = "UPDATE assess_provenance SET systems = %s, best_rank = %s WHERE task_id = %s"
        cursor.executemany(statement, plan.changed)
    open_new_tasks(plan.collection)
    return PoolBuilding.objects.create(
        collection=plan.collection,
        strategy="depth",
        parameters=parameters,
        run_checksums=checksums,
        tasks_added=len(plan.new),
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
