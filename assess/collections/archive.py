"""Archives collections. An archived collection can be read and exported; nothing in it changes until it is restored."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from assess import audit
from assess.errors import Refused
from assess.models import Action, Collection, User


def lock_active(collection: Collection) -> None:
    """Lock the collection until the transaction ends, and refuse if it is archived.

    The caller may have read it before somebody archived it.
    """
    # first(), because the collection may have been deleted while this waited for the lock.
    locked = Collection.objects.select_for_update().filter(pk=collection.pk).first()
    if locked is None:
        raise Refused(f"{collection} was deleted in the meantime.")
    if locked.archived_at:
        raise Refused(f"{collection} is archived and cannot be changed. An owner can restore it in its settings.")


def archive_collection(collection: Collection, actor: User | None = None) -> None:
    """Archive a collection. `actor` is who does it, for the audit log."""
    with transaction.atomic():
        if _locked(collection).archived_at:
            raise Refused(f"{collection} is archived already.")
        _save(collection, timezone.now())
        audit.record(Action.COLLECTION_ARCHIVED, actor=actor, collection=collection)


def restore_collection(collection: Collection, actor: User | None = None) -> None:
    """Restore a collection from the archive. Everything is as it was before."""
    with transaction.atomic():
        if not _locked(collection).archived_at:
            raise Refused(f"{collection} is not archived.")
        _save(collection, None)
        audit.record(Action.COLLECTION_RESTORED, actor=actor, collection=collection)


def _locked(collection: Collection) -> Collection:
    return Collection.objects.select_for_update().get(pk=collection.pk)


def _save(collection: Collection, archived_at: datetime | None) -> None:
    collection.archived_at = archived_at
    collection.save(update_fields=["archived_at"])
