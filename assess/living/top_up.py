"""Adds the missing documents of runs to the pool, and has them judged: one step that can be repeated."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef

from assess.errors import Refused
from assess.living.new_runs import check_depth
from assess.models import Assignment, Collection, JudgeKind, Judgement, JudgementKind, User
from assess.pools.tasks import pooled_tasks


@dataclass(frozen=True)
class TopUpResult:
    """How many tasks and assignments are new, and who was reminded; `notes` are sentences about what was not done."""

    systems: list[str]
    tasks: int
    assignments: int
    judges: int
    reminded: int = 0
    notes: list[str] = field(default_factory=list)


def top_up(
    collection: Collection,
    systems: Sequence[str],
    depth: int,
    judges: int | None = None,
    address: str = "",
    user: int | None = None,
) -> TopUpResult:
    """Pool the first `depth` documents of these runs, assign those that nobody has, and remind who has to judge them.

    In a collection that is open to claims, the new tasks can be claimed. Otherwise each goes to `judges` assessors, by
    default as many as most documents have; tasks that only other runs retrieved are not assigned. Reminders are sent if
    `address` is that of the page of assessors.
    """
    from assess.living.state import judges_per_document, living_state  # loads pandas
    from assess.pools.assign import assign
    from assess.pools.building.build import build_pool

    check_depth(depth)
    chosen = living_state(collection, systems, depth).systems
    if not chosen:
        raise Refused(f"{collection} has no new runs.")
    number = judges or judges_per_document(collection)
    built = build_pool(collection, "depth", depth=depth, systems=chosen)
    notes, assignments = [], 0
    if not collection.open_to_claims:
        try:
            if waiting := _unassigned(collection, chosen):
                assignments = assign(collection, judges=number, only=waiting).added
        except Refused as refusal:  # the pool stays: people can be invited and assigned later
            notes.append(f"Nothing was assigned: {refusal}")
    reminded = _remind(collection, address, user, notes) if address else 0
    return TopUpResult(chosen, built.added, assignments, number, reminded, notes)


def _unassigned(collection: Collection, systems: Sequence[str]) -> set[int]:
    """Return the pooled tasks of these systems that nobody judged or has to judge; a model does not count.

    Not only those of the last pool building: a worker may have been killed between pooling and assigning.
    """
    taken = {"repeat": JudgementKind.REGULAR, "task": OuterRef("pk")}
    free = pooled_tasks(collection).exclude(Exists(Assignment.objects.filter(**taken)))
    judged = Judgement.objects.filter(**taken).exclude(member__imported_judge__kind=JudgeKind.MODEL)
    rows = free.exclude(Exists(judged)).values_list("pk", "provenance__systems")
    return {task for task, retrieved in rows if not set(systems).isdisjoint(retrieved)}


def _remind(collection: Collection, address: str, user: int | None, notes: list[str]) -> int:
    from assess.work.remind import remind

    try:
        return len(remind(collection, address, actor=User.objects.filter(pk=user or 0).first()).people)
    except Refused as refusal:
        notes.append(f"Nobody was reminded: {refusal}")
        return 0
