"""Opens a result, so that the searcher can judge it on the judging page."""

from django.db import transaction

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Assignment, Document, Member, OpenedResult, Search
from assess.pools.building.searched import assign_found


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
