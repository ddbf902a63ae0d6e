"""Queues of the judging page in the adaptive order.

`claims` and `worklist` sort by the expressions that this module returns. The strategy decides for as many documents as
a page keeps loaded: these are in the browser before the next judgement is made.
"""

from django.db.models import Case, QuerySet, When

from assess.models import Assignment, Judgement, JudgementKind, Member, Task, Topic
from assess.pools import adaptive_order
from assess.pools.tasks import SETTLED

HIDDEN = (JudgementKind.REPEAT, JudgementKind.CHECK)
AHEAD_OF_CLAIMS = 20  # at least what one claim takes, and some more in case others have locked the first ones


def task_order(tasks: QuerySet[Task], topic: Topic, limit: int = AHEAD_OF_CLAIMS) -> tuple[Case, ...]:
    """Return an ORDER BY for claims: tasks that fewer assessors have first, then the strategy's order.

    Tasks that the strategy ranks equally stay in the order of `tasks`.
    """
    rows = list(tasks.values_list("taken", "document__doc_id", "pk"))
    chosen: list[int] = []
    for level in sorted({taken for taken, *_ in rows}):
        keys = {doc_id: pk for taken, doc_id, pk in rows if taken == level}
        chosen += (keys[doc_id] for doc_id in adaptive_order.next_documents(topic, list(keys), limit - len(chosen)))
        if len(chosen) >= limit:
            break
    return _these_first(chosen)


def assignment_order(tasks: QuerySet[Assignment], member: Member, topic: Topic, limit: int) -> tuple[Case, ...]:
    """Return an ORDER BY for assigned tasks: new tasks in the strategy's order, with hidden repeats among them."""
    untouched = tasks.filter(state="").order_by("position", "pk")
    rows = list(untouched.values_list("pk", "task", "repeat", "task__document__doc_id"))
    first = {doc_id: pk for pk, _, repeat, doc_id in rows if repeat == JudgementKind.REGULAR}
    queue = [first[doc_id] for doc_id in adaptive_order.next_documents(topic, list(first), limit)]
    hidden = {(task, repeat): pk for pk, task, repeat, _ in rows if repeat in HIDDEN}
    return _these_first(_with_hidden(queue, hidden, member, topic)[:limit] if hidden else queue)


def _these_first(pks: list[int]) -> tuple[Case, ...]:
    """Return an ORDER BY that puts these first, in this order."""
    return (Case(*(When(pk=pk, then=index) for index, pk in enumerate(pks)), default=len(pks)),) if pks else ()


def _with_hidden(queue: list[int], hidden: dict[tuple[int, int], int], member: Member, topic: Topic) -> list[int]:
    """Insert hidden repeats and checks into the queue.

    A repeat follows its first judgement by as many documents as in the assessor's own order, which was drawn for
    this purpose, and a check comes at its place in that order; they come earlier only if nothing else is left.
    """
    assignments = Assignment.objects.filter(member=member, topic=topic).order_by("position", "pk")
    drawn = {(task, repeat): index for index, (task, repeat) in enumerate(assignments.values_list("task", "repeat"))}
    judgements = Judgement.objects.filter(member=member, task__topic=topic, state__in=SETTLED)
    settled = list(judgements.order_by("judged_at", "pk").values_list("task", "repeat"))
    judged = {task: index for index, (task, repeat) in enumerate(settled) if repeat == JudgementKind.REGULAR}
    due = {
        pk: drawn[task, kind]
        - len(settled)
        + (judged.get(task, 0) - drawn[task, 0] if kind == JudgementKind.REPEAT else 0)
        for (task, kind), pk in hidden.items()
    }
    merged = list(queue)
    for pk in sorted(due, key=lambda pk: due[pk]):
        merged.insert(max(due[pk], 0), pk)
    return merged
