"""The documents whose grades a member should not see yet, because they are to decide them."""

from assess.adjudication.openings import opened_tasks
from assess.models import AdjudicatedTask, Judgement, JudgementKind, Member, State


def tasks_to_decide(member: Member) -> set[int]:
    """Return the tasks that the member is to decide and has not decided."""
    decisions = Judgement.objects.filter(repeat=JudgementKind.DECISION, state=State.JUDGED)
    tasks = AdjudicatedTask.objects.filter(adjudicator=member).exclude(task__in=decisions.values("task"))
    return set(tasks.values_list("task", flat=True))


def unseen_to_decide(member: Member) -> set[int]:
    """Return the tasks that the member is to decide and has not decided, and whose grades they have not seen."""
    undecided = tasks_to_decide(member)
    return undecided - opened_tasks(member, undecided) if undecided else set()
