"""Creates, finds and locks collections."""

from collections.abc import Sequence
from itertools import count

from django.db import transaction
from django.utils.text import slugify

from assess import audit
from assess.collections.copied_settings import copied_guidelines, copied_rules
from assess.collections.guidelines import publish_guidelines
from assess.collections.scale import BINARY_GRADES, GradeSpec, grades_of, parse_grade, set_grades
from assess.collections.text_fields import check_description, check_field
from assess.errors import Refused
from assess.models import Action, Collection, Member, Role, User

OWNER_NAME = "owner-1"
MAX_NAME = Collection._meta.get_field("name").max_length or 0
SUFFIX_LENGTH = 6  # a hyphen and a number


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


def free_slug(name: str) -> str:
    """Return a slug made from the name, which no collection has."""
    length = (Collection._meta.get_field("slug").max_length or 0) - SUFFIX_LENGTH
    slug = slugify(name[:MAX_NAME])[:length].strip("-_") or "collection"
    taken = set(Collection.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    return next(each for n in count(1) if (each := slug if n == 1 else f"{slug}-{n}") not in taken)


@transaction.atomic
def create_collection(
    slug: str,
    name: str,
    grades: Sequence[str | GradeSpec] | None = None,
    *,
    description: str = "",
    assessor_description: str = "",
    guidelines: str | None = None,
    source: Collection | None = None,
    owner: User | None = None,
) -> Collection:
    """Create a collection with its scale (binary by default). Without a name, the slug is the name.

    Scale, rules of judging and guidelines are copied from `source`, except those that are given. `owner` becomes the
    collection's owner; without one, the caller adds an owner.
    """
    name = name or slug
    check_field(Collection, "slug", slug)
    check_field(Collection, "name", name)
    if Collection.objects.filter(slug=slug).exists():
        raise Refused(f"Collection {slug!r} already exists; nothing was changed.")
    collection = Collection.objects.create(
        slug=slug,
        name=name,
        description=check_description("description", description),
        assessor_description=check_description("assessor_description", assessor_description),
        **(copied_rules(source) if source else {}),
    )
    set_grades(collection, _specs(grades, source))
    if guidelines is None and source:
        guidelines = copied_guidelines(source)
    if guidelines is not None:
        publish_guidelines(collection, guidelines)
    details = {"copied_from": source.slug} if source else {}
    audit.record(Action.COLLECTION_CREATED, actor=owner, collection=collection, details=details)
    if owner:
        Member.objects.create(collection=collection, user=owner, role=Role.OWNER, name=OWNER_NAME)
    return collection


def _specs(grades: Sequence[str | GradeSpec] | None, source: Collection | None) -> list[GradeSpec]:
    if grades is None:
        grades = grades_of(source) if source else BINARY_GRADES
    return [grade if isinstance(grade, GradeSpec) else parse_grade(grade) for grade in grades]
