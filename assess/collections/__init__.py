"""Collections and their people."""

import re
import secrets
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction

from assess.collections.guidelines import publish_guidelines
from assess.errors import Refused
from assess.models import Collection, Grade, Judgement, Member, Role, User

BINARY_GRADES = ("0=Not relevant", "1=Relevant")
GRADE = re.compile(r"([0-9])=\s*([^:\s][^:]{0,59}?)(?:\s+#([^:\s]*))?\s*(?::(.{0,300}))?")
RGB = re.compile(r"[0-9a-f]{6}")


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
    _check_text(Collection, "slug", slug)
    _check_text(Collection, "name", name)
    if Collection.objects.filter(slug=slug).exists():
        raise Refused(f"There is already a collection {slug!r}; nothing was changed.")
    collection = Collection.objects.create(slug=slug, name=name, description=description)
    set_scale(collection, grades)
    if guidelines is not None:
        publish_guidelines(collection, guidelines)
    return collection


@transaction.atomic
def set_scale(collection: Collection, grades: Sequence[str]) -> None:
    """Declare the grades, each `value=name`, `value=name:meaning` or `value=name #rrggbb:meaning`, with its colour.

    The scale freezes at the first judgement.
    """
    if Judgement.objects.filter(task__topic__collection=collection).exists():
        raise Refused(f"{collection} has judgements; its scale is frozen since the first of them.")
    scale = [_grade(collection, text) for text in grades]
    values = {grade.value for grade in scale}
    if len(values) < 2 or len(values) < len(scale):
        came = ", ".join(grades) or "none"
        raise Refused(f"The grades {came} make no scale; give 2 to 10 different values from 0 to 9.")
    collection.grades.all().delete()
    Grade.objects.bulk_create(scale)


def _grade(collection: Collection, text: str) -> Grade:
    parts = GRADE.fullmatch(text.strip())
    if not parts:
        raise Refused(f"{text!r} is not a grade; write value=name or value=name:meaning, the value from 0 to 9.")
    value, name, digits, meaning = parts.groups()
    return Grade(
        collection=collection,
        value=int(value),
        name=name,
        meaning=(meaning or "").strip(),
        colour="" if digits is None else _colour(text, digits.lower()),
    )


def _colour(text: str, digits: str) -> str:
    if not RGB.fullmatch(digits):
        raise Refused(f"'#{digits}' of {text!r} is not a colour; write #rrggbb, such as #35739b, behind the name.")
    return f"#{digits}"


@transaction.atomic
def add_member(collection: Collection, username: str, role: str, name: str = "") -> tuple[Member, str | None]:
    """Give a person a role. Returns the member, and the random password where the person is new."""
    username = User.normalize_username(username)
    user, password = User.objects.filter(username=username).first(), None
    if user is None:
        _check_text(User, "username", username)
        password = secrets.token_urlsafe(9)
        user = User.objects.create_user(username, password=password)
    if held := collection.members.filter(user=user).first():
        raise Refused(f"{username} is already {held.role} of {collection}; a person has one role in a collection.")
    name = name or _free_name(collection, role)
    check_member_name(name)
    if collection.members.filter(name=name).exists():
        raise Refused(f"{collection} already has a member called {name!r}; choose another pseudonym.")
    return Member.objects.create(collection=collection, user=user, role=role, name=name), password


def check_member_name(name: str) -> None:
    """Refuse what cannot stand in a file's line or a figure's legend."""
    _check_text(Member, "name", name)
    if not name.isprintable() or name != name.strip():
        raise Refused(f"{name!r} cannot be the name of a member: it is printable text without spaces around it.")


def _check_text(model, field: str, text: str) -> None:
    """Refuse with a sentence what PostgreSQL would refuse with an error, and SQLite not at all."""
    try:
        model._meta.get_field(field).clean(text, None)
    except ValidationError as error:
        shown, whose = repr(text[:100]), model._meta.verbose_name
        raise Refused(f"{shown} cannot be the {field} of a {whose}: {' '.join(error.messages)}") from None


def _free_name(collection: Collection, role: str) -> str:
    taken = set(collection.members.values_list("name", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := f"{role}-{n}") not in taken)


def scale_of(collection: Collection) -> tuple[int, ...]:
    """The declared grades, in order."""
    return tuple(collection.grades.values_list("value", flat=True))


def check_threshold(collection: Collection, rel: int) -> None:
    """Refuse a grade from which on every document of the scale would be relevant, or none."""
    above = scale_of(collection)[1:]
    if rel not in above:
        raise Refused(f"Relevant from grade {rel} cuts nothing; it is one of {', '.join(map(str, above))}.")


def lowest_relevant_grade(collection: Collection) -> int:
    """The lowest grade above the scale's bottom: what counts as relevant unless asked otherwise."""
    return scale_of(collection)[1]


def active_assessors(collection: Collection) -> list[Member]:
    """Who may be given tasks: assessors who can sign in, in a stable order."""
    return list(collection.members.filter(role=Role.ASSESSOR, user__isnull=False).order_by("pk"))
