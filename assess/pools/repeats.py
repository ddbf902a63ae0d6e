"""Hidden repeats: what an assessor judges a second time without being told.

A repeat is an assignment of its own, with an address of its own. It comes up once the first judgement is settled, and
only after APART other judgements of the topic, unless nothing else is left. Where tasks are given out,
`pooling.assignment.repeats` draws them; with claims they are drawn here, task by task.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from assess.lib.prepared import Given
from assess.lib.seeded_draw import DRAWS, draw
from assess.models import Assignment, Member, Task, Topic
from assess.pools.tasks import SETTLED, last_judged

APART = 5  # other judgements between the two
WITHIN = 40  # documents later, at most, a repeat of a claimed task is due


def add_repeats(member: Member, claimed: list[tuple[Assignment, Task]]) -> None:
    """Let some of the tasks just claimed come again, as the collection's share says."""
    share, seed = member.collection.repeat_share, member.collection.seed
    if not share:
        return
    # The task's own draw stands for its names.
    drawn = ((first, draw(seed, "repeat", member.name, str(task.draw))) for first, task in claimed)
    Assignment.objects.bulk_create(
        # The low digits of a chance that the share has cut from above say how much later.
        _again(first, first.position + APART + 1 + chance % (WITHIN - APART))
        for first, chance in drawn
        if chance < share * DRAWS
    )


def behind(first: Assignment) -> Assignment:
    """A repeat of what is given out anew, half way between its place and the end of its topic."""
    return _again(first, (first.position + DRAWS) // 2)


def _again(first: Assignment, position: int) -> Assignment:
    where = {"task_id": first.task_id, "topic_id": first.topic_id, "member_id": first.member_id}
    return Assignment(**where, repeat=1, position=position)


def repeats_of(first: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """The repeats of first judgements that were never settled; so none of these repeats can have been seen."""
    same = first.filter(task=OuterRef("task"), member=OuterRef("member"))
    return Assignment.objects.filter(Exists(same), task__in=first.values("task"), repeat=1, state="")


def may_come(tasks: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Without repeats whose first judgement is not settled."""
    first = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=0, state__in=SETTLED)
    return tasks.filter(Q(repeat=0) | Exists(first))


def too_soon(member: Member | Given, topic: Topic | Given) -> Q:
    """Repeats of what the assessor judged among the last few of the topic."""
    return Q(repeat=1, task__in=last_judged(member, topic, SETTLED).values("task")[:APART])
