"""Which assessors may search. Researchers permit it, and take the permission back."""

from collections.abc import Iterable

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.models import Action, Collection, Member, SearchPermission, User
from pooling.errors import shown


def may_search(member: Member) -> bool:
    return SearchPermission.objects.filter(member=member).exists()


def searchers(collection: Collection) -> list[Member]:
    """Return the assessors who may search, by name."""
    return list(collection.members.filter(search_permission__isnull=False).order_by("name"))


@transaction.atomic
def permit_search(collection: Collection, names: Iterable[str], actor: User | None = None) -> list[str]:
    """Let exactly these assessors search, and return their names. `actor` is who decides, for the audit log."""
    lock_active(collection)
    members = {member.name: member for member in active_assessors(collection)}
    wanted = set(names)
    if unknown := sorted(wanted - members.keys()):
        existing = ", ".join(members) or "none"
        raise Refused(f"{shown(unknown[0])} cannot search: {collection} has the assessors {existing}.")
    before = set(SearchPermission.objects.filter(member__collection=collection).values_list("member__name", flat=True))
    SearchPermission.objects.filter(member__collection=collection).exclude(member__name__in=wanted).delete()
    new = [SearchPermission(member=members[name], granted_by=actor) for name in sorted(wanted - before)]
    SearchPermission.objects.bulk_create(new)
    if before != wanted:
        details = {"permitted": len(wanted - before), "withdrawn": len(before - wanted)}
        audit.record(Action.SEARCHERS_CHANGED, actor=actor, collection=collection, details=details)
    return sorted(wanted)
