"""Near-duplicates in an assessor's queue: they follow each other, or wait for the first of them.

If one judgement applies to all, a page has one open document of each group, and the others wait for its judgement.
They come up if it is postponed or could not be judged.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, Value, When

from assess.models import Assignment, Input, Judgement, Member, State, Topic
from assess.near_duplicates.group_documents import in_groups
from assess.pools.tasks import SETTLED

BEGUN = (*SETTLED, State.UNDONE)


def waiting(open_tasks: QuerySet[Assignment], topic: Topic, order: tuple[Any, ...], besides: Iterable[str]) -> set[int]:
    """Return the keys of the open assignments that wait for another one of their group.

    `besides` are the public ids of those on the page. One whose judgement was undone by hand comes before those for
    which it was undone by group, and postponed ones come last.
    """
    own = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
    rank = Case(
        When(Q(state=State.UNDONE) & ~Q(entered=Input.GROUP), then=Value(0)),
        When(state=State.LATER, then=Value(2)),
        default=Value(1),
    )
    rows = in_groups(open_tasks, topic).annotate(entered=Subquery(own.values("input")[:1])).annotate(rank=rank)
    names = ("pk", "public_id", "group", "state")
    members = list(rows.order_by("rank", *order, "pk").values_list(*names))
    on_page = set(besides)
    held = {group for _, public_id, group, state in members if str(public_id) in on_page and state != State.LATER}
    result = set()
    for pk, public_id, group, _ in members:
        if group in held and str(public_id) not in on_page:
            result.add(pk)
        held.add(group)
    return result


def together(
    queue: list[tuple[UUID, str]],
    tasks: QuerySet[Assignment],
    member: Member,
    topic: Topic,
    order: tuple[Any, ...],
    besides: Iterable[str],
) -> list[UUID]:
    """Return the public ids of a queue, of which states are given, so that the documents of a group follow each other.

    The new documents of a group that the assessor has begun, or has on the page, come first, after undone ones. Other
    groups follow where their first document is.
    """
    new = list(in_groups(tasks.filter(state=""), topic).order_by(*order, "pk").values_list("public_id", "group"))
    if not new:
        return [public_id for public_id, _ in queue]
    fellows: dict[int, list[UUID]] = {}
    for public_id, group in new:
        fellows.setdefault(group, []).append(public_id)
    group_of = dict(new)
    begun = [public_id for group in _begun(member, topic, besides) for public_id in fellows.get(group, [])]
    undone = [public_id for public_id, state in queue if state == State.UNDONE]
    followed = [each for public_id, _ in queue for each in (public_id, *fellows.get(group_of.get(public_id, 0), []))]
    return list(dict.fromkeys([*undone, *begun, *followed]))


def _begun(member: Member, topic: Topic, besides: Iterable[str]) -> list[int]:
    """Return the keys of the groups of which the assessor has begun a document, those on the page first."""
    on_page = set(besides)
    own = Assignment.objects.filter(Q(state__in=BEGUN) | Q(public_id__in=on_page), member=member, topic=topic)
    rows = in_groups(own, topic).order_by("pk").values_list("public_id", "group")
    return [group for _, group in sorted(rows, key=lambda row: str(row[0]) not in on_page)]
