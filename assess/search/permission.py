"""Which assessors may search. Researchers permit it, and take the permission back.

A searcher who opens a result can judge it on the judging page.
"""

from collections.abc import Iterable

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.models import Action, Assignment, Collection, Document, Member, OpenedResult, Search, SearchPermission, User
from assess.pools.building.searched import assign_found
from pooling.errors import shown


def open_result(member: Member, search: Search, rank: int) -> Assignment:
    """Record that the searcher opens the result with this rank, and return the assignment in which it is judged.

    A document without an assignment of the searcher gets one. It enters the pool when it is judged.
    Refused if nobody can judge now.
    """
    if not 1 <= rank <= len(search.documents):
        raise Refused(f"This search has {len(search.documents)} results, so there is no result {rank}.")
    if because := member.collection.closed_because:
        raise Refused(because)
    with transaction.atomic():
        lock_active(member.collection)  # two searchers who open one document create its task once
        document = Document.objects.filter(pk=search.documents[rank - 1], content__isnull=False).first()
        if document is None:
            raise Refused("This document was deleted in the meantime. Search again.")
        OpenedResult.objects.get_or_create(search=search, document=document, defaults={"rank": rank})
        return assign_found(member, search, document)


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
