"""Undo the last pool building, while nothing that it added is judged.

The pool becomes what it was before: tasks that only this building created disappear with their assignments, and other
tasks get back their systems and best ranks. Rows are locked in the order that `assess.pools.slots` describes.
"""

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Conflict, Refused
from assess.lib.batches import column_values
from assess.lib.long_work import about_to_save, report
from assess.models import (
    Action,
    Assignment,
    Collection,
    Document,
    DuplicatePair,
    GroupMember,
    ImportRecord,
    Judgement,
    JudgementEvent,
    KeptChange,
    ModelAnswer,
    PoolBuilding,
    PoolChange,
    Provenance,
    ShownSuggestion,
    Task,
    User,
)
from assess.pools.building.strategies import describe
from assess.pools.tasks import LAPSED, pooled_tasks
from pooling.words import count

MOST_AT_ONCE = 20_000  # tasks, which a page removes in about a second
KEPT = "Judgements are never deleted, so this pool building cannot be undone."
# In SQL, because Django would load all rows to find out what refers to them.
DELETE_TASKS = """
    DELETE FROM assess_task
    WHERE id IN (SELECT task_id FROM assess_poolchange WHERE building_id = %s AND is_new)
"""
# Documents that the building created: they have no text, and no task but those that disappear.
DELETE_DOCUMENTS = """
    DELETE FROM assess_document
    WHERE content_id IS NULL
        AND id IN (
            SELECT task.document_id FROM assess_task task
            JOIN assess_poolchange change ON change.task_id = task.id
            WHERE change.building_id = %s AND change.is_new
        )
        AND NOT EXISTS (
            SELECT 1 FROM assess_task other
            WHERE other.document_id = assess_document.id AND other.id NOT IN (
                SELECT task_id FROM assess_poolchange WHERE building_id = %s AND is_new
            )
        )
"""


@dataclass(frozen=True)
class UndoResult:
    """What an undo removed. `description` is the strategy and its parameters, `pooled` the size of the pool now."""

    description: str
    tasks: int
    assignments: int
    pooled: int


def undone_sentence(result: UndoResult) -> str:
    return (
        f"Undid {result.description}. Removed {count(result.tasks, 'task')} and "
        f"{count(result.assignments, 'assignment')}. The pool has {count(result.pooled, 'task')}."
    )


def last_building(collection: Collection) -> PoolBuilding | None:
    return collection.pool_buildings.order_by("-pk").first()


def is_long(collection: Collection) -> bool:
    """Whether undoing the last building takes longer than a page should."""
    building = last_building(collection)
    return building is not None and building.tasks_added > MOST_AT_ONCE


def undo_in_background(collection: Collection, building: int, actor: int | None) -> UndoResult:
    """Undo the last pool building: the function of the job `undo_pool`."""
    user = None if actor is None else User.objects.filter(pk=actor).first()
    report("Removing the documents of the pool")
    return undo_pool(collection, user, building)


@transaction.atomic
def undo_pool(collection: Collection, user: User | None = None, building_id: int | None = None) -> UndoResult:
    """Undo the last pool building. With `building_id`, refuse if another building is the last one now."""
    lock_active(collection)
    building = _checked_building(collection, building_id)
    leaving = PoolChange.objects.filter(building=building, best_rank_before=None)
    _lock_work(leaving)
    _check_nothing_judged(building, leaving)
    about_to_save()
    tasks, assignments = leaving.count(), _remove_assignments(leaving)
    _restore(building, leaving)
    description = describe(building.strategy, building.parameters)
    ImportRecord.objects.filter(pool_buildings=building).update(undone_at=timezone.now(), undone_by=user)
    building.delete()
    details = {"tasks": tasks, "assignments": assignments}
    audit.record(Action.POOL_UNDONE, actor=user, collection=collection, subject=description[:200], details=details)
    return UndoResult(description, tasks, assignments, pooled_tasks(collection).count())


