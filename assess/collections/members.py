"""The members of a collection and their roles."""

import secrets
from collections.abc import Sequence

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.sight import allow_sighted as allow_to_judge
from assess.collections.sight import check_may_judge
from assess.collections.text_fields import check_field
from assess.errors import Refused
from assess.models import Action, Collection, Member, Role, User


class AlreadyMember(Refused):
    """The user is `member` of the collection, which stays as it is."""

    def __init__(self, sentence: str, member: Member) -> None:
        super().__init__(sentence)
        self.member = member


@transaction.atomic
def add_member(
    collection: Collection,
    username: str,
    role: str,
    name: str = "",
    actor: User | None = None,
    allow_sighted: bool = False,
) -> tuple[Member, str | None]:
    """Give a user a role in the collection, and create the user if necessary.

    With `allow_sighted`, the user may become an assessor although they could see the runs.

    `name` is the pseudonym in exports and figures; the default is the role with a number. Returns the member, and
    the random password of a new user (None for an existing user). `actor` is who adds the member, for the audit log.
    """
    username = User.normalize_username(username)
    # The lock makes this wait while the user is being erased.
    user, password = User.objects.select_for_update(no_key=True).filter(username=username).first(), None
    lock_active(collection)
    if user is None:
        check_field(User, "username", username)
        password = secrets.token_urlsafe(9)
        user = User.objects.create_user(username, password=password)
    elif allow_sighted and role == Role.ASSESSOR:
        allow_to_judge(collection, username, actor)
    return create_member(collection, user, role, name, actor), password


def create_member(collection: Collection, user: User, role: str, name: str = "", actor: User | None = None) -> Member:
    """Give a user, whom the caller has locked, a role in the collection, in the caller's transaction."""
    if existing := collection.members.filter(user=user).first():
        raise AlreadyMember(
            f"{user} is already {existing.role} of {collection}; a user has one role in each collection.", existing
        )
    if role == Role.ASSESSOR:
        check_may_judge(collection, user)
    name = name or free_name(collection, role)
    check_member_name(name)
    if collection.members.filter(name=name).exists():
        raise Refused(f"{collection} already has a member named {name!r}; choose another pseudonym.")
    member = Member.objects.create(collection=collection, user=user, role=role, name=name)
    audit.record(Action.MEMBER_ADDED, actor=actor, person=user, collection=collection, details={"role": role})
    return member


def check_member_name(name: str) -> None:
    """Refuse a name that would break a line of a file or the legend of a figure."""
    check_field(Member, "name", name)
    if not name.isprintable() or name != name.strip():
        raise Refused(
            f"{name!r} is not a valid member name: use printable characters, without spaces at the start or end."
        )


def free_name(collection: Collection, prefix: str) -> str:
    """Return the first of `prefix-1`, `prefix-2`, ... that is not taken in the collection."""
    taken = set(collection.members.values_list("name", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := f"{prefix}-{n}") not in taken)


def lock_members(members: Sequence[Member]) -> None:
    """Lock members until the caller's transaction ends. Rows that refer to them can still be inserted."""
    rows = Member.objects.filter(pk__in=[member.pk for member in members])
    list(rows.order_by("pk").select_for_update(no_key=True))


def active_assessors(collection: Collection) -> list[Member]:
    """Return the assessors who can sign in, in a stable order. Only they are given tasks."""
    return list(collection.members.filter(role=Role.ASSESSOR, user__is_active=True).order_by("pk"))
