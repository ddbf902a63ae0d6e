"""Deletes a collection with everything in it. Entries of the audit log and a tombstone with counts remain.

One transaction deletes what is visible, so that an interrupted deletion changes nothing. The contents of the documents,
which may be large, belong to no document afterwards. They are deleted in short transactions, so that nobody who judges
elsewhere waits; what an interruption leaves, `purge` deletes. Run files of no other run are deleted when they are a day
old, here or by `purge`.
"""

import time
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q

from assess import audit
from assess.documents.contents import delete_contents
from assess.documents.replaced import former_contents
from assess.errors import Refused
from assess.judging.checkpoints import chains_of
from assess.lib.batches import BATCH, let_others_write
from assess.lib.long_work import about_to_save, report
from assess.models import (
    Action,
    Assignment,
    AuditEvent,
    Checkpoint,
    Collection,
    Exercise,
    Judgement,
    JudgementEvent,
    PoolBuilding,
    Role,
    Run,
    Task,
    User,
)
from assess.people import erasure
from assess.search.index import drop_index
from pooling.errors import shown

EXPORT_SUBJECT = "judgements"  # of the audit entry of an export of all raw judgements


@dataclass(frozen=True)
class Losses:
    """The numbers of rows that a deletion removes."""

    people: int
    imported_judges: int
    invitations: int
    topics: int
    documents: int
    runs: int
    tasks: int
    assignments: int
    judgements: int
    events: int


def losses_of(collection: Collection) -> Losses:
    """Count what the collection has."""
    tasks = Task.objects.filter(topic__collection=collection)
    is_imported = Q(user__isnull=True, removed_at__isnull=True)
    members = collection.members.aggregate(
        people=Count("pk", filter=~is_imported), imported=Count("pk", filter=is_imported)
    )
    return Losses(
        people=members["people"],
        imported_judges=members["imported"],
        invitations=collection.invitations.count(),
        topics=collection.topics.count(),
        documents=collection.documents.count(),
        runs=collection.runs.count(),
        tasks=tasks.count(),
        assignments=Assignment.objects.filter(topic__collection=collection).count(),
        judgements=Judgement.objects.filter(task__topic__collection=collection).count(),
        events=JudgementEvent.objects.filter(member__collection=collection).count(),
    )


def check_deletable(collection: Collection) -> None:
    """Refuse the deletion of an exercise's collection, and of judgements that nobody has exported as they are now."""
    if code := Exercise.objects.filter(collection=collection).values_list("code", flat=True).first():
        raise Refused(f"{collection} belongs to the exercise {code}. The instructor erases the exercise.")
    if not is_exported(collection):
        raise Refused(
            f"{collection} has judgements that were not exported since the last change. Download all judgements as "
            "CSV first, also those of withdrawn judges, or they would be lost."
        )


def is_exported(collection: Collection) -> bool:
    """Whether there is nothing to export, or an export of all judgements was made of the ledger as it is now."""
    chains = chains_of(collection)
    if not chains:
        return True
    of_all = Q(details__withdrawn=audit.INCLUDED)
    if not collection.members.filter(role=Role.WITHDRAWN).exists():
        of_all |= ~Q(details__has_key="withdrawn")
    exports = AuditEvent.objects.filter(of_all, collection=collection, action=Action.EXPORTED, subject=EXPORT_SUBJECT)
    last = exports.order_by("-pk").values_list("details", flat=True).first()
    if last is None:
        return False
    checkpoint = Checkpoint.objects.filter(collection=collection, hash=last.get("checkpoint", "")).first()
    return checkpoint is not None and checkpoint.chains == chains


UNUSED_AFTER = timedelta(days=1)  # an import writes the file first and the run later


def unused_run_files() -> list[Path]:
    """Return the files of no run that are at least a day old. Two runs with the same lines use the same file."""
    used = set(Run.objects.values_list("file_checksum", flat=True))
    before = time.time() - UNUSED_AFTER.total_seconds()
    files = [*settings.RUNS_DIR.glob("*.parquet"), *settings.RUNS_DIR.glob("*.draft")]
    return [path for path in files if path.stem not in used and path.stat().st_mtime < before]


def delete_unused_run_files() -> int:
    """Delete these files, and return their number."""
    unused = unused_run_files()
    for path in unused:
        path.unlink(missing_ok=True)
    return len(unused)


