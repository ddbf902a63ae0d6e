"""What a person could see of a collection, and when, also after they left it: from the entries of the audit log.

Assessors must not know the systems. Who had a role that shows the runs while the collection had runs does not become an
assessor of it, under any pseudonym, unless an owner allows it by name. The permission is an entry of the audit log. Its
judgements are marked on pages, in exports and in releases.

Entries about roles are kept as long as the collection exists. Another account of the same person is not recognised.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max, Min

from assess import audit
from assess.access import READERS
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Action, AuditEvent, Collection, JudgementEvent, Role, User
from pooling.errors import shown
from pooling.words import with_article

STARTING = (Action.MEMBER_ADDED, Action.ROLE_CHANGED)
ENDING = (Action.MEMBER_REMOVED, Action.PERSON_ERASED)
KEPT = (Action.MEMBER_ADDED, Action.ROLE_CHANGED, Action.MEMBER_REMOVED, Action.SIGHTED_ALLOWED)
HOW_TO_ALLOW = "An owner can allow it by name on the page People; then pages, exports and releases say so."


class RolePeriod(NamedTuple):
    """A role of a person, until it ended; None if they still have it."""

    role: str
    since: datetime
    until: datetime | None = None


Sights = Mapping[int, RolePeriod]  # by the user's primary key


def role_periods(collection: Collection) -> dict[int, list[RolePeriod]]:
    """Return the roles of everybody who is or was a member, by the primary key of the user, oldest first.

    A role whose beginning is not in the log is taken to have begun with the collection.
    """
    periods: dict[int, list[RolePeriod]] = {}
    events = AuditEvent.objects.filter(collection=collection, action__in=(*STARTING, *ENDING), person__isnull=False)
    for person, action, moment, details in events.order_by("pk").values_list("person", "action", "at", "details"):
        own = periods.setdefault(person, [])
        before = details.get("from") if action == Action.ROLE_CHANGED else details.get("role")
        if action != Action.MEMBER_ADDED and before and not (own and own[-1].until is None):
            own.append(RolePeriod(before, collection.created_at))
        if own and own[-1].until is None:
            own[-1] = own[-1]._replace(until=moment)
        if action in STARTING:
            own.append(RolePeriod(details.get("to" if action == Action.ROLE_CHANGED else "role", ""), moment))
    for person, role in collection.members.filter(user__isnull=False).values_list("user", "role"):
        own = periods.setdefault(person, [])
        if not (own and own[-1].until is None and own[-1].role == role):
            own.append(RolePeriod(role, collection.created_at))
    return periods


def runs_since(collection: Collection) -> datetime | None:
    """Return since when the collection has runs, also some that were undone since; None if it never had any."""
    undone = AuditEvent.objects.filter(collection=collection, action=Action.IMPORT_UNDONE, subject="runs")
    first: datetime | None = collection.runs.aggregate(first=Min("imported_at"))["first"]
    return collection.created_at if first and undone.exists() else first


def sights(collection: Collection) -> Sights:
    """Return the people who could see the runs, by the primary key of the user, with their first role that did."""
    first = runs_since(collection)
    if first is None:
        return {}
    found = {}
    for person, periods in role_periods(collection).items():
        seeing = [each for each in periods if each.role in READERS and (each.until is None or each.until > first)]
        if seeing:
            found[person] = seeing[0]._replace(since=max(seeing[0].since, first))
    return found


def people_behind(collection: Collection) -> dict[int, int]:
    """Return the user of each assessor, by primary keys; for one who was removed, the one who judged."""
    assessors = collection.members.filter(role=Role.ASSESSOR)
    people = dict(assessors.filter(user__isnull=False).values_list("pk", "user"))
    judged = JudgementEvent.objects.filter(
        member__in=assessors.filter(user__isnull=True),
        source=JudgementEvent.Source.PAGE,
        actor__isnull=False,
    )
    return dict(judged.order_by().values_list("member", "actor").distinct()) | people


def sighted_judges(collection: Collection, seen: Sights | None = None) -> dict[int, str]:
    """Return the role in which each assessor could see the runs before, by the member's primary key.

    `seen` is the result of `sights`, if the caller has it.
    """
    seen = sights(collection) if seen is None else seen
    if not seen:
        return {}
    people = {member: person for member, person in people_behind(collection).items() if person in seen}
    # Who judged, left, and came back as a researcher had seen nothing when they judged.
    left = collection.members.filter(pk__in=people, user__isnull=True).annotate(last=Max("judgements__judged_at"))
    last = dict(left.values_list("pk", "last"))
    return {
        member: seen[person].role
        for member, person in people.items()
        if member not in last or seen[person].since < last[member]
    }


def sighted_names(collection: Collection) -> dict[str, str]:
    """Return the same by the pseudonym."""
    marked = sighted_judges(collection)
    names: Mapping[int, str] = dict(collection.members.filter(pk__in=marked).values_list("pk", "name"))
    return {names[pk]: role for pk, role in sorted(marked.items())}


def allowed_people(collection: Collection) -> set[int]:
    """Return the users whom an owner allowed to judge although they could see the runs."""
    events = AuditEvent.objects.filter(collection=collection, action=Action.SIGHTED_ALLOWED, person__isnull=False)
    return set(events.values_list("person", flat=True))


def check_may_judge(collection: Collection, user: User, how_to_allow: str = HOW_TO_ALLOW) -> None:
    """Refuse as an assessor who could see the runs, unless an owner allowed it."""
    sight = sights(collection).get(user.pk)
    if sight is None or user.pk in allowed_people(collection):
        return
    until = f" until {sight.until:%Y-%m-%d}" if sight.until else ""
    raise Refused(
        f"{user} could see the runs of {collection} as {with_article(sight.role)}{until}, and assessors must not know "
        f"them. {how_to_allow}"
    )


def allow_sighted(collection: Collection, username: str, actor: User | None = None) -> User:
    """Allow somebody who could see the runs to judge. `actor` is an owner, or None for a command."""
    with transaction.atomic():
        lock_active(collection)
        if actor is not None and not collection.members.filter(user=actor, role=Role.OWNER).exists():
            raise Refused(f"Only an owner of {collection} can allow somebody who could see the runs to judge.")
        user = User.objects.filter(username=username, erased_at=None).first()
        if user is None:
            raise Refused(f"There is no user {shown(username)}.")
        sight = sights(collection).get(user.pk)
        if sight is None:
            raise Refused(f"{user} has not seen the runs of {collection}, and needs no permission to judge.")
        if user.pk not in allowed_people(collection):
            details = {"role": sight.role}
            audit.record(Action.SIGHTED_ALLOWED, actor=actor, person=user, collection=collection, details=details)
    return user


def people_to_allow(collection: Collection, seen: Sights) -> list[str]:
    """Return the names of the accounts that an owner could allow to judge: they saw the runs, and left."""
    members = collection.members.filter(user__isnull=False)
    users = User.objects.filter(pk__in=seen.keys() - allowed_people(collection), is_active=True, erased_at=None)
    return sorted(users.exclude(pk__in=members.values("user")).values_list("username", flat=True))
