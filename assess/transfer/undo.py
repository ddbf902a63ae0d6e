"""Undoes an import, until something depends on it.

Topics        until a document is pooled for one of them, or until a later import has changed topics
Runs          until a pool was built from one of them, or an adaptive order uses the runs
Documents     until one of them has a judgement, or a learner proposes them; documents outside the pool disappear, and
              pooled ones lose their text. Documents whose texts were replaced get their former texts back, until a
              judgement was made with a new text, or until another import has replaced it
Scale         never: it can be changed until the collection has judgements
Pool          by undoing the building of the pool (`assess.pools.building.undo`)
Judgements    never: raw judgements are not deleted, but their judge can be withdrawn (`assess.transfer.withdrawal`)
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.members import lock_members
from assess.documents.contents import delete_contents
from assess.documents.replaced import restore_contents
from assess.errors import Refused
from assess.lib.long_work import about_to_save, report
from assess.models import (
    Action,
    AdaptiveOrder,
    Collection,
    Document,
    DocumentContent,
    ImportKind,
    ImportRecord,
    Input,
    Judgement,
    JudgementEvent,
    PoolBuilding,
    ReplacedText,
    Run,
    Topic,
    User,
)
from assess.pools.learning.current import CAL

OTHERWISE = {
    ImportKind.POOL.value: "It is a building of the pool. Undo it on the page Pool.",
    ImportKind.SCALE.value: "Change the scale on the page Settings.",
    ImportKind.JUDGEMENTS.value: "Judgements are never deleted. An imported judge can be withdrawn instead.",
}  # what to do instead of undoing the import


@dataclass(frozen=True)
class Undone:
    """How many items an undone import removed."""

    kind: str
    removed: int


def undo_import(collection: Collection, record: int, user: int | None = None) -> Undone:
    """Remove what an import added, and give changed topics their former texts. `user` is the primary key of the actor.

    Raises Refused if something depends on the import.
    """
    actor = User.objects.filter(pk=user).first() if user else None
    report("Undoing the import")
    with transaction.atomic():
        lock_active(collection)
        lock_members(list(collection.members.all()))  # so that nobody judges meanwhile
        found = collection.imports.filter(pk=record).first()
        if found is None:
            raise Refused(f"{collection} has no import {record}.")
        if reason := obstacles(collection, [found])[found.pk]:
            raise Refused(f"Import {record} of {found.kind} cannot be undone. {reason}")
        removed = _REMOVERS[found.kind](found)
        found.undone_at, found.undone_by = timezone.now(), actor
        found.save(update_fields=["undone_at", "undone_by"])
        details = {"import": found.pk, "removed": removed}
        audit.record(Action.IMPORT_UNDONE, actor=actor, collection=collection, subject=found.kind, details=details)
        about_to_save()
    return Undone(found.kind, removed)


def obstacles(collection: Collection, records: Sequence[ImportRecord]) -> dict[int, str]:
    """Return for each import why it cannot be undone, or "". The number of queries does not depend on the imports."""
    keys = [record.pk for record in records if record.undone_at is None]
    reasons = dict.fromkeys((record.pk for record in records), "")
    pooled = collection.topics.filter(import_record__in=keys, tasks__isnull=False)
    judged = Judgement.objects.filter(task__document__content__import_record__in=keys).exclude(
        task__document__replaced_texts__import_record=F("task__document__content__import_record")
    )
    reasons |= dict.fromkeys(
        pooled.values_list("import_record", flat=True).distinct(), "Documents are pooled for its topics."
    )
    reasons |= dict.fromkeys(
        judged.order_by().values_list("task__document__content__import_record", flat=True).distinct(),
        "Some of its documents have judgements.",
    )
    reasons |= _of_replaced_texts(keys)
    orders = AdaptiveOrder.objects.filter(topic__collection=collection)
    strategies = set(orders.values_list("strategy", flat=True).distinct())
    reasons |= _of_changed_topics(collection, records) | _of_runs(collection, records, strategies - {CAL})
    if CAL in strategies:
        documents = [record.pk for record in records if record.kind == ImportKind.DOCUMENTS]
        reasons |= dict.fromkeys(documents, "A learner proposes its documents. End the adaptive order first.")
    for record in records:
        if record.undone_at:
            reasons[record.pk] = "It is undone already."
        elif record.kind in OTHERWISE:
            reasons[record.pk] = OTHERWISE[record.kind]
    return reasons


def _of_replaced_texts(keys: Sequence[int]) -> dict[int, str]:
    """The imports whose new texts were judged, or whose texts a later import has replaced."""
    displayed = JudgementEvent.objects.filter(
        judgement__task__document__replaced_texts__import_record__in=keys,
        recorded_at__gte=F("judgement__task__document__replaced_texts__replaced_at"),
        document_hash__isnull=False,
    ).exclude(input=Input.GROUP)
    judged = displayed.values_list("judgement__task__document__replaced_texts__import_record", flat=True)
    reasons = dict.fromkeys(judged.order_by().distinct(), "Some of its new texts have judgements.")
    later = ReplacedText.objects.filter(content__import_record__in=keys).order_by("import_record")
    for key, other in later.values_list("content__import_record", "import_record"):
        reasons[key] = f"Import {other} has replaced some of its texts since. Undo that one first."
    return reasons


def _of_runs(collection: Collection, records: Sequence[ImportRecord], strategies: set[str]) -> dict[int, str]:
    """The imports with a run that a pool uses, or an adaptive order by one of these strategies."""
    keys = [record.pk for record in records if record.kind == ImportKind.RUNS]
    if not keys:
        return {}
    runs = list(Run.objects.filter(import_record__in=keys).values_list("import_record", "system"))
    if strategies:
        return dict.fromkeys((key for key, _ in runs if key), "An adaptive order uses the runs.")
    checksums = PoolBuilding.objects.filter(collection=collection).values_list("run_checksums", flat=True)
    used = {system for systems in checksums for system in systems}
    return {key: "A pool was built from its runs." for key, system in runs if key and system in used}


def _of_changed_topics(collection: Collection, records: Sequence[ImportRecord]) -> dict[int, str]:
    """The imports of topics that a later import, or one of pooled topics, prevents from being undone."""
    imports = [record for record in records if record.kind == ImportKind.TOPICS]
    if not imports:
        return {}
    reasons = {}
    changed = [key for record in imports for key in record.previous]
    tasks = Topic.objects.filter(pk__in=changed, tasks__isnull=False).values_list("pk", flat=True)
    pooled = {str(key) for key in tasks.distinct()}
    kept = collection.imports.filter(kind=ImportKind.TOPICS, undone_at=None).exclude(previous={})
    latest = kept.values_list("pk", flat=True).first() or 0
    for record in imports:
        if pooled & record.previous.keys():
            reasons[record.pk] = "Documents are pooled for its topics."
        elif latest > record.pk:
            reasons[record.pk] = f"Import {latest} has changed topics since. Undo that one first."
    return reasons


def _remove_topics(record: ImportRecord) -> int:
    topics = Topic.objects.in_bulk([int(key) for key in record.previous])
    for key, topic in topics.items():
        for name, text in record.previous[str(key)].items():
            setattr(topic, name, text)
    Topic.objects.bulk_update(topics.values(), ["title", "description", "narrative"], batch_size=500)
    removed, _ = record.collection.topics.filter(import_record=record).delete()
    return removed


def _remove_runs(record: ImportRecord) -> int:
    """Delete the runs. The nightly purge deletes their files, because another import may be storing the same run."""
    removed, _ = record.runs.all().delete()
    return removed


def _remove_documents(record: ImportRecord) -> int:
    restore_contents(record.collection, record.pk)
    documents = Document.objects.filter(content__import_record=record)
    # Read first: when the documents are gone or have no content, nothing leads from them to their contents.
    keys = list(DocumentContent.objects.filter(import_record=record).values_list("pk", flat=True))
    documents.filter(tasks=None).delete()
    documents.update(content=None)
    delete_contents(keys)
    return len(keys)


_REMOVERS = {
    ImportKind.TOPICS.value: _remove_topics,
    ImportKind.RUNS.value: _remove_runs,
    ImportKind.DOCUMENTS.value: _remove_documents,
}