REASON = "the collection was deleted"
# In this order, because later tables are referenced by earlier ones. Only SQL deletes large tables fast: Django loads
# the rows to find out what refers to them.
OF_TASKS = (
    "WHERE task_id IN (SELECT task.id FROM assess_task task "
    "JOIN assess_topic topic ON topic.id = task.topic_id WHERE topic.collection_id = %s)"
)
OF_GROUPS = "WHERE group_id IN (SELECT id FROM assess_duplicategroup WHERE collection_id = %s)"
OF_SEARCH = "WHERE search_id IN (SELECT id FROM assess_duplicatesearch WHERE collection_id = %s)"
STATEMENTS = {
    "Deleting near-duplicates": (
        "DELETE FROM assess_groupmember " + OF_GROUPS,  # noqa: S608 - only names
        "DELETE FROM assess_duplicategroup WHERE collection_id = %s",
        "DELETE FROM assess_duplicatepair " + OF_SEARCH,  # noqa: S608 - only names
        "DELETE FROM assess_duplicatesearch WHERE collection_id = %s",
    ),
    "Deleting tasks": (
        "DELETE FROM assess_pilot_tasks " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_norminground_tasks " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_adjudicatedtask " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_gradesopening " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_knowngrade " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_modelanswer " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_poolchange " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_searchedtask " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_sampledtask " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_keptchange " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_shownsuggestion " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_provenance " + OF_TASKS,  # noqa: S608 - only names
        "DELETE FROM assess_task WHERE topic_id IN (SELECT id FROM assess_topic WHERE collection_id = %s)",
    ),
    "Deleting documents": (
        "DELETE FROM assess_proposal WHERE document_id IN (SELECT id FROM assess_document WHERE collection_id = %s)",
        "DELETE FROM assess_openedresult WHERE document_id IN "
        "(SELECT id FROM assess_document WHERE collection_id = %s)",
        "DELETE FROM assess_replacedtext WHERE document_id IN "
        "(SELECT id FROM assess_document WHERE collection_id = %s)",
        "DELETE FROM assess_document WHERE collection_id = %s",
    ),
}


@dataclass(frozen=True)
class DeletionResult:
    """The name of the deleted collection, and what it had."""

    name: str
    losses: Losses


def delete_collection(slug: str, confirmation: str, actor: User | None = None) -> DeletionResult:
    """Delete the collection with this slug. `confirmation` is what the user typed, which must be the slug."""
    collection = Collection.objects.filter(slug=slug).first()
    if collection is None:
        raise Refused(f"There is no collection {shown(slug)}. Somebody may have deleted it in the meantime.")
    check_confirmation(collection, confirmation)
    check_deletable(collection)
    report("Deleting judgements")
    with transaction.atomic():
        result, contents = _delete(collection, actor)
    for start in range(0, len(contents), BATCH):
        let_others_write()
        delete_contents(contents[start : start + BATCH])
    delete_unused_run_files()
    return result


def delete_in_background(slug: str, confirmation: str, actor: int | None) -> DeletionResult:
    """Delete the collection as a background job. `actor` is the primary key of the user, or None for a command."""
    user = None if actor is None else User.objects.filter(pk=actor).first()
    return delete_collection(slug, confirmation, user)


def check_confirmation(collection: Collection, confirmation: str) -> None:
    """Refuse if what the user typed is not the name of the collection in addresses."""
    if confirmation != collection.slug:
        raise Refused(f"To delete this collection, type {collection}, not {shown(confirmation)}.")


def _delete(collection: Collection, actor: User | None) -> tuple[DeletionResult, list[int]]:
    """Delete everything but the contents of documents, and return their keys."""
    # Pooling, assigning and importing wait for this lock. Erasing takes those for which judgements wait.
    if not Collection.objects.select_for_update().filter(pk=collection.pk).exists():
        raise Refused(f"{collection} is already deleted.")
    check_deletable(collection)  # again, because somebody may have judged before the lock
    result = DeletionResult(collection.name, losses_of(collection))
    # Before the tasks, to which the judgements and events of the members refer.
    erasure.erase(collection.members.all(), REASON, collection, actor, add_to_list=False)
    contents = delete_rows(collection)
    audit.record(Action.COLLECTION_DELETED, actor=actor, collection=collection, details=asdict(result.losses))
    collection.delete()
    about_to_save()
    return result, contents


def delete_rows(collection: Collection) -> list[int]:
    """Delete the tasks, runs and documents of a collection without judgements, inside the caller's transaction.

    Returns the keys of the documents' contents, which stay. So do run files: runs of other collections may use them.
    """
    # Before the documents are deleted: afterwards nothing tells whose contents these were.
    contents = list(collection.documents.filter(content__isnull=False).values_list("content", flat=True))
    contents += former_contents(collection)
    with connection.cursor() as cursor:
        for stage, statements in STATEMENTS.items():
            report(stage)
            for statement in statements:
                cursor.execute(statement, [collection.pk])
    drop_index(collection)
    PoolBuilding.objects.filter(collection=collection).delete()
    Run.objects.filter(collection=collection).delete()
    return contents