def _checked_building(collection: Collection, building_id: int | None) -> PoolBuilding:
    building = last_building(collection)
    if building is None:
        raise Refused(f"{collection} has no pool building that could be undone.")
    if building_id not in (None, building.pk):
        raise Conflict("Another pool was built or undone in the meantime; nothing was changed. Look at the list again.")
    if building.tasks_changed is None:
        raise Refused(
            "The last pool building cannot be undone: an exercise or an earlier version of Assay made it, and did not "
            "record its changes."
        )
    return building


def _lock_work(leaving: QuerySet[PoolChange]) -> None:
    """Lock the tasks that leave the pool and their assignments, so that nobody judges or claims them meanwhile."""
    tasks = leaving.values("task")
    assignments = Assignment.objects.filter(task__in=tasks).order_by("pk")
    locked = set(assignments.select_for_update().values_list("pk", flat=True))
    list(Task.objects.filter(pk__in=tasks).order_by("pk").select_for_update().values_list("pk", flat=True))
    # Waiting for a new assignment would be a wait in the wrong order: its judgement may wait for the task.
    if set(assignments.values_list("pk", flat=True)) != locked:
        raise Conflict("An assessor got tasks of this pool at the same time; nothing was changed. Try again.")


def _check_nothing_judged(building: PoolBuilding, leaving: QuerySet[PoolChange]) -> None:
    """Refuse if a task that leaves the pool has an answer.

    A judgement that was imported before the pool was built does not count: its task stays.
    """
    new = Judgement.objects.filter(task__in=leaving.filter(is_new=True).values("task"))
    older = leaving.filter(is_new=False).values("task")
    later = JudgementEvent.objects.filter(judgement__task__in=older, recorded_at__gte=building.built_at)
    tasks = {*new.values_list("task", flat=True), *later.values_list("judgement__task", flat=True)}
    if tasks:
        have = "1 task that it added has" if len(tasks) == 1 else f"{len(tasks):,} tasks that it added have"
        raise Refused(f"{have.capitalize()} a judgement, “cannot judge” or “later”. {KEPT}")


def _remove_assignments(leaving: QuerySet[PoolChange]) -> int:
    """Delete the assignments without an answer, and close the slots of tasks that stay."""
    tasks = leaving.values("task")
    assignments = Assignment.objects.filter(task__in=tasks)
    removed, _ = assignments.filter(state__in=["", LAPSED]).delete()
    assignments.update(holds_place=False, claimed_until=None)
    Task.objects.filter(pk__in=tasks).exclude(wanted=0).update(wanted=0, taken=0)
    return removed


def _restore(building: PoolBuilding, leaving: QuerySet[PoolChange]) -> None:
    """Give the tasks the systems and best ranks that they had before, and delete those that are new."""
    Provenance.objects.filter(task__in=leaving.values("task")).delete()
    ShownSuggestion.objects.filter(task__in=leaving.filter(is_new=True).values("task")).delete()
    changed = PoolChange.objects.filter(building=building).exclude(best_rank_before=None)
    rows = changed.values_list("systems_before", "best_rank_before", "task")
    stored = [(column_values(Provenance, {"systems": systems})["systems"], *rest) for systems, *rest in rows]
    _forget_duplicates(building)
    # What remains of a model are answers without a judgement: of a trial, or failures.
    ModelAnswer.objects.filter(task__in=leaving.filter(is_new=True).values("task")).delete()
    # Only after an erasure: tasks with judgements stay.
    KeptChange.objects.filter(task__in=leaving.filter(is_new=True).values("task")).delete()
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE assess_provenance SET systems = %s, best_rank = %s WHERE task_id = %s", stored)
        cursor.execute(DELETE_DOCUMENTS, [building.pk, building.pk])
        cursor.execute(DELETE_TASKS, [building.pk])


def _forget_duplicates(building: PoolBuilding) -> None:
    """Take documents that may be deleted out of the groups of near-duplicates: their text was removed."""
    changes = PoolChange.objects.filter(building=building, is_new=True)
    without_text = Document.objects.filter(tasks__in=changes.values("task"), content=None).values("pk")
    GroupMember.objects.filter(document__in=without_text).delete()
    DuplicatePair.objects.filter(Q(a__in=without_text) | Q(b__in=without_text)).delete()
