"""Adjudications: disputed documents are assigned to adjudicators who did not judge them.

An adjudicator decides on the judging page, like an assessor. An assignment of the kind DECISION is in the assessor's
queue; researchers may adjudicate as well. A decision can be changed by its adjudicator. It cannot be taken from
somebody else, since a task has one adjudicator.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet

from assess import audit
from assess.adjudication.choose import LEVERAGE, MOST_TASKS, choose
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.jobs import queue
from assess.lib.long_work import about_to_save
from assess.models import (
    Action,
    AdjudicatedTask,
    Adjudication,
    Assignment,
    Collection,
    Job,
    JudgementKind,
    Member,
    State,
    Task,
    User,
)
from assess.pools.tasks import OPEN
from pooling.errors import shown
from pooling.words import count


@dataclass(frozen=True)
class AdjudicationSummary:
    """An adjudication with its numbers: `decided` of `documents` have a decision."""

    number: int
    selection: str
    shows_grades: bool
    created_at: datetime
    documents: int
    decided: int

    @property
    def is_done(self) -> bool:
        return self.decided >= self.documents


def adjudications_of(collection: Collection) -> list[AdjudicationSummary]:
    """Return the adjudications of a collection with their numbers, in order."""
    decision = Q(tasks__task__judgements__repeat=JudgementKind.DECISION, tasks__task__judgements__state=State.JUDGED)
    rows = collection.adjudications.annotate(
        documents=Count("tasks", distinct=True), decided=Count("tasks", filter=decision, distinct=True)
    )
    names = ("number", "selection", "shows_grades", "created_at", "documents", "decided")
    return [AdjudicationSummary(**row) for row in rows.values(*names)]


def candidates(collection: Collection) -> list[Member]:
    """Return the people who can adjudicate: every member who can sign in."""
    return list(collection.members.filter(user__is_active=True).order_by("name"))


def adjudicate(
    collection: Collection,
    by: str,
    adjudicators: Sequence[str],
    shows_grades: bool = False,
    actor: int | None = None,
    **choice: Any,
) -> AdjudicationSummary:
    """Choose disputed documents (`choose`), and assign them to adjudicators: what the page, command and job call.

    `actor` is the primary key of the user, or None for a command.
    """
    user = None if actor is None else User.objects.filter(pk=actor).first()
    tasks, selection = choose(collection, by, **choice)
    number = create_adjudication(collection, tasks, adjudicators, selection, shows_grades, user).number
    return next(summary for summary in adjudications_of(collection) if summary.number == number)


def adjudicate_or_start(
    collection: Collection, user: User, by: str, adjudicators: Sequence[str], **options: Any
) -> AdjudicationSummary | Job:
    """Choose and assign disputed documents; by leverage, which may take long to compute, in a job."""
    arguments = {"by": by, "adjudicators": list(adjudicators), "actor": user.pk, **options}
    if by != LEVERAGE:
        return adjudicate(collection, **arguments)
    _members(collection, adjudicators)  # refuses unknown ones before the job starts
    return queue.start("adjudicate", collection, user, arguments)


def create_adjudication(
    collection: Collection,
    tasks: Sequence[Task],
    adjudicators: Sequence[str],
    selection: str,
    shows_grades: bool = False,
    actor: User | None = None,
) -> Adjudication:
    """Assign the tasks to the named adjudicators, each to one who did not judge it, in equal shares.

    `selection` says how the tasks were chosen. Nothing is changed if a task has no possible adjudicator, or is in
    another adjudication.
    """
    if not 1 <= len(tasks) <= MOST_TASKS:
        raise Refused(f"An adjudication has between 1 and {MOST_TASKS:,} documents, not {len(tasks):,}.")
    members = _members(collection, adjudicators)
    try:
        with transaction.atomic():
            lock_active(collection)
            decided_by = _shared_out(tasks, members)
            adjudication = _save(collection, tasks, decided_by, selection, shows_grades, actor)
            about_to_save()
    except IntegrityError:
        raise Refused("Somebody chose one of these documents at the same time; nothing was changed.") from None
    return adjudication


def _members(collection: Collection, names: Sequence[str]) -> list[Member]:
    existing = {member.name: member for member in candidates(collection)}
    if unknown := [name for name in names if name not in existing]:
        raise Refused(f"{collection} has no member with the pseudonym {shown(unknown[0])} who can sign in.")
    if not names:
        raise Refused("Choose who adjudicates.")
    return [existing[name] for name in dict.fromkeys(names)]


def _shared_out(tasks: Sequence[Task], members: Sequence[Member]) -> dict[int, Member]:
    """Return the adjudicator of each task: of those who do not have it, the one with the fewest so far."""
    if AdjudicatedTask.objects.filter(task__in=tasks).exists():
        raise Refused("Some of these documents are in an adjudication already. Choose the documents again.")
    holders = _holders(tasks)
    load: Counter[int] = Counter()
    decided_by = {}
    for task in tasks:
        possible = [member for member in members if (task.pk, member.pk) not in holders]
        if not possible:
            raise Refused(
                f"Everybody whom you chose has judged document {shown(task.document.doc_id)} of topic "
                f"{shown(task.topic.query_id)} or may judge it. Choose somebody else, or other documents."
            )
        decided_by[task.pk] = min(possible, key=lambda member: load[member.pk])
        load[decided_by[task.pk].pk] += 1
    return decided_by


def _holders(tasks: Sequence[Task]) -> set[tuple[int, int]]:
    """Return the pairs of task and member who judged it, or have it in their queue."""
    keys = [task.pk for task in tasks]
    assigned = Assignment.objects.filter(task__in=keys).values_list("task", "member")
    judged = Task.objects.filter(pk__in=keys, judgements__isnull=False).values_list("pk", "judgements__member")
    return {*assigned, *judged}


def _save(
    collection: Collection,
    tasks: Sequence[Task],
    decided_by: dict[int, Member],
    selection: str,
    shows_grades: bool,
    actor: User | None,
) -> Adjudication:
    number = (collection.adjudications.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    adjudication = Adjudication.objects.create(
        collection=collection, number=number, selection=selection, shows_grades=shows_grades, created_by=actor
    )
    AdjudicatedTask.objects.bulk_create(
        AdjudicatedTask(adjudication=adjudication, task=task, adjudicator=decided_by[task.pk]) for task in tasks
    )
    Assignment.objects.bulk_create(
        # Low positions come first: other tasks have random positions in a large range.
        Assignment(
            task=task,
            topic_id=task.topic_id,
            member=decided_by[task.pk],
            repeat=JudgementKind.DECISION,
            position=position,
        )
        for position, task in enumerate(tasks)
    )
    details = {"number": number, "documents": len(tasks), "open": shows_grades}
    audit.record(Action.ADJUDICATION_CREATED, actor=actor, collection=collection, details=details)
    return adjudication


def undo_adjudication(collection: Collection, number: int, actor: User | None = None) -> int:
    """Take back the documents that are not decided yet, and return their number.

    An adjudication without any decision is deleted. Decisions stay; their adjudicators can undo them.
    """
    with transaction.atomic():
        lock_active(collection)
        adjudication = find_adjudication(collection, number)
        undecided = _lock_undecided(adjudication)
        tasks = list(undecided.values_list("task", flat=True))
        if not tasks:
            raise Refused(f"All documents of adjudication {number} are decided. The adjudicators can undo a decision.")
        undecided.delete()
        adjudication.tasks.filter(task__in=tasks).delete()
        if not adjudication.tasks.exists():
            adjudication.delete()
        details = {"number": number, "documents": len(tasks)}
        audit.record(Action.ADJUDICATION_UNDONE, actor=actor, collection=collection, details=details)
    return len(tasks)


def _lock_undecided(adjudication: Adjudication) -> QuerySet[Assignment]:
    """Lock the assignments, so that no decision is made meanwhile, and return those without a decision."""
    decisions = Assignment.objects.filter(repeat=JudgementKind.DECISION, task__adjudicated__adjudication=adjudication)
    list(decisions.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    return Assignment.objects.filter(pk__in=list(decisions.filter(state__in=OPEN).values_list("pk", flat=True)))


def find_adjudication(collection: Collection, number: int) -> Adjudication:
    """Return the adjudication with this number, or refuse with the existing ones."""
    if adjudication := collection.adjudications.filter(number=number).first():
        return adjudication
    existing = count(collection.adjudications.count(), "adjudication")
    raise Refused(f"{collection} has no adjudication {number}. It has {existing}.")
