"""Which tasks a collection has, and what the state of an assignment means for them."""

from collections.abc import Iterable

from django.db.models import OuterRef, QuerySet, Subquery

from assess.lib.prepared import Given
from assess.models import Assignment, Collection, Judgement, Member, State, Task, Topic

OPEN = ("", State.LATER, State.UNDONE)  # still to be judged; without a state nothing was said yet
SETTLED = (State.JUDGED, State.CANNOT_JUDGE)
LAPSED = "lapsed"  # was claimed, not judged, and went back


def pooled_tasks(collection: Collection) -> QuerySet[Task]:
    """The tasks that a pool brought, without those that only came with imported judgements."""
    return Task.objects.filter(topic__collection=collection, provenance__isnull=False)


def last_judged(member: Member | Given, topic: Topic | Given, states: Iterable[str]) -> QuerySet[Assignment]:
    """What the assessor has of a topic in these states, the last said first.

    By way of the assignments, of which a topic has its own index: other topics' judgements, however many, are not read.
    """
    own = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
    said = Assignment.objects.filter(member=member, topic=topic, state__in=list(states))
    return said.annotate(said_at=Subquery(own.values("judged_at"))).order_by("-said_at", "-pk")
