"""Which tasks a collection has, and what the states of an assignment mean."""

from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from assess.models import Assignment, Collection, Judgement, Member, State, Task, Topic

OPEN = ("", State.LATER, State.UNDONE)  # still to be judged; "" means that nothing was recorded yet
SETTLED = (State.JUDGED, State.CANNOT_JUDGE)
LAPSED = "lapsed"  # claimed, not judged, and returned


def pooled_tasks(collection: Collection) -> QuerySet[Task]:
    """Return the tasks of the pool, without those that exist only because a judgement was imported."""
    return Task.objects.filter(topic__collection=collection, provenance__isnull=False)


def claimable(member: Member, topic: Topic, lapsed: list[Assignment] | None = None) -> QuerySet[Task]:
    """Return the tasks of a topic that need judgements and that the assessor does not have.

    Tasks whose claim by this assessor has lapsed are included: all of them, or only those of `lapsed`.
    """
    held = Assignment.objects.filter(member=member, task=OuterRef("pk"))
    if lapsed is None:
        held = held.exclude(state=LAPSED)
    else:
        held = held.exclude(pk__in=[assignment.pk for assignment in lapsed])
    return Task.objects.filter(topic=topic, taken__lt=F("wanted")).exclude(Exists(held))


def last_judged(member: Member, topic: Topic, states: Iterable[str]) -> QuerySet[Assignment]:
    """Return the assessor's assignments of a topic in these states, the most recently judged first.

    The query starts from the assignments, which have an index for each topic: judgements of other topics are not
    read, however many there are.
    """
    judgements = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
    assignments = Assignment.objects.filter(member=member, topic=topic, state__in=list(states))
    return assignments.annotate(last_judged_at=Subquery(judgements.values("judged_at"))).order_by(
        "-last_judged_at", "-pk"
    )
