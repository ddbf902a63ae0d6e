"""Hidden repeats: documents that an assessor judges a second time without being informed.

A repeat is an assignment of its own with an address of its own. It comes up after the first judgement is settled and
at least APART other documents of the topic were judged, unless nothing else is left. For assigned tasks,
`pooling.assignment.repeats` draws the repeats; for claimed tasks they are drawn here, task by task.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from assess.lib.seeded_draw import DRAWS, draw
from assess.models import Assignment, JudgementKind, Member, Task, Topic
from assess.pools.tasks import SETTLED, last_judged

APART = 5  # other documents between a first judgement and its repeat
WITHIN = 40  # a repeat of a claimed task is due at most this many documents later


def add_repeats(member: Member, claimed: list[tuple[Assignment, Task]]) -> None:
    """Add repeats of some of the tasks just claimed, with the collection's probability."""
    share, seed = member.collection.repeat_share, member.collection.seed
    if not share:
        return
    draws = ((first, draw(seed, "repeat", member.name, str(task.draw))) for first, task in claimed)
    Assignment.objects.bulk_create(
        # The high digits of the draw decide whether there is a repeat, the low digits how much later it comes.
        _repeat(first, first.position + APART + 1 + drawn % (WITHIN - APART))
        for first, drawn in draws
        if drawn < share * DRAWS
    )


def position_of_repeat(position: int) -> int:
    """Return where the repeat of a reassigned task comes: halfway between its position and the end of its topic."""
    return (position + DRAWS) // 2


def _repeat(first: Assignment, position: int) -> Assignment:
    keys = {"task_id": first.task_id, "topic_id": first.topic_id, "member_id": first.member_id}
    return Assignment(**keys, repeat=JudgementKind.REPEAT, position=position)


def unseen_repeats(first: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the repeats of unsettled first judgements: the assessor cannot have seen any of them."""
    same_task = first.filter(task=OuterRef("task"), member=OuterRef("member"))
    return Assignment.objects.filter(
        Exists(same_task), task__in=first.values("task"), repeat=JudgementKind.REPEAT, state=""
    )


def due_repeats_only(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Leave out repeats whose first judgement is not settled."""
    first = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=0, state__in=SETTLED)
    return assignments.filter(~Q(repeat=JudgementKind.REPEAT) | Exists(first))


def too_soon(member: Member, topic: Topic) -> Q:
    """Match repeats of documents that the assessor judged among the last APART of the topic."""
    return Q(repeat=JudgementKind.REPEAT, task__in=last_judged(member, topic, SETTLED).values("task")[:APART])
