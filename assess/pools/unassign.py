"""Undo assigning: delete the assignments that nobody has begun. Judgements and pilots stay."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.lib.batches import SHORT_BATCH, let_others_write
from assess.lib.long_work import about_to_save, report
from assess.models import Assignment, Collection, Judgement, JudgementKind, Pilot
from pooling.words import count

MOST_AT_ONCE = 20_000  # assignments; deleting more takes longer than a page should


def unassigned_sentence(deleted: int) -> str:
    return f"Deleted {count(deleted, 'assignment')} that nobody had begun."


def is_long(collection: Collection) -> bool:
    """Whether unassigning takes longer than a page should."""
    return not_begun(collection).count() > MOST_AT_ONCE


def not_begun(collection: Collection) -> QuerySet[Assignment]:
    """Return the assignments without a judgement of their task by the same assessor, except those of pilots."""
    judged = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    in_pilot = Pilot.tasks.through.objects.filter(task=OuterRef("task"))
    of_collection = Assignment.objects.filter(
        topic__in=collection.topics.values("pk"), repeat__in=(JudgementKind.REGULAR, JudgementKind.REPEAT), state=""
    )
    return of_collection.filter(~Exists(judged), ~Exists(in_pilot))


def unassign_in_background(collection: Collection) -> dict[str, int]:
    """Unassign, and return the number as `deleted`: the function of the job `unassign`."""
    return {"deleted": unassign(collection)}


def unassign(collection: Collection) -> int:
    """Delete these assignments, and return their number. Assigning again with the same options creates them again.

    Each batch is a transaction of its own, so that judging goes on. After an interruption, the next call deletes the
    rest.
    """
    _check_closed(collection)
    keys = list(not_begun(collection).order_by("pk").values_list("pk", flat=True))
    deleted = 0
    for start in range(0, len(keys), SHORT_BATCH):
        report("Deleting the assignments that nobody has begun", start, len(keys))
        deleted += _delete_batch(collection, keys[start : start + SHORT_BATCH])
        let_others_write()
    return deleted


@transaction.atomic
def _delete_batch(collection: Collection, keys: list[int]) -> int:
    lock_active(collection)
    _check_closed(collection)
    # The lock waits for judgements that are being recorded, and the second query sees them.
    list(Assignment.objects.filter(pk__in=keys).order_by("pk").select_for_update().values_list("pk"))
    deleted, _ = not_begun(collection).filter(pk__in=keys).delete()
    about_to_save()
    return deleted


def _check_closed(collection: Collection) -> None:
    collection.refresh_from_db(fields=["judges_per_task"])
    if collection.open_to_claims:
        raise Refused(f"{collection} is open to claims, so no documents are assigned beforehand.")
