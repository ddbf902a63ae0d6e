"""Judgements by group: one judgement applies to all near-duplicates that the assessor has in a topic.

A *source* is a regular judgement that the assessor made by hand. Its grade is also recorded for the other documents of
the group that the assessor has and that are not judged yet, each as a judgement of its own with the input `group`.
While the source is the only judgement of the group made by hand, changing or undoing it changes those by group. A
judgement by group that is changed by hand is one made by hand, and changes nothing else.

Not copied are comment, confidence, passages, answers about marginal relevance and times. Documents without text, those
that could not be judged, and those outside the pool are left alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from assess.judging.judgement_input import JudgementInput
from assess.models import (
    Assignment,
    Collection,
    DuplicatesRule,
    Input,
    Judgement,
    JudgementEvent,
    JudgementKind,
    Member,
    State,
    Task,
)
from assess.near_duplicates.group_documents import groups_of, memberships
from assess.pools.tasks import OPEN


@dataclass(frozen=True)
class Fellow:
    """Another document of the group that the assessor has. `state` and `input` are those of its judgement, if any."""

    public_id: UUID
    in_pool: bool
    state: str
    input: str

    @property
    def is_by_group(self) -> bool:
        return self.state == State.JUDGED and self.input == Input.GROUP

    @property
    def is_by_hand(self) -> bool:
        return self.state == State.JUDGED and self.input != Input.GROUP


def one_applies_to_all(collection: Collection) -> bool:
    return collection.duplicates_rule == DuplicatesRule.ONCE


def lock_fellows(member: Member, public_id: UUID) -> list[Fellow]:
    """Lock the assignments of the group to which a regular assignment belongs, and return the others.

    The member is locked first, then the assignments and then their tasks, both in the order of their keys, so that no
    two transactions wait for each other. A judgement by group may take or release a slot of any of these tasks.
    """
    if not one_applies_to_all(member.collection):
        return []
    own = Assignment.objects.filter(member=member, repeat=JudgementKind.REGULAR)
    first = own.filter(public_id=public_id).values("task", "topic").first()
    if first is None:
        return []
    groups = groups_of(own.filter(public_id=public_id), first["topic"])
    documents = memberships(first["topic"]).filter(group__in=groups).values("document")
    of_group = own.filter(topic=first["topic"], task__document__in=documents)
    # no_key: other rows that refer to the member, such as judgements, do not wait.
    Member.objects.select_for_update(no_key=True).filter(pk=member.pk).values_list("pk").first()
    tasks = list(of_group.select_for_update(of=("self",)).order_by("pk").values_list("task", flat=True))
    if len(tasks) > 1:
        list(Task.objects.filter(pk__in=tasks).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    # Read after the locks, because a judgement in another tab may have changed the states.
    return _fellows(of_group.exclude(task=first["task"]))


def _fellows(assignments: QuerySet[Assignment]) -> list[Fellow]:
    own = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=OuterRef("repeat"))
    rows = assignments.annotate(entered=Subquery(own.values("input")[:1])).order_by("pk")
    names = ("public_id", "task__provenance", "state", "entered")
    return [
        Fellow(public_id, provenance is not None, state, entered or "")
        for public_id, provenance, state, entered in rows.values_list(*names)
    ]


def changes(
    collection: Collection, fellows: list[Fellow], before: Judgement | None, judgement_input: JudgementInput
) -> Iterator[tuple[UUID, JudgementInput]]:
    """Yield what to record for the fellows of a judgement by hand. `before` is the judgement that it replaces."""
    was_by_group = before is not None and before.state == State.JUDGED and before.input == Input.GROUP
    if not fellows or was_by_group or not one_applies_to_all(collection):
        return
    is_only_source = not any(fellow.is_by_hand for fellow in fellows)
    is_grade = judgement_input.state == State.JUDGED
    copied = JudgementInput(
        State.JUDGED if is_grade else State.UNDONE,
        judgement_input.relevance,
        input=Input.GROUP,
        guidelines_version=judgement_input.guidelines_version,
    )
    for fellow in fellows:
        is_open = is_grade and fellow.in_pool and fellow.state in OPEN
        if is_open or (is_only_source and fellow.is_by_group):
            yield fellow.public_id, copied


def judged_by_group(event: JudgementEvent) -> list[str]:
    """Return the public ids of the documents to which a judgement was applied too, or for which it was undone.

    Their events follow in the same chain, and their times are that of the judgement, less a microsecond.
    """
    judgement = event.judgement
    if judgement.repeat != JudgementKind.REGULAR or event.position is None:
        return []
    followers = JudgementEvent.objects.filter(
        member=event.member_id, position__gt=event.position, at=event.at - timedelta(microseconds=1), input=Input.GROUP
    )
    of_events = Q(task__in=followers.values("judgement__task"), member=event.member_id, repeat=JudgementKind.REGULAR)
    rows = Assignment.objects.filter(of_events).order_by("pk")
    return [str(public_id) for public_id in rows.values_list("public_id", flat=True)]
