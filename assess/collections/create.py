"""Creates, finds and locks a collection."""

from collections.abc import Sequence

from django.db import transaction

from assess.collections.guidelines import publish_guidelines
from assess.collections.scale import BINARY_GRADES, set_scale
from assess.collections.text_fields import check_field
from assess.errors import Refused
from assess.models import Collection


def lock_collection(collection: Collection) -> None:
    """Let nobody else pool or give out in this collection until the caller's transaction ends.

    SQLite needs no lock: a transaction that writes is alone there.
    """
    Collection.objects.select_for_update().get(pk=collection.pk)


def find_collection(slug: str) -> Collection:
    """The collection of that name, or a refusal that lists what there is."""
    try:
        return Collection.objects.get(slug=slug)
    except Collection.DoesNotExist:
        known = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise Refused(
            f"There is no collection {slug!r}; there are: {known}. Make one with create_collection."
        ) from None


@transaction.atomic
def create_collection(
    slug: str, name: str, grades: Sequence[str] = BINARY_GRADES, *, description="", guidelines=None
) -> Collection:
    """Make a collection with its declared scale."""
    name = name or slug
    check_field(Collection, "slug", slug)
    check_field(Collection, "name", name)
    if Collection.objects.filter(slug=slug).exists():
        raise Refused(f"There is already a collection {slug!r}; nothing was changed.")
    collection = Collection.objects.create(slug=slug, name=name, description=description)
    set_scale(collection, grades)
    if guidelines is not None:
        publish_guidelines(collection, guidelines)
    return collection
