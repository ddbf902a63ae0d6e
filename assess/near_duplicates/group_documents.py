"""The accepted groups of near-duplicates of a topic, and the documents and assignments in them.

A group belongs to a topic or to the whole collection. Within a topic, a document is in one group at most.
"""

from typing import Any

from django.db.models import F, Q, QuerySet

from assess.models import (
    Assignment,
    DuplicatesRule,
    GroupMember,
    JudgementKind,
    Member,
    State,
    Task,
    Topic,
)
from assess.pools.queue import open_tasks
from assess.pools.tasks import LAPSED


def memberships(topic: int) -> QuerySet[GroupMember]:
    """Return the documents of the groups that apply to a topic."""
    return GroupMember.objects.filter(Q(group__topic=topic) | Q(group__topic__isnull=True))


def groups_of(assignments: QuerySet[Assignment], topic: int) -> QuerySet[GroupMember, Any]:
    """Return the keys of the groups of these assignments' documents, as a subquery."""
    documents = assignments.order_by().values("task__document")
    return memberships(topic).filter(document__in=documents).values("group")


def in_groups(assignments: QuerySet[Assignment], topic: Topic) -> QuerySet[Any]:
    """Return the regular assignments whose documents are in a group; `group` is its key."""
    path = "task__document__duplicate_groups"
    with_group = assignments.filter(repeat=JudgementKind.REGULAR).annotate(member_of=F(path), group=F(f"{path}__group"))
    return with_group.filter(member_of__in=memberships(topic.pk))


def free_in_same_groups(free: QuerySet[Task], member: Member, topic: Topic, tasks: list[Task]) -> QuerySet[Task]:
    """Return those of the `free` tasks that are in a group with one of `tasks`, or with one that the member has."""
    own = Assignment.objects.filter(member=member, topic=topic, repeat=JudgementKind.REGULAR).exclude(state=LAPSED)
    taken = [task.document_id for task in tasks]
    begun = memberships(topic.pk).filter(
        Q(document__in=taken) | Q(document__in=own.order_by().values("task__document"))
    )
    fellows = memberships(topic.pk).filter(group__in=begun.values("group"))
    return free.filter(document__in=fellows.values("document")).exclude(pk__in=[task.pk for task in tasks])


def waiting_duplicates(member: Member, topic: Topic) -> list[int]:
    """Return the keys of the open claims that the page does not show yet, because one judgement applies to all.

    They do not count as documents in hand: otherwise a large group would leave the page without other documents.
    """
    if member.collection.duplicates_rule != DuplicatesRule.ONCE:
        return []
    claims = in_groups(open_tasks(member, topic, claimed=True).exclude(state=State.LATER), topic)
    seen: set[int] = set()
    result = []
    for pk, group in claims.order_by("position", "pk").values_list("pk", "group"):
        if group in seen:
            result.append(pk)
        seen.add(group)
    return result
