"""Changes the name and the descriptions of a collection. The slug, which is part of every address, stays."""

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.text_fields import check_description, check_field
from assess.models import Action, Collection, User


def change_collection(
    collection: Collection,
    *,
    name: str | None = None,
    description: str | None = None,
    assessor_description: str | None = None,
    actor: User | None = None,
) -> list[str]:
    """Change what is given, and return the names of the fields that have changed."""
    new = _checked(name, description, assessor_description)
    with transaction.atomic():
        lock_active(collection)
        collection.refresh_from_db(fields=list(new) or ["name"])
        changed = sorted(field for field, text in new.items() if getattr(collection, field) != text)
        for field in changed:
            setattr(collection, field, new[field])
        if changed:
            collection.save(update_fields=changed)
            audit.record(Action.COLLECTION_CHANGED, actor=actor, collection=collection, details={"fields": changed})
    return changed


def _checked(name: str | None, description: str | None, assessor_description: str | None) -> dict[str, str]:
    new = {}
    if name is not None:
        check_field(Collection, "name", name.strip())
        new["name"] = name.strip()
    if description is not None:
        new["description"] = check_description("description", description)
    if assessor_description is not None:
        new["assessor_description"] = check_description("assessor_description", assessor_description)
    return new
