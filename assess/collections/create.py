"""Creates, finds and locks collections."""

from collections.abc import Sequence

from django.db import transaction

from assess import audit
from assess.collections.guidelines import publish_guidelines
from assess.collections.scale import BINARY_GRADES, set_scale
from assess.collections.text_fields import check_field
from assess.errors import Refused
from assess.models import Action, Collection


def lock_collection(collection: Collection) -> None:
    """Lock the collection's row until the caller's transaction ends, so that pooling and assigning take turns.

    On SQLite the row lock has no effect and is not needed: a writing transaction already locks the database.
    """
    Collection.objects.select_for_update().get(pk=collection.pk)


def find_collection(slug: str) -> Collection:
    """Return the collection with that slug, or refuse with a list of the existing collections."""
    try:
        return Collection.objects.get(slug=slug)
    except Collection.DoesNotExist:
        existing = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise Refused(
            f"There is no collection {slug!r}. Existing collections: {existing}. Create one with create_collection."
        ) from None


@transaction.atomic
def create_collection(
    slug: str,
    name: str,
    grades: Sequence[str] = BINARY_GRADES,
    *,
    description: str = "",
    guidelines: str | None = None,
) -> Collection:
    """Create a collection with its scale. Without a name, the slug is the name."""
    name = name or slug
    check_field(Collection, "slug", slug)
    check_field(Collection, "name", name)
    if Collection.objects.filter(slug=slug).exists():
        raise Refused(f"Collection {slug!r} already exists; nothing was changed.")
    collection = Collection.objects.create(slug=slug, name=name, description=description)
    set_scale(collection, grades)
    if guidelines is not None:
        publish_guidelines(collection, guidelines)
    audit.record(Action.COLLECTION_CREATED, collection=collection)
    return collection
