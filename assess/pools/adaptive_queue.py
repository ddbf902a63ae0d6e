"""The queues of the judging page in the adaptive order: where `assess.pools.claims` and `assess.judging.worklist` ask for it.

What the strategy proposes becomes a place in an ORDER BY for the next documents, and stays here otherwise. The order is
decided for as many documents as a page holds at hand: they are in the browser before the next judgement is made.
"""

from django.db.models import Case, QuerySet, When

from assess.models import Assignment, Judgement, Member, Task, Topic
from assess.pools import adaptive_order
from assess.pools.tasks import SETTLED

AHEAD_OF_CLAIMS = 20  # what one claim takes at most, and some more: others may be just at the first of them


def of_tasks(tasks: QuerySet[Task], topic: Topic, limit: int = AHEAD_OF_CLAIMS) -> tuple:
    """For claims: of the tasks, those that fewer have coming first, an ORDER BY. Among those that equally many have
    it puts the strategy's first, and between its equals keeps the order they came in."""
    rows = list(tasks.values_list("taken", "document__doc_id", "pk"))
    chosen: list[int] = []
    for level in sorted({taken for taken, *_ in rows}):
        same = {doc_id: pk for taken, doc_id, pk in rows if taken == level}
        chosen += (same[doc_id] for doc_id in adaptive_order.chosen(topic, list(same), limit - len(chosen)))
        if len(chosen) >= limit:
            break
    return _place(chosen)


def of_assignments(tasks: QuerySet[Assignment], member: Member, topic: Topic, limit: int) -> tuple:
    """For what was given out beforehand: the untouched tasks, the strategy's first, and hidden repeats among them."""
    untouched = tasks.filter(state="").order_by("position", "pk")
    rows = list(untouched.values_list("pk", "task", "repeat", "task__document__doc_id"))
    firsts = {doc_id: pk for pk, _, repeat, doc_id in rows if not repeat}
    queue = [firsts[doc_id] for doc_id in adaptive_order.chosen(topic, list(firsts), limit)]
    repeats = {task: pk for pk, task, repeat, _ in rows if repeat}
    return _place(_with_repeats(queue, repeats, member, topic)[:limit] if repeats else queue)


def _place(pks: list[int]) -> tuple:
    """An ORDER BY: these first, one after the other."""
    return (Case(*(When(pk=pk, then=at) for at, pk in enumerate(pks)), default=len(pks)),) if pks else ()


def _with_repeats(queue: list[int], repeats: dict[int, int], member: Member, topic: Topic) -> list[int]:
    """A repeat comes as far behind its first judgement as it stands behind it in the assessor's own order, which
    was drawn for that; earlier only where nothing else is left."""
    own = Assignment.objects.filter(member=member, topic=topic).order_by("position", "pk")
    drawn = {(task, repeat): at for at, (task, repeat) in enumerate(own.values_list("task", "repeat"))}
    said = Judgement.objects.filter(member=member, task__topic=topic, state__in=SETTLED).order_by("judged_at", "pk")
    settled = list(said.values_list("task", "repeat"))
    first = {task: at for at, (task, repeat) in enumerate(settled) if not repeat}
    due = {pk: first.get(task, 0) + drawn[task, 1] - drawn[task, 0] - len(settled) for task, pk in repeats.items()}
    merged = list(queue)
    for pk in sorted(due, key=due.get):
        merged.insert(max(due[pk], 0), pk)
    return merged
